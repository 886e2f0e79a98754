/**
 * One id for one tool call in an answer, and a name that a row can hold. Some servers count their
 * calls anew in every step, and a call that shares its id with an earlier one would take that one's
 * place in the store. Others send what no column and no address takes: nothing, half a character, a
 * book. A call under such an id could be neither answered nor dismissed.
 */
import type { UiChunk } from "@galley/parts";

/** For the chunks of one try; `used` holds the ids of the whole answer, and grows. */
export function ownCallIds(used: Set<string>): (chunk: UiChunk) => UiChunk {
  /** By the id that the provider gave: the last call under it. */
  const calls = new Map<string, { readonly id: string; readonly writing: boolean }>();

  function begin(given: string, writing: boolean): string {
    const known = calls.get(given);
    const id = known?.writing ? known.id : freeId(given, used);
    used.add(id);
    calls.set(given, { id, writing });
    return id;
  }

  return (chunk) => {
    if (!("toolCallId" in chunk)) return chunk;
    // A server may have left it out, whatever the type says.
    const given = String(chunk.toolCallId ?? "");
    const toolCallId = BEGINS.has(chunk.type)
      ? begin(given, chunk.type === "tool-input-start")
      : (calls.get(given)?.id ?? mended(given, "call"));
    const named = BEGINS.has(chunk.type) ? withName(chunk as Beginning) : chunk;
    return toolCallId === chunk.toolCallId ? named : { ...named, toolCallId };
  };
}

type Beginning = Extract<
  UiChunk,
  { type: "tool-input-start" | "tool-input-available" | "tool-input-error" }
>;

function withName(chunk: Beginning): Beginning {
  const toolName = mended(String(chunk.toolName ?? ""), "unknown");
  return toolName === chunk.toolName ? chunk : { ...chunk, toolName };
}

/** Longer than any that a provider gives by its own will. */
const LONGEST = 512;

function mended(text: string, empty: string): string {
  const whole = text.slice(0, LONGEST).toWellFormed().replaceAll("\0", "\ufffd");
  return whole === "" ? empty : whole;
}

/** The last two end the writing of an input that began; without a beginning they are it. */
const BEGINS = new Set<UiChunk["type"]>([
  "tool-input-start",
  "tool-input-available",
  "tool-input-error",
]);

function freeId(given: string, used: ReadonlySet<string>): string {
  const stem = mended(given, "call");
  let id = stem;
  for (let count = 2; used.has(id); count += 1) id = `${stem}_${count}`;
  return id;
}
