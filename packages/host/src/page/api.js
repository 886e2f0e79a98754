/** Calls of the server: JSON in, JSON or a stream of chunks out, and failures as sentences. */

/** @import { UiChunk } from "@galley/parts" */

/** What the server refused, or that it could not be reached. */
export class Refusal extends Error {
  /** @param {string} sentence @param {number} status */
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }
}

/**
 * @typedef {object} Api
 * @property {(path: string, body: unknown, signal: AbortSignal) => Promise<unknown>} post
 * @property {(path: string, body: unknown, signal: AbortSignal) => AsyncGenerator<UiChunk>} stream
 */

/**
 * @param {() => string | undefined} token
 * @param {() => void} onStranger when the server does not know the token
 * @returns {Api}
 */
export function createApi(token, onStranger) {
  /** @param {string} path @param {unknown} body @param {AbortSignal} signal */
  async function open(path, body, signal) {
    const response = await reach(path, {
      method: "POST",
      headers: { authorization: `Bearer ${token() ?? ""}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal,
    });
    if (response.ok) return response;
    if (response.status === 401) onStranger();
    throw new Refusal(await sentenceOf(response), response.status);
  }
  return {
    post: async (path, body, signal) => (await open(path, body, signal)).json(),
    async *stream(path, body, signal) {
      const { body: bytes } = await open(path, body, signal);
      if (bytes) yield* chunksOf(bytes);
    },
  };
}

/** @param {string} path @param {RequestInit} init */
async function reach(path, init) {
  try {
    return await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Refusal("The server does not answer. Is galley serve still running?", 0);
  }
}

/** @param {Response} response */
async function sentenceOf(response) {
  const type = response.headers.get("content-type") ?? "";
  if (!type.includes("json")) return `The server answered ${response.status}.`;
  const { detail, code } = await response.json();
  return `${detail} (${code})`;
}

/** @param {ReadableStream<Uint8Array<ArrayBuffer>>} bytes @returns {AsyncGenerator<UiChunk>} */
async function* chunksOf(bytes) {
  const reader = bytes.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let each = await reader.read(); !each.done; each = await reader.read()) {
    const events = (rest + each.value).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const data = event.replace(/^data: /, "");
      if (data !== "[DONE]") yield JSON.parse(data);
    }
  }
}
