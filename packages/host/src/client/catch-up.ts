/**
 * The end of an answer whose stream was lost: what its stored form holds beyond what was heard.
 *
 * Both are sequences of chunks, and ids of text belong to the stream alone. So each chunk is named
 * by what it stands for (the second text, the input of this call), and names are compared.
 */
import type { UiChunk } from "@galley/parts";
import { deltaOf, withDelta } from "./place.ts";
import { replayAnswer, type StoredAnswer } from "./replay.ts";

export interface Heard {
  note(chunk: UiChunk): void;
  /** The answer's id, once it was told. */
  answerId(): string | undefined;
  /** What is new in a telling from the beginning: the chunk, the end of it, or nothing. */
  beyond(): (chunk: UiChunk) => UiChunk | undefined;
  missing(answer: StoredAnswer): readonly UiChunk[];
}

export function createHeard(): Heard {
  /** How much of each is known: characters of text, 1 of anything else. */
  const known = new Map<string, number>();
  const ids = new Map<string, string>();
  const nameOf = namer();
  let answerId: string | undefined;

  function note(chunk: UiChunk): void {
    if (chunk.type === "start") answerId = chunk.messageId ?? answerId;
    const name = nameOf(chunk);
    if (name === undefined) return;
    if ("id" in chunk) ids.set(subjectOf(name), String(chunk.id));
    known.set(name, (known.get(name) ?? 0) + sizeOf(chunk));
  }

  function beyond(): (chunk: UiChunk) => UiChunk | undefined {
    const nameOfTold = namer();
    const told = new Map<string, number>();
    return (chunk) => {
      const name = nameOfTold(chunk);
      const had = name === undefined ? undefined : known.get(name);
      if (name === undefined || had === undefined) return withId(chunk, name);
      const at = told.get(name) ?? 0;
      told.set(name, at + sizeOf(chunk));
      const rest = deltaOf(chunk)?.slice(Math.max(0, had - at));
      return rest ? withId(withDelta(chunk, rest), name) : undefined;
    };
  }

  function missing(answer: StoredAnswer): readonly UiChunk[] {
    const isNew = beyond();
    return replayAnswer(answer).flatMap((chunk) => isNew(chunk) ?? []);
  }

  /** A text that was begun goes on under the id it began with. */
  function withId(chunk: UiChunk, name: string | undefined): UiChunk {
    const begun = name === undefined ? undefined : ids.get(subjectOf(name));
    return begun === undefined || !("id" in chunk) ? chunk : ({ ...chunk, id: begun } as UiChunk);
  }

  return { note, answerId: () => answerId, beyond, missing };
}

const sizeOf = (chunk: UiChunk): number => deltaOf(chunk)?.length ?? 1;

const subjectOf = (name: string): string => name.replace(/:.*$/, "");

/** Names chunks in the order in which they come; undefined for what a stored answer never has. */
function namer(): (chunk: UiChunk) => string | undefined {
  const counts = new Map<string, number>();
  const open = new Map<string, string>();
  const next = (kind: string): string => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return `${kind}-${count}`;
  };
  const begin = (key: string, kind: string): string => {
    const name = next(kind);
    open.set(key, name);
    return name;
  };
  return (chunk) => {
    if ("id" in chunk && /^(?:text|reasoning)-/.test(chunk.type)) {
      const [kind = "", event = ""] = chunk.type.split("-");
      const key = `${kind} ${chunk.id}`;
      if (event === "start") return `${begin(key, kind)}:start`;
      const name = open.get(key) ?? begin(key, kind);
      return event === "delta" ? name : `${name}:end`;
    }
    if (/^tool-output-/.test(chunk.type)) return `output ${String(chunk.toolCallId)}`;
    if (/^tool-input-(?:available|error)$/.test(chunk.type)) {
      return `input ${String(chunk.toolCallId)}`;
    }
    if (chunk.type === "tool-approval-request") return `approval ${chunk.toolCallId}`;
    if (chunk.type === "start") return "start";
    if (/^(?:finish|abort|error)$/.test(chunk.type)) return "end";
    return ["start-step", "file", "source-url"].includes(chunk.type) ? next(chunk.type) : undefined;
  };
}
