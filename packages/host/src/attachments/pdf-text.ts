/**
 * How many pages a PDF has and what is written on them, up to a number of characters.
 *
 * A PDF is a program of sorts; it is read in a process of its own, with a clock and a bound on memory.
 */
import { runBounded, WORK_LIMITS, type WorkLimits } from "./bounded-process.ts";
import type { PdfInput } from "./pdf-job.ts";
import { type Source, wholeOf } from "./source.ts";
import type { Tried } from "./tried.ts";

export type PdfText = {
  /** Of the whole document. */
  readonly pages: number;
  /** The pages that were read, in order; the last may be cut. */
  readonly texts: readonly { readonly page: number; readonly text: string }[];
  /** Where reading stopped, and the page to go on from; absent when everything asked for is here. */
  readonly cut?: { readonly page: number; readonly chars: number };
};

export type PdfOptions = {
  /** 1-based, both ends included. */
  readonly from?: number;
  readonly to?: number;
  /** Of all texts together. */
  readonly maxChars?: number;
  readonly maxBytes?: number;
  readonly limits?: WorkLimits;
};

const MAX_CHARS = 200_000;
const MAX_BYTES = 64 * 1024 * 1024;

export async function pdfText(source: Source, options: PdfOptions = {}): Promise<Tried<PdfText>> {
  const bytes = await wholeOf(source, options.maxBytes ?? MAX_BYTES);
  if (!bytes.ok) return bytes;
  const input: PdfInput = {
    bytes: bytes.value,
    from: Math.max(1, Math.trunc(options.from ?? 1)),
    to: options.to ?? Number.MAX_SAFE_INTEGER,
    maxChars: options.maxChars ?? MAX_CHARS,
  };
  const module = new URL("./pdf-job.ts", import.meta.url);
  return runBounded<PdfText>(module, input, options.limits ?? WORK_LIMITS);
}
