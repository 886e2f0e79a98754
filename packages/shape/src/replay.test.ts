/**
 * For the tests of the decoders: recordings, what a decoder makes of events, and the chunk in which
 * it tells their cost. It tests nothing itself.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { UiChunk } from "@galley/parts";
import type { Decoding } from "./protocol.ts";

/** The data of each event, one a line. */
const eventsOf = (file: URL): string[] => readFileSync(file, "utf8").trim().split("\n");

export const recordingIn =
  (folder: URL) =>
  (name: string): string[] =>
    eventsOf(new URL(`${name}.jsonl`, folder));

export const recordingsIn = (folder: URL): string[][] =>
  readdirSync(folder).map((name) => eventsOf(new URL(name, folder)));

export const decodeWith =
  (decoding: Decoding) =>
  (events: readonly string[]): UiChunk[] => {
    let at = decoding;
    const chunks = events.flatMap((data) => {
      const [next, made] = at.push({ data });
      at = next;
      return made;
    });
    return [...chunks, ...at.end()];
  };

/** Counts that are not named are zero. */
export const metadata = (usage: Record<string, number>, rest: Record<string, unknown>) => ({
  type: "message-metadata",
  messageMetadata: {
    usage: { input: 0, output: 0, reasoning: 0, cache_read: 0, cache_write: 0, ...usage },
    ...rest,
  },
});

export const reasonOf = (chunks: readonly UiChunk[]): unknown =>
  chunks.find((chunk) => chunk.type === "message-metadata")?.messageMetadata.finish_reason;
