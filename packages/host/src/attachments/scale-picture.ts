/**
 * A picture made smaller: upright, in a size that fits, in as few bytes as are allowed.
 *
 * Sides are reduced first, then what a pixel costs, then sides again. Each try starts from the
 * original, so that losses do not add up, and their number is bounded.
 */
import type { TakerLimits } from "@galley/compose";
import { loadSharp, type Picture, type Sharp } from "./sharp-module.ts";
import { attempt, done, failed, type Tried } from "./tried.ts";

export type ScaledPicture = {
  readonly bytes: Uint8Array;
  readonly mime: "image/png" | "image/jpeg" | "image/webp";
  readonly width: number;
  readonly height: number;
  /** Of the original, upright. */
  readonly from: { readonly width: number; readonly height: number };
  /** What was done, a sentence each. */
  readonly notes: readonly string[];
};

export type ScaleOptions = {
  readonly limits: TakerLimits;
  /** Width times height; a picture that claims more is not decoded. */
  readonly maxPixels: number;
  readonly load?: () => Promise<Tried<Sharp>>;
};

const TRIES = 8;
const SHRINK = 0.8;
const SECONDS = 30;

type Encoding = {
  readonly mime: ScaledPicture["mime"];
  readonly encode: (picture: Picture) => Picture;
};

const png: Encoding = {
  mime: "image/png",
  encode: (picture) => picture.png({ compressionLevel: 9 }),
};
const jpeg = (quality: number): Encoding => ({
  mime: "image/jpeg",
  encode: (picture) => picture.jpeg({ quality }),
});
const webp: Encoding = { mime: "image/webp", encode: (picture) => picture.webp({ quality: 82 }) };

export async function scalePicture(
  bytes: Uint8Array,
  { limits, maxPixels, load = loadSharp }: ScaleOptions,
): Promise<Tried<ScaledPicture>> {
  const loaded = await load();
  if (!loaded.ok) return loaded;
  return attempt("the picture cannot be decoded", async () => {
    const open = (): Picture => {
      const options = { limitInputPixels: maxPixels, failOn: "error", pages: 1 } as const;
      return loaded.value(bytes, options).timeout({ seconds: SECONDS });
    };
    const facts = await open().metadata();
    const from = facts.autoOrient ?? { width: facts.width ?? 0, height: facts.height ?? 0 };
    const found = await firstThatFits(open, from, encodingsFor(facts), limits);
    if (found === undefined) return failed("it cannot be made small enough for the model");
    return done({ ...found, from, notes: notesOf(facts, from, found) });
  });
}

/** A screenshot is small as PNG and a photograph is not; what it was written as tells which. */
function encodingsFor({ format, hasAlpha }: Facts): readonly Encoding[] {
  const lossy = hasAlpha ? [webp] : [jpeg(88), jpeg(72)];
  return format === "png" || format === "gif" ? [png, ...lossy] : lossy;
}

type Facts = Awaited<ReturnType<Picture["metadata"]>>;
type Size = { readonly width: number; readonly height: number };
type Found = Omit<ScaledPicture, "from" | "notes">;

async function firstThatFits(
  open: () => Picture,
  from: Size,
  encodings: readonly Encoding[],
  limits: TakerLimits,
): Promise<Found | undefined> {
  let size = fittingSize(from, limits);
  for (let attempts = 0; attempts < TRIES; attempts += 1) {
    for (const { mime, encode } of encodings) {
      const upright = open()
        .autoOrient()
        .resize({ ...size, fit: "fill" });
      const { data, info } = await encode(upright).toBuffer({ resolveWithObject: true });
      if (limits.imageBytes === undefined || data.length <= limits.imageBytes) {
        return { bytes: data, mime, width: info.width, height: info.height };
      }
    }
    size = scaled(size, SHRINK);
  }
  return undefined;
}

const scaled = ({ width, height }: Size, by: number): Size => ({
  width: Math.max(1, Math.round(width * by)),
  height: Math.max(1, Math.round(height * by)),
});

/** The largest size of the same form that keeps to the limits on sides and patches. */
export function fittingSize(from: Size, { imageEdge, imagePatches }: TakerLimits): Size {
  const longest = Math.max(from.width, from.height);
  let size =
    imageEdge !== undefined && longest > imageEdge ? scaled(from, imageEdge / longest) : from;
  while (imagePatches !== undefined && patchesOf(size, imagePatches.size) > imagePatches.count) {
    size = scaled(size, 0.97);
  }
  return size;
}

const patchesOf = ({ width, height }: Size, edge: number): number =>
  Math.ceil(width / edge) * Math.ceil(height / edge);

function notesOf(facts: Facts, from: Size, to: Found): readonly string[] {
  const { pages = 1, orientation = 1 } = facts;
  const isSmaller = to.width !== from.width || to.height !== from.height;
  return [
    isSmaller
      ? `scaled from ${from.width} × ${from.height} to ${to.width} × ${to.height} pixels`
      : `kept at ${from.width} × ${from.height} pixels and written anew as ${to.mime}`,
    ...(orientation > 1 ? ["turned upright"] : []),
    ...(pages > 1 ? [`the first of ${pages} frames`] : []),
  ];
}
