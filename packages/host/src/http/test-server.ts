/** A running server for one test, and a client that can lie in its headers. */
import { type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { type RunningServer, type ServerInput, startServer } from "./server.ts";
import { type SmallPipeline, smallPipeline } from "./small-pipeline.ts";

export const TOKEN = "a-token-for-tests";

export type Called = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

export type Call = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
};

export type TestServer = RunningServer & {
  readonly pipeline: SmallPipeline;
  readonly port: number;
  readonly printed: readonly string[];
  call(path: string, call?: Call): Promise<Called>;
  /** With the token and a JSON body. */
  post(path: string, body: unknown): Promise<Called>;
  /** With the token, and a JSON body where one is given; the answer read as JSON. */
  ask(method: string, path: string, body?: unknown): Promise<Asked>;
};

export type Asked = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  readonly json: any;
};

export const AUTHORIZED = {
  authorization: `Bearer ${TOKEN}`,
  "content-type": "application/json",
};

export async function serverFor(
  t: TestContext,
  input: Partial<ServerInput> = {},
): Promise<TestServer> {
  const pipeline = smallPipeline();
  const printed: string[] = [];
  const server = await startServer({
    pipeline,
    host: "127.0.0.1",
    port: 0,
    token: TOKEN,
    print: (line) => printed.push(line),
    ...input,
  });
  t.after(() => server.close());
  const call = (path: string, options?: Call) => callOnce(server.url, path, options);
  return {
    ...server,
    pipeline,
    printed,
    port: Number(new URL(server.url).port),
    call,
    post: (path, body) =>
      call(path, { method: "POST", headers: AUTHORIZED, body: JSON.stringify(body) }),
    async ask(method, path, body) {
      const said = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await call(path, { method, headers: AUTHORIZED, ...said });
      return { status: answer.status, json: answer.body && JSON.parse(answer.body) };
    },
  };
}

async function callOnce(
  url: string,
  path: string,
  { method = "GET", headers = {}, body }: Call = {},
): Promise<Called> {
  const { promise, resolve, reject } = Promise.withResolvers<Called>();
  const outgoing = request(url, { path, method, headers, agent: false }, (answer) => {
    text(answer).then(
      (said) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: said }),
      reject,
    );
  });
  outgoing.on("error", reject);
  outgoing.end(body);
  return promise;
}

/** The status, type and code of a problem document, and that it says a sentence. */
export function problem({ status, headers, body }: Called): string {
  const document = JSON.parse(body) as Record<string, unknown>;
  const isWhole =
    document.status === status &&
    document.type === "about:blank" &&
    typeof document.title === "string" &&
    /^\S+ .*\S$/.test(String(document.detail));
  return `${status} ${headers["content-type"]} ${document.code}${isWhole ? "" : " (not a whole problem document)"}`;
}
