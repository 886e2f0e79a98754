/**
 * The image library, where it is installed. It is an optional dependency with a binary for each
 * system, so it is looked for when it is first needed, and its absence is a reason, not an error.
 */
import { failed, type Tried, wordsOf } from "./tried.ts";

/** The part of the library that is used here. */
export interface Picture {
  metadata(): Promise<{
    readonly format?: string;
    readonly width?: number;
    readonly height?: number;
    /** Frames, or pages. */
    readonly pages?: number;
    readonly hasAlpha?: boolean;
    readonly orientation?: number;
    /** The size once it stands upright. */
    readonly autoOrient?: { readonly width: number; readonly height: number };
  }>;
  autoOrient(): Picture;
  resize(options: { width: number; height: number; fit: "fill" }): Picture;
  png(options: { compressionLevel: number }): Picture;
  jpeg(options: { quality: number }): Picture;
  webp(options: { quality: number }): Picture;
  timeout(options: { seconds: number }): Picture;
  toBuffer(options: { resolveWithObject: true }): Promise<{
    readonly data: Uint8Array;
    readonly info: { readonly width: number; readonly height: number };
  }>;
}

export type Sharp = (
  bytes: Uint8Array,
  options: { limitInputPixels: number; failOn: "error"; pages: 1 },
) => Picture;

export const SHARP_MEND = "npm install sharp@0.35.5 makes it able to";

export async function loadSharp(name = "sharp"): Promise<Tried<Sharp>> {
  try {
    // By a name that is not a literal: an optional package may have no types either.
    const { default: sharp } = (await import(name)) as { default: Sharp };
    return { ok: true, value: sharp };
  } catch (error) {
    const isAbsent = (error as { code?: unknown }).code === "ERR_MODULE_NOT_FOUND";
    const why = isAbsent ? "it is not installed" : wordsOf(error);
    return failed(`pictures cannot be made smaller here: sharp cannot be used, ${why}`, SHARP_MEND);
  }
}
