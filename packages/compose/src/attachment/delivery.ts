/**
 * What a model will be given of an attachment, said before it is sent: its bytes, its text, or a
 * line that names it.
 *
 * It follows the rules of lowering, which decides; a test of the host holds the two together.
 */
import {
  base64Head,
  base64Size,
  decodeBase64,
  IMAGE_HEAD_BYTES,
  imageSize,
  isAnimatedGif,
  mediaClass,
  type PartOf,
  sniffMedia,
} from "@galley/parts";
import { refined } from "./media-route.ts";
import { reachFor } from "./reach.ts";

/** The part of a model's profile that decides over an attachment. */
export type MediaTaker = {
  /** Types as bytes are sniffed (`audio/mpeg`, not `audio/mp3`), or patterns such as `image/*`. */
  readonly accepts: readonly string[];
  readonly limits?: TakerLimits;
};

/** Bytes are those of the file itself. */
export type TakerLimits = {
  readonly imageBytes?: number;
  readonly imageEdge?: number;
  readonly imagePatches?: { readonly size: number; readonly count: number };
  readonly stillOnly?: true;
  readonly pdfBytes?: number;
  readonly requestBytes?: number;
};

export type Delivery = {
  /** `placeholder`: the bytes are not there to be looked at. */
  readonly delivery: "native" | "text" | "descriptor" | "placeholder";
  /** What it is treated as. */
  readonly mime?: string;
  /** Why the model is given less than the bytes. */
  readonly reason?: string;
  /** How the model gets at the content all the same. */
  readonly reach?: string;
};

/** Bytes of text up to which it is written out. */
const TEXT_BYTES = 32 * 1024;
/** Bytes up to which a blob is loaded for a request. */
const LOADED_BYTES = 32 * 1024 * 1024;

/** `bytes` are those of a part that names them by `content_id`. */
export function describeDelivery(
  part: PartOf<"file-attachment">,
  taker: MediaTaker,
  bytes?: Uint8Array,
): Delivery {
  if (part.delivery === "descriptor")
    return told(part.mime, part.reason ?? "it is to be named only");
  if (part.data !== undefined) return ofInline(part.data, part.mime, taker);
  if (part.content_id !== undefined) return ofBlob(part.mime, taker, bytes);
  if (part.url !== undefined) return told(part.mime, "an address is not fetched on its own");
  return told(part.mime, part.reason ?? "it came without its bytes");
}

const told = (mime: string | undefined, reason: string): Delivery => ({
  delivery: "descriptor",
  ...(mime !== undefined && { mime }),
  reason,
  reach: reachFor(mime),
});

function ofBlob(claim: string, taker: MediaTaker, bytes: Uint8Array | undefined): Delivery {
  if (bytes === undefined) return { delivery: "placeholder", reason: "its bytes are not here" };
  const mime = sniffMedia(bytes);
  if (bytes.length > LOADED_BYTES) return told(mime ?? claim, `over ${LOADED_BYTES} bytes`);
  // An empty blob is an empty text, and says so.
  if (bytes.length === 0) return { delivery: "text", mime: "text/plain" };
  // A blob is read as files are, and a file with a zero byte in it is no text.
  if (mime !== undefined && mediaClass(mime) === "text" && bytes.includes(0)) {
    return told(mime, "it starts as text and goes on as something else");
  }
  return deliverBytes(bytes, claim, taker);
}

/** Bytes that need not be there as a whole to be judged. */
type Held = {
  readonly size: number;
  /** As much as lowering looks at for a type and for the size of a picture. */
  readonly head: Uint8Array;
  whole(): Uint8Array;
};

function ofInline(base64: string, claim: string, taker: MediaTaker): Delivery {
  const size = base64Size(base64);
  if (size === 0) return told(claim, "it is empty");
  const head = base64Head(base64, IMAGE_HEAD_BYTES);
  const whole = () => decodeBase64(base64) ?? new Uint8Array();
  return deliver({ size, head, whole }, claim, taker);
}

/** Of bytes that are neither empty nor marked to be told of. */
export const deliverBytes = (bytes: Uint8Array, claim: string, taker: MediaTaker): Delivery =>
  deliver(
    { size: bytes.length, head: bytes.subarray(0, HEAD_BYTES), whole: () => bytes },
    claim,
    taker,
  );

/** What is left of the head when it went through base64, in groups of three. */
const HEAD_BYTES = Math.ceil(IMAGE_HEAD_BYTES / 3) * 3;

function deliver(held: Held, claim: string, taker: MediaTaker): Delivery {
  const sniffed = sniffMedia(held.head);
  if (sniffed === undefined) return told(claim, "its format is not one a model reads");
  const mime = refined(sniffed, claim);
  if (mediaClass(mime) === "text") return ofText(held, mime);
  if (!takes(taker, mime)) return told(mime, `the model does not take ${mime}`);
  const reason = overLimit(held, mime, taker.limits ?? {});
  return reason === undefined ? { delivery: "native", mime } : told(mime, reason);
}

function ofText({ size, whole }: Held, mime: string): Delivery {
  if (size > TEXT_BYTES) return told(mime, `over ${TEXT_BYTES} bytes of text`);
  if (isUtf8(whole())) return { delivery: "text", mime };
  return told(mime, "it starts as text and goes on as something else");
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    // The one way a fatal decode fails: these bytes are not UTF-8.
    return false;
  }
}

const takes = ({ accepts }: MediaTaker, mime: string): boolean =>
  accepts.some((entry) =>
    entry === "*/*" || entry === mime
      ? true
      : entry.endsWith("/*") && mime.startsWith(entry.slice(0, -1)),
  );

function overLimit(held: Held, mime: string, limits: TakerLimits): string | undefined {
  const isPicture = mime.startsWith("image/");
  const most =
    mime === "application/pdf"
      ? limits.pdfBytes
      : isPicture
        ? limits.imageBytes
        : limits.requestBytes;
  if (most !== undefined && held.size > most) return `over the model's limit of ${most} bytes`;
  return isPicture ? pictureProblem(held, mime, limits) : undefined;
}

function pictureProblem(held: Held, mime: string, limits: TakerLimits): string | undefined {
  const { imageEdge, imagePatches, stillOnly } = limits;
  if (stillOnly && mime === "image/gif" && isAnimatedGif(held.whole())) {
    return "the model does not take moving images";
  }
  const size = imageSize(held.head, mime);
  if (size === undefined) return undefined;
  const { width, height } = size;
  const isLong = imageEdge !== undefined && Math.max(width, height) > imageEdge;
  const edge = imagePatches?.size ?? 1;
  const patches = Math.ceil(width / edge) * Math.ceil(height / edge);
  const isMuch = imagePatches !== undefined && patches > imagePatches.count;
  return isLong || isMuch ? `${width} × ${height} pixels, over the model's limit` : undefined;
}
