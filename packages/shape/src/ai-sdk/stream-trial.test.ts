/** For the tests of the bridge: parts read to their chunks, and an end. It tests nothing itself. */
import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { UiChunk } from "@galley/parts";
import {
  type AiSdkStream,
  type AiSdkStreamPart,
  endStream,
  fromStreamPart,
  START,
} from "./stream.ts";

export function read(...parts: readonly AiSdkStreamPart[]): UiChunk[] {
  let state: AiSdkStream = START;
  const chunks = parts.flatMap((part) => {
    const [next, made] = fromStreamPart(state, part);
    state = next;
    return made;
  });
  return [...chunks, ...endStream(state)];
}

export async function readAll(stream: ReadableStream<AiSdkStreamPart>): Promise<UiChunk[]> {
  const parts: AiSdkStreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return read(...parts);
}

export const USAGE: LanguageModelV4Usage = {
  inputTokens: { total: 100, noCache: 60, cacheRead: 30, cacheWrite: 10 },
  outputTokens: { total: 50, text: 20, reasoning: 30 },
};
export const FINISH = {
  type: "finish",
  usage: USAGE,
  finishReason: { unified: "stop", raw: "end_turn" },
} as const;

/** What becomes of `USAGE`. */
export const metadata = (rest: Record<string, unknown>) => ({
  type: "message-metadata",
  messageMetadata: {
    usage: { input: 60, output: 20, reasoning: 30, cache_read: 30, cache_write: 10 },
    ...rest,
  },
});

/** What parts become inside a step that finishes. */
export const finished = (...parts: AiSdkStreamPart[]): UiChunk[] =>
  read(...parts, FINISH).slice(1, -2);
