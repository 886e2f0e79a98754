/**
 * One request on the wire: our own bytes out, chunks back, a batch for each read. It neither retries
 * nor records; a refusal is an error with the provider's sentence, and whatever goes wrong later is
 * a chunk. None of these sentences holds what the headers keep secret.
 */
import { defineErrors, type UiChunk } from "@galley/parts";
import { type Endpoint, type Protocol, plainName, readStream } from "@galley/shape";
import { withoutSecrets } from "./secrets.ts";

export const SendError = defineErrors("send", {
  refused: (data: { status: number; reason: string; retry_after_ms?: number }) =>
    `the provider refused the request (${data.status}): ${data.reason}`,
  unreachable: (data: { url: string; reason: string }) =>
    `cannot reach ${data.url}: ${data.reason}`,
});

export type SendInput = {
  readonly endpoint: Endpoint;
  readonly body: Uint8Array;
  readonly protocol: Protocol;
  readonly fetch: typeof fetch;
  readonly signal?: AbortSignal;
};

export async function* send(input: SendInput): AsyncGenerator<readonly UiChunk[], void, undefined> {
  const response = await open(input);
  if (!response) {
    yield [{ type: "abort" }];
    return;
  }
  if (!response.ok) throw await refusal(response, input);
  const reader = readStream(input.protocol);
  const safe = (chunks: readonly UiChunk[]) => chunks.map((chunk) => maskedChunk(chunk, input));
  try {
    // An empty batch too: a read that says nothing is still a sign of life.
    for await (const bytes of response.body ?? []) yield safe(reader.push(bytes));
  } catch (error) {
    const rest = safe(reader.end());
    // What was being said ends here, with its usage; why it ended is known better than by the reader.
    const closed = rest.filter(({ type }) => type !== "error");
    if (input.signal?.aborted) yield [...closed, { type: "abort" }];
    // A break after the answer's own end takes nothing away.
    else if (rest.length > 0) yield safe([...closed, broken(error)]);
    return;
  }
  yield safe(reader.end());
}

/** A provider's error in the middle of its stream may quote the request. */
function maskedChunk(chunk: UiChunk, { endpoint }: SendInput): UiChunk {
  if (!("errorText" in chunk) || typeof chunk.errorText !== "string") return chunk;
  return { ...chunk, errorText: withoutSecrets(chunk.errorText, endpoint.headers) };
}

const broken = (error: unknown): UiChunk => ({
  type: "error",
  errorText: `the connection broke: ${reasonOf(error)}`,
});

/** Nothing when the caller gave up before there was an answer. */
async function open(input: SendInput): Promise<Response | undefined> {
  const { endpoint, body, fetch, signal } = input;
  try {
    return await fetch(endpoint.url, {
      method: endpoint.method,
      headers: endpoint.headers,
      body: body as Uint8Array<ArrayBuffer>,
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) return undefined;
    // A header that cannot be sent is quoted by what refuses it.
    const reason = withoutSecrets(reasonOf(error), endpoint.headers);
    throw SendError.make("unreachable", { url: endpoint.url, reason });
  }
}

async function refusal(response: Response, { protocol, endpoint }: SendInput): Promise<Error> {
  // The status is the refusal: an error body that breaks off takes away its sentence, no more.
  const text = await response.text().catch(() => "");
  const hide = (said: string) => withoutSecrets(said, endpoint.headers);
  const said = protocol.errorText(parse(text));
  // Masked before it is cut: half a key is found by nobody.
  const reason = plainName(
    hide(said ?? "") || hide(text).slice(0, 200).trim() || hide(response.statusText),
  );
  const retry_after_ms = retryAfter(response.headers);
  return SendError.make("refused", {
    status: response.status,
    reason,
    ...(retry_after_ms !== undefined && { retry_after_ms }),
  });
}

/** In seconds by the standard, in milliseconds by some providers; a date is left to the caller's own pace. */
function retryAfter(headers: Headers): number | undefined {
  const ms = Number(headers.get("retry-after-ms")?.trim() || Number.NaN);
  const seconds = Number(headers.get("retry-after")?.trim() || Number.NaN);
  const wait = Number.isFinite(ms) ? ms : seconds * 1000;
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: a proxy's page, say. The caller quotes its beginning.
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const inner = cause instanceof Error ? cause : error;
  return inner instanceof Error ? inner.message : String(inner);
}
