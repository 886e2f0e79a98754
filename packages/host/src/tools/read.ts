/**
 * The tool that reads text: whole, or by a range of lines or bytes, up to a cap.
 *
 * The text is plain, without line numbers in it, so that what is copied from it is what the file
 * holds; which lines they are is in the line above. What is no text is refused with what it is and
 * the tool that opens it.
 */
import { reachFor } from "@galley/compose";
import { mediaClass, type Range, SNIFF_BYTES } from "@galley/parts";
import { descriptorText, fence } from "@galley/shape";
import type { Tool, ToolOutput } from "@galley/turn";
import { z } from "zod";
import { mediaOf } from "../workspace/media-name.ts";
import { readRange } from "../workspace/read-range.ts";
import { defineTool, refuse, say } from "./define-tool.ts";
import { cutNote, endNotes } from "./read-notes.ts";
import { subjectOf, TARGET_FIELDS, type Target, type ToolPlaces, withTarget } from "./target.ts";

const MOST_BYTES = 200 * 1024;
/** A range far into a file that does not fit memory takes as long as the disk does. */
const LONGEST_MS = 30_000;

const LINE = z.int().min(1).optional();
const BYTE = z.int().min(0).optional();

const INPUT = z.strictObject({
  ...TARGET_FIELDS,
  start_line: LINE.describe("The first line, counted from 1; the first of the file unless said."),
  end_line: LINE.describe("The last line, itself included; the last of the file unless said."),
  start_byte: BYTE.describe("The first byte, counted from 0: for a line that is too long."),
  end_byte: BYTE.describe("The byte after the last; the end of the file unless said."),
});
type Input = z.infer<typeof INPUT>;

export const readTool = (places: ToolPlaces, maxBytes: number = MOST_BYTES): Tool =>
  defineTool({
    name: "read",
    description: `Reads a text file, whole or by a range of lines or bytes, at most ${maxBytes} bytes a call; what was cut is said, with the range that goes on. The text stands in a code fence as the file holds it, without line numbers. Use it before you change a file and for anything that is only named to you. It reads text alone: pictures, PDF, office files, archives and sound have tools of their own, which a refusal names. It lists no directories: glob does.`,
    input: INPUT,
    parallel: true,
    subject: subjectOf,
    run: (input, context) => {
      const signal = AbortSignal.any([context.signal, AbortSignal.timeout(LONGEST_MS)]);
      return withTarget(places, { ...context, signal }, input, (target) =>
        readText(target, input, maxBytes),
      );
    },
  });

async function readText(target: Target, input: Input, maxBytes: number): Promise<ToolOutput> {
  const range = rangeOf(input);
  if (typeof range === "string") return refuse(range);
  const head = await headOf(target);
  if (head.length === 0) return say(`File ${target.name} is empty.`);
  const mime = mediaOf(target.name, head);
  if (mediaClass(mime) !== "text") return binary(target, mime);
  const loaded = await readRange(target, range, maxBytes);
  if (loaded.kind === "unavailable") return refuse(`cannot read ${target.name}: ${loaded.reason}`);
  const text = decode(loaded.bytes, range.unit === "byte");
  if (text === undefined) return binary(target, undefined);
  const cut = cutNote(loaded, input);
  const notes = [shownText(loaded.shown), ...endNotes(text, loaded), cut].filter(Boolean);
  return say(`File ${target.name} (${notes.join("; ")}):\n${fence(text)}`, cut !== undefined);
}

function rangeOf(input: Input): Range | string {
  const { start_line, end_line, start_byte, end_byte } = input;
  const byLines = start_line !== undefined || end_line !== undefined;
  if (start_byte === undefined && end_byte === undefined) {
    const range = { start: start_line ?? 1, end: end_line ?? Number.MAX_SAFE_INTEGER };
    return range.end < range.start ? "end_line is before start_line" : range;
  }
  if (byLines) return "give a range of lines or of bytes, not both";
  const start = start_byte ?? 0;
  const end = end_byte ?? Number.MAX_SAFE_INTEGER;
  return end <= start ? "end_byte is not after start_byte" : { start, end, unit: "byte" };
}

async function headOf(target: Target): Promise<Uint8Array> {
  for await (const chunk of target.chunks(0, SNIFF_BYTES)) return chunk.slice();
  return new Uint8Array();
}

function binary({ name, size }: Target, mime: string | undefined): ToolOutput {
  const reason =
    mime === undefined ? "it starts as text and goes on as something else" : "not text";
  const type = mime ?? "application/octet-stream";
  return refuse(
    descriptorText({ what: "file", name, mime: type, size, reason, reach: reachFor(type) }),
  );
}

/** Undefined for what is no UTF-8 text. The ends of a range of bytes may lie inside a character. */
function decode(bytes: Uint8Array, isByteRange: boolean): string | undefined {
  if (bytes.includes(0)) return undefined;
  const isInside = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;
  let from = 0;
  while (isByteRange && from < 3 && isInside(bytes[from])) from += 1;
  const longestCut = isByteRange ? 3 : 0;
  for (let back = 0; back <= longestCut; back += 1) {
    try {
      const whole = bytes.subarray(from, bytes.length - back);
      return new TextDecoder("utf-8", { fatal: true }).decode(whole);
    } catch {
      // The one way a fatal decode fails: these bytes are not UTF-8, as far as they go.
    }
  }
  return undefined;
}

function shownText({ start, end, unit, total }: Range & { readonly total?: number }): string {
  const of = total === undefined ? "" : ` of ${total}`;
  return unit === "byte"
    ? `bytes ${start} to ${end}${of}, end not included`
    : `lines ${start} to ${end}${of}`;
}
