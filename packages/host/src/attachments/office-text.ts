/**
 * The text of a document, presentation or spreadsheet in one of the zipped XML formats (docx, pptx,
 * xlsx, odt, odp, ods), read in a process of its own, with a clock and a bound on memory.
 */
import { runBounded, WORK_LIMITS, type WorkLimits } from "./bounded-process.ts";
import type { OfficeKind } from "./office-format.ts";
import type { OfficeInput } from "./office-job.ts";
import type { OfficeSection } from "./office-sheet.ts";
import type { Source } from "./source.ts";
import type { Tried } from "./tried.ts";

export type OfficeText = {
  readonly kind: OfficeKind;
  /** The document and its notes, the slides, the sheets; the last may be cut. */
  readonly sections: readonly OfficeSection[];
  /** Characters that are not here, and sections of which nothing is. */
  readonly cut?: { readonly chars: number; readonly sections: number };
};

export type OfficeOptions = {
  readonly maxChars?: number;
  /** Of XML, as it comes out of the archive. */
  readonly maxBytes?: number;
  readonly limits?: WorkLimits;
};

const MAX_CHARS = 200_000;
const MAX_BYTES = 64 * 1024 * 1024;

export function officeText(
  source: Source,
  options: OfficeOptions = {},
): Promise<Tried<OfficeText>> {
  const input: OfficeInput = {
    source,
    maxChars: options.maxChars ?? MAX_CHARS,
    maxBytes: options.maxBytes ?? MAX_BYTES,
  };
  const module = new URL("./office-job.ts", import.meta.url);
  return runBounded<OfficeText>(module, input, options.limits ?? WORK_LIMITS);
}
