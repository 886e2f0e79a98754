/**
 * An attached picture made to fit a model: as it is, derived from the original, or told of.
 *
 * A derived picture names what it comes from, by hash, size and dimensions, and says what was done,
 * so that nobody takes it for the original. The original is never replaced.
 */
import { createHash } from "node:crypto";
import { ATTACHMENT_LIMITS, deliverBytes, type MediaTaker } from "@galley/compose";
import type { PartOf } from "@galley/parts";
import { type ScaledPicture, scalePicture } from "./scale-picture.ts";
import type { Sharp } from "./sharp-module.ts";
import type { Tried } from "./tried.ts";

type Attachment = PartOf<"file-attachment">;

export type Fitted =
  /** The model takes it, or is given its text. */
  | { readonly kind: "as-is" }
  | { readonly kind: "derived"; readonly part: Attachment }
  | { readonly kind: "told"; readonly reason: string; readonly mend?: string };

/** What can be decoded here. */
const DECODED = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/tiff",
  "image/avif",
]);

export async function fitAttachment(
  part: Attachment,
  bytes: Uint8Array,
  taker: MediaTaker,
  load?: () => Promise<Tried<Sharp>>,
): Promise<Fitted> {
  if (part.delivery === "descriptor") {
    return { kind: "told", reason: part.reason ?? "it is to be named only" };
  }
  const { delivery, mime = "", reason = "" } = deliverBytes(bytes, part.mime, taker);
  if (delivery !== "descriptor") return { kind: "as-is" };
  if (!DECODED.has(mime)) return { kind: "told", reason };
  const maxPixels = ATTACHMENT_LIMITS.pixels;
  const limits = taker.limits ?? {};
  const made = await scalePicture(bytes, { limits, maxPixels, ...(load && { load }) });
  if (!made.ok) {
    const { mend } = made;
    return { kind: "told", reason: `${reason}; ${made.reason}`, ...(mend && { mend }) };
  }
  const again = deliverBytes(made.value.bytes, made.value.mime, taker);
  if (again.delivery !== "native") return { kind: "told", reason: again.reason ?? reason };
  return { kind: "derived", part: derivedPart(part, bytes, mime, made.value) };
}

function derivedPart(
  part: Attachment,
  original: Uint8Array,
  mime: string,
  { bytes, mime: written, width, height, from, notes }: ScaledPicture,
): Attachment {
  return {
    type: "file-attachment",
    name: part.name,
    mime: written,
    size: bytes.length,
    data: Buffer.from(bytes).toString("base64"),
    width,
    height,
    derived_from: {
      sha256: createHash("sha256").update(original).digest("hex"),
      mime,
      size: original.length,
      ...from,
    },
    notes: [...notes],
  };
}
