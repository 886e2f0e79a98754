/**
 * Images and files of OpenAI requests, which travel as data URLs.
 *
 * Documented image types: PNG, JPEG, WEBP and non-animated GIF. Bytes that are another supported type
 * than declared are refused here although OpenAI is not known to: on our side that is always a bug.
 */
import { isAnimatedGif } from "@galley/parts";
import { decodeBase64, examine, type Media, readDataUrl } from "../media.ts";
import type { RehearsalModel } from "../model.ts";
import type { Complaint } from "../refuse.ts";
import { invalid } from "./complain.ts";

export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

const EXAMPLE = "(e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU=')";

export function refuseImageUrl(
  url: string,
  param: string,
  model: RehearsalModel,
): Complaint | undefined {
  if (/^https?:\/\/\S+$/.test(url)) return undefined;
  const data = readDataUrl(url);
  if (!data) {
    return invalid(
      `Invalid '${param}'. Expected a valid URL or a base64-encoded data URL with an image MIME type ${EXAMPLE}, but got a value with an invalid format.`,
      param,
      "invalid_value",
    );
  }
  if (!IMAGE_TYPES.includes(data.mediaType)) {
    return invalid(
      `Invalid '${param}'. Expected a base64-encoded data URL with an image MIME type ${EXAMPLE}, but got unsupported MIME type '${data.mediaType}'.`,
      param,
      "invalid_value",
    );
  }
  if (model.accepts && !model.accepts.includes(data.mediaType)) {
    return invalid("Invalid content type. image_url is only supported by certain models.", param);
  }
  const bytes = decodeBase64(data.base64);
  if (!bytes || bytes.byteLength === 0) {
    return invalid("Invalid base64 image_url.", param, "invalid_base64_image");
  }
  return refuseBytes(examine(bytes), data.mediaType, param);
}

function refuseBytes(
  { bytes, sniffed }: Media,
  declared: string,
  param: string,
): Complaint | undefined {
  if (!sniffed || !IMAGE_TYPES.includes(sniffed)) {
    return invalid(
      "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
      param,
      "invalid_image_format",
    );
  }
  if (sniffed === "image/gif" && isAnimatedGif(bytes)) {
    return invalid("Animated GIFs are not supported.", param, "invalid_image_format");
  }
  return sniffed === declared
    ? undefined
    : invalid(
        `The image was declared as '${declared}', but its bytes are '${sniffed}'.`,
        param,
        "invalid_image_format",
      );
}

/** A `file_data` data URL; `accepts` says which MIME types the endpoint reads. */
export function refuseFileData(
  fileData: string,
  param: string,
  accepts: (mediaType: string) => boolean,
): Complaint | undefined {
  const data = readDataUrl(fileData);
  const expected = `Invalid '${param}'. Expected a base64-encoded data URL with an application/pdf MIME type (e.g. 'data:application/pdf;base64,aW1nIGJ5dGVzIGhlcmU=')`;
  if (!data) {
    return invalid(
      `${expected}, but got a value without the 'data:' prefix.`,
      param,
      "invalid_value",
    );
  }
  if (!accepts(data.mediaType)) {
    return invalid(
      `${expected}, but got unsupported MIME type '${data.mediaType}'.`,
      param,
      "invalid_value",
    );
  }
  const bytes = decodeBase64(data.base64);
  if (!bytes || bytes.byteLength === 0) {
    return invalid(
      `Invalid '${param}'. The file data is not valid base64.`,
      param,
      "invalid_value",
    );
  }
  const isPdf = examine(bytes).sniffed === "application/pdf";
  return data.mediaType === "application/pdf" && !isPdf
    ? invalid(`Invalid '${param}'. The file is not a valid PDF.`, param, "invalid_value")
    : undefined;
}
