/** What is said above a text that was read: where it was cut, and how its lines end. */
import type { LoadedRange } from "@galley/assemble";

type Shown = Extract<LoadedRange, { kind: "range" }>;

type Asked = { readonly start_line?: number | undefined };

/** Undefined when everything that was asked for is there. */
export function cutNote({ bytes, shown, note }: Shown, asked: Asked): string | undefined {
  // What a range is over, it was cut at; what the file ends at is no cut.
  if (!note?.includes("is over")) return undefined;
  if (shown.unit === "byte") return `cut: start_byte ${shown.end} goes on`;
  if (!note.startsWith("cut inside")) return `cut: start_line ${shown.end + 1} goes on`;
  const isFirst = (asked.start_line ?? 1) === 1;
  const goOn = isFirst ? `start_byte ${bytes.length} goes on` : "a range of bytes shows the rest";
  return `cut inside line ${shown.end}: ${goOn}`;
}

/** What the eye does not see and an edit has to know. */
export function endNotes(text: string, { shown, note }: Shown): readonly string[] {
  const isEnd = shown.unit !== "byte" && shown.end === shown.total && !note?.includes("is over");
  return [
    ...(text.includes("\r\n") ? ["lines end with CRLF"] : []),
    ...(isEnd && !text.endsWith("\n") ? ["no line break at the end"] : []),
  ];
}
