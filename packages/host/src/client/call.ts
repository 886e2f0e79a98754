/**
 * One HTTP call: the token, the body, and failures as `client.*` errors. It knows no route, and
 * needs nothing but `fetch`, so that it runs in a browser as it does in Node.
 */
import { ClientError } from "./client-error.ts";

export type ClientInput = {
  /** Where the server is: `http://127.0.0.1:4747`. */
  readonly url: string;
  readonly token: string;
  readonly fetch?: typeof fetch;
};

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type CallOptions = {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly bytes?: { readonly data: Uint8Array | string; readonly type: string };
  readonly signal?: AbortSignal | undefined;
};

export interface Call {
  /** The answer's JSON; null where there is none. */
  json<T>(method: Method, path: string, options?: CallOptions): Promise<T>;
  /** The answer itself, once its status says that it is one. */
  open(method: Method, path: string, options?: CallOptions): Promise<Response>;
}

export function caller(input: ClientInput): Call {
  const base = input.url.replace(/\/+$/, "");
  // Called as a bare function: a browser's own refuses another `this`.
  const send = input.fetch ?? ((url, init) => fetch(url, init));

  async function open(method: Method, path: string, options: CallOptions = {}): Promise<Response> {
    const url = `${base}${path}${queryOf(options.query)}`;
    const content = contentOf(options);
    const { signal } = options;
    let response: Response;
    try {
      response = await send(url, {
        method,
        headers: { authorization: `Bearer ${input.token}`, ...content.headers },
        ...(content.body !== undefined && { body: content.body }),
        ...(signal && { signal }),
        // The token goes to the address that was named, and to no other.
        redirect: "error",
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw ClientError.make(
        "unreachable",
        { url: base, reason: reasonOf(error) },
        { cause: error },
      );
    }
    if (response.ok) return response;
    throw await problemOf(response, base);
  }

  return {
    open,
    async json(method, path, options) {
      const response = await open(method, path, options);
      const text = await wholeText(response, base, options?.signal);
      return parse(text === "" ? "null" : text, base);
    },
  };
}

function contentOf({ body, bytes }: CallOptions): {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
} {
  if (bytes) {
    const data = typeof bytes.data === "string" ? bytes.data : new Uint8Array(bytes.data);
    return { headers: { "content-type": bytes.type }, body: data };
  }
  if (body === undefined) return { headers: {} };
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

function queryOf(query: CallOptions["query"] = {}): string {
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${encodeURIComponent(String(value))}`],
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

export async function wholeText(
  response: Response,
  url: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    signal?.throwIfAborted();
    throw ClientError.make("cut", { url, reason: reasonOf(error) }, { cause: error });
  }
}

function parse(text: string, url: string): never {
  try {
    // What the server answers with is described by its own schemas; the caller names the type.
    return JSON.parse(text) as never;
  } catch (error) {
    const reason = `its answer is not JSON (${(error as SyntaxError).message})`;
    throw ClientError.make("not_ours", { url, reason }, { cause: error });
  }
}

/** RFC 9457 where it is one; a proxy's page is told by its status alone. */
async function problemOf(response: Response, url: string) {
  const { status } = response;
  const text = await wholeText(response, url, undefined);
  const said = documentOf(text);
  const detail = typeof said?.detail === "string" ? said.detail : `${url} answered ${status}`;
  const code = typeof said?.code === "string" ? said.code : `http.${status}`;
  const issues = Array.isArray(said?.issues) ? { issues: said.issues.map(String) } : {};
  return ClientError.make("problem", { status, code, detail, ...issues });
}

type Said = { readonly detail?: unknown; readonly code?: unknown; readonly issues?: unknown };

function documentOf(text: string): Said | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    // The one way parsing fails: it is not JSON, and so nobody's problem document.
    return undefined;
  }
}

/** Node's `fetch` hides the reason one level down. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: unknown; message?: unknown };
  const { code, message: inner } = (cause ?? {}) as { code?: unknown; message?: unknown };
  return String(inner || code || message || error);
}
