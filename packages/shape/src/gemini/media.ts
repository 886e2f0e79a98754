/**
 * Media types as Gemini spells them, and where it takes them.
 *
 * The catalogue's list is the documented one and holds Gemini's names (`audio/mp3`, `video/mov`);
 * the bytes were sniffed under the registered ones. Which types one model takes is its profile's.
 */
import { GEMINI_ACCEPTS } from "../catalogue/gemini.ts";
import { mediaSpelling } from "../catalogue/lookup.ts";

/** The name for the wire; nothing when Gemini has no form for the type. */
export const mediaName = (mime: string): string | undefined =>
  mediaSpelling({ accepts: GEMINI_ACCEPTS }, mime);

/** What a function response takes as parts of its own; other media stand beside it. */
const INSIDE = new Set(["image/png", "image/jpeg", "image/webp", "application/pdf"]);

export const answersInside = (mime: string): boolean => INSIDE.has(mime);

/** What the model's own turn may hold: the formats in which it answers with a picture. */
const ANSWERED = new Set(["image/png", "image/jpeg", "image/webp"]);

export const answeredBefore = (mime: string): boolean => ANSWERED.has(mime);
