/**
 * Keeps an answer as it grows: chunks become parts, parts become rows, listeners hear the chunks.
 *
 * Memory leads and the store follows. What is dirty is a set of indexes, so a store that is slow or
 * full makes writes rarer and never longer, and a failed write is the same set again.
 */
import type { AssistantPart, PartId, PartRow, UiChunk } from "@galley/parts";
import type { Ending, PartWrite } from "@galley/persist";
import { createAnswer } from "./answer.ts";
import { type AnswerMetadata, added } from "./answer-metadata.ts";
import type { TurnDeps } from "./deps.ts";
import { createWrites } from "./recorder-writes.ts";
import type { Claim, Recorder, WritableLiveTurn } from "./recording.ts";
import { TurnError } from "./turn-error.ts";

export type RecorderInput = {
  readonly claim: Claim;
  readonly deps: Pick<TurnDeps, "store" | "now" | "mint" | "limits" | "report">;
  readonly live: WritableLiveTurn;
  /** What the answer's row says from its beginning. */
  readonly metadata: AnswerMetadata;
  /** The rows of earlier segments, in order. */
  readonly parts?: readonly PartRow[];
  /** Told when `trouble` has another answer. */
  readonly troubled?: () => void;
};

type Place = { readonly id: PartId; readonly index: number };

export function createRecorder(input: RecorderInput): Recorder {
  const { claim, deps, live, parts: rows = [], troubled } = input;
  const answer = createAnswer(rows.map((row) => JSON.parse(row.data_json) as AssistantPart));
  const writer = createRowWriter(input, () => answer.parts);
  const writes = createWrites({
    write: writer.write,
    window_ms: deps.limits.flush_ms,
    report: deps.report,
    ...(troubled && { troubled }),
  });
  // An answer of an earlier segment is there to be ended, also when nothing is added to it.
  let begun = rows.length > 0;
  let ended = false;
  let isLate = false;

  /** A segment that was given up and goes on all the same: its answer has been told to its end. */
  function tooLate(): void {
    if (!isLate) deps.report(TurnError.make("too-late", { id: claim.answer_id }));
    isLate = true;
  }

  /** Whether there is something to write. */
  function fold(chunk: UiChunk): boolean {
    const before = answer.metadata;
    const changed = answer.take(chunk);
    writer.touch(changed);
    if (answer.metadata !== before) writer.describe(answer.metadata);
    return changed.length > 0 || answer.metadata !== before;
  }

  return {
    message_id: claim.answer_id,
    get parts() {
      return answer.parts;
    },
    take(chunks) {
      if (chunks.length === 0) return;
      if (ended) return tooLate();
      begun = true;
      const changes = chunks.filter(fold);
      live.push([...chunks]);
      if (changes.length > 0) writes.changed(changes.some(({ type }) => TURNING.has(type)));
    },
    stamp(metadata) {
      if (ended) return;
      writer.mark(metadata);
      if (begun) writes.changed(false);
    },
    flush: (signal) => writes.flush(signal),
    async end(reason, errorText, signal) {
      ended = true;
      writer.touch(answer.settle());
      if (!begun) return;
      if (errorText !== undefined) writer.mark({ error: errorText });
      if (reason !== "blocked") writer.end(reason);
      writes.changed(true);
      await writes.flush(signal);
    },
    trouble: writes.trouble,
  };
}

/** Chunks after which an answer is in another state: they are stored at once. */
const TURNING = new Set<UiChunk["type"]>([
  "tool-input-available",
  "tool-input-error",
  "tool-approval-request",
  "tool-output-available",
  "tool-output-error",
  "tool-output-denied",
  "message-metadata",
  "error",
]);

/** What of the answer is not in its rows yet, and how it gets there. */
function createRowWriter(input: RecorderInput, parts: () => readonly AssistantPart[]) {
  const { claim, deps } = input;
  const { messages, parts: table } = deps.store;
  const id = claim.answer_id;
  const places: Place[] = (input.parts ?? []).map(({ id, index }) => ({ id, index }));
  const dirty = new Set<number>();
  let described: AnswerMetadata = {};
  let marks: AnswerMetadata = {};
  let rowIsDirty = false;
  let ending: Ending["reason"] | undefined;
  /** What the row said when this segment first wrote: its tokens are added to. */
  let earlier: AnswerMetadata | undefined;

  async function open(): Promise<AnswerMetadata> {
    const row = await messages.get(id);
    if (row) return JSON.parse(row.message.metadata_json) as AnswerMetadata;
    const { session } = claim;
    const metadata_json = JSON.stringify(input.metadata);
    const role = "assistant";
    await messages.begin({ id, session_id: session.id, role, metadata_json, at: deps.now() });
    return {};
  }

  function placeOf(index: number): Place {
    for (let next = places.length; next <= index; next += 1) {
      const after = (places.at(-1)?.index ?? -1) + 1;
      places.push({ id: deps.mint("prt"), index: after });
    }
    return places[index] as Place;
  }

  async function writeParts(): Promise<void> {
    const indexes = [...dirty].sort((a, b) => a - b);
    if (indexes.length === 0) return;
    const now = parts();
    const at = deps.now();
    const rows = indexes.map((index): PartWrite => {
      const data_json = JSON.stringify(now[index]);
      return { ...placeOf(index), message_id: id, data_json, at };
    });
    dirty.clear();
    try {
      await table.upsert(rows);
    } catch (error) {
      for (const index of indexes) dirty.add(index);
      throw error;
    }
  }

  async function writeRow(before: AnswerMetadata): Promise<void> {
    const reason = ending;
    if (!rowIsDirty && reason === undefined) return;
    const metadata = { ...added(before, described), ...marks };
    rowIsDirty = false;
    ending = undefined;
    try {
      if (reason !== undefined) await messages.end(id, { reason, metadata, at: deps.now() });
      else await messages.stamp(id, metadata, deps.now());
    } catch (error) {
      rowIsDirty = true;
      ending ??= reason;
      throw error;
    }
  }

  return {
    touch(indexes: readonly number[]) {
      for (const index of indexes) dirty.add(index);
    },
    describe(metadata: AnswerMetadata) {
      described = metadata;
      rowIsDirty = true;
    },
    mark(metadata: AnswerMetadata) {
      marks = { ...marks, ...metadata };
      rowIsDirty = true;
    },
    end(reason: Ending["reason"]) {
      ending = reason;
    },
    async write() {
      earlier ??= await open();
      await writeParts();
      await writeRow(earlier);
    },
  };
}
