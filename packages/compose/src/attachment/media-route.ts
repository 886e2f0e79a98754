/**
 * Which type a file is treated as: what its bytes say, made finer by what is claimed where bytes
 * leave room. A claim alone never makes a file a picture.
 *
 * The compositor needs this before a message is sent, to say what will become of an attachment;
 * lowering decides it again from the stored part, by the same rule.
 */
import { type MediaClass, mediaClass, sniffMedia } from "@galley/parts";

/** Undefined when the bytes match nothing known. */
export function routedMedia(bytes: Uint8Array, claim?: string): string | undefined {
  const sniffed = sniffMedia(bytes);
  return sniffed === undefined ? undefined : refined(sniffed, claim);
}

export function refined(sniffed: string, claim: string | undefined): string {
  const claimed = claim === undefined ? undefined : bareType(claim);
  if (claimed === undefined || claimed === sniffed) return sniffed;
  if (sniffed === "text/plain") return mediaClass(claimed) === "text" ? claimed : sniffed;
  return CONTAINERS.get(sniffed)?.test(claimed) ? claimed : sniffed;
}

/** Lower case, without parameters. */
export const bareType = (mime: string): string => mime.toLowerCase().split(";")[0]?.trim() ?? "";

/** Containers whose content only the claim tells. */
const CONTAINERS: ReadonlyMap<string, RegExp> = new Map([
  ["application/zip", /^application\/(vnd\.(openxmlformats|oasis)|epub|java-archive)/],
  ["application/x-cfb", /^application\/(msword|vnd\.ms-)/],
  ["video/webm", /^(audio\/webm|video\/x-matroska)$/],
  ["audio/ogg", /^(video\/ogg|audio\/opus)$/],
  ["video/mp4", /^(audio\/mp4|audio\/x-m4a|video\/x-m4v)$/],
]);

const OPEN_XML = "application/vnd.openxmlformats-officedocument";
const OASIS = "application/vnd.oasis.opendocument";

const BY_ENDING: ReadonlyMap<string, string> = new Map([
  ["docx", `${OPEN_XML}.wordprocessingml.document`],
  ["pptx", `${OPEN_XML}.presentationml.presentation`],
  ["xlsx", `${OPEN_XML}.spreadsheetml.sheet`],
  ["odt", `${OASIS}.text`],
  ["odp", `${OASIS}.presentation`],
  ["ods", `${OASIS}.spreadsheet`],
  ["epub", "application/epub+zip"],
  ["jar", "application/java-archive"],
  ["doc", "application/msword"],
  ["ppt", "application/vnd.ms-powerpoint"],
  ["xls", "application/vnd.ms-excel"],
  ["m4a", "audio/mp4"],
  ["mkv", "video/x-matroska"],
  ["weba", "audio/webm"],
  ["opus", "audio/opus"],
]);

const VAGUE = new Set(["", "application/octet-stream", "application/zip"]);

/** Said by surfaces that do not know, or see only the container. */
export const isVague = (declared: string | undefined): boolean =>
  declared === undefined || VAGUE.has(bareType(declared));

/** What the ending of a name stands for, of the formats that bytes alone do not tell apart. */
export function endingType(name: string): string | undefined {
  return BY_ENDING.get(/\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? "");
}

/** Pictures that some provider takes; any other picture is a file like others. */
const SHOWN = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/heic",
  "image/heif",
]);

/** The class of the compositor's table. */
export function attachmentClass(mime: string | undefined): MediaClass {
  if (mime === undefined) return "binary";
  const found = mediaClass(mime);
  return found === "image" && !SHOWN.has(mime) ? "binary" : found;
}
