/** Whether bytes fit a model's published limits; what does not is told of, not sent. */
import { base64Head, IMAGE_HEAD_BYTES, imageSize, isAnimatedGif } from "@galley/parts";
import type { MediaLimits } from "./catalogue/model.ts";

/** Why the limits refuse these bytes; undefined when they do not. */
export function overLimit(
  limits: MediaLimits | undefined,
  mime: string,
  size: number,
  base64: string,
): string | undefined {
  if (!limits) return undefined;
  const bytes = mime === "application/pdf" ? limits.pdfBytes : byteLimit(limits, mime);
  if (bytes !== undefined && size > bytes) return `over the model's limit of ${bytes} bytes`;
  return mime.startsWith("image/") ? pictureProblem(limits, mime, base64) : undefined;
}

const byteLimit = (limits: MediaLimits, mime: string): number | undefined =>
  mime.startsWith("image/") ? limits.imageBytes : limits.requestBytes;

function pictureProblem(limits: MediaLimits, mime: string, base64: string): string | undefined {
  const size = imageSize(base64Head(base64, IMAGE_HEAD_BYTES), mime);
  if (
    size &&
    limits.imageEdge !== undefined &&
    Math.max(size.width, size.height) > limits.imageEdge
  ) {
    return `${size.width} × ${size.height} pixels, over the model's limit of ${limits.imageEdge} a side`;
  }
  if (size && limits.imagePatches) {
    const { size: edge, count } = limits.imagePatches;
    const patches = Math.ceil(size.width / edge) * Math.ceil(size.height / edge);
    if (patches > count) return `${size.width} × ${size.height} pixels, over the model's limit`;
  }
  if (
    limits.stillOnly &&
    mime === "image/gif" &&
    isAnimatedGif(base64Head(base64, Number.MAX_SAFE_INTEGER))
  ) {
    return "the model does not take moving images";
  }
  return undefined;
}
