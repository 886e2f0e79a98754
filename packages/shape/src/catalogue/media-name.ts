/**
 * One name for a media type that has several.
 *
 * A sniffer says `audio/mpeg`, a provider's list says `audio/mp3`, and they mean the same bytes.
 * Names are compared in one spelling here; what goes on the wire stays in the provider's.
 */

const SAME: ReadonlyMap<string, string> = new Map([
  ["image/jpg", "image/jpeg"],
  ["image/pjpeg", "image/jpeg"],
  ["image/x-png", "image/png"],
  ["application/x-pdf", "application/pdf"],
  ["audio/mp3", "audio/mpeg"],
  ["audio/x-mp3", "audio/mpeg"],
  ["audio/mpeg3", "audio/mpeg"],
  ["audio/wave", "audio/wav"],
  ["audio/x-wav", "audio/wav"],
  ["audio/vnd.wave", "audio/wav"],
  ["audio/x-aiff", "audio/aiff"],
  ["audio/x-aac", "audio/aac"],
  ["audio/x-flac", "audio/flac"],
  ["video/mov", "video/quicktime"],
  ["video/avi", "video/x-msvideo"],
  ["video/msvideo", "video/x-msvideo"],
  ["video/flv", "video/x-flv"],
  ["video/mpg", "video/mpeg"],
  ["video/mpegs", "video/mpeg"],
  ["video/wmv", "video/x-ms-wmv"],
]);

/** Lower case, without parameters. */
export const bareMedia = (mime: string): string =>
  mime.split(";", 1)[0]?.trim().toLowerCase() ?? "";

/** Bare, under the name that is registered or most used. */
export function canonicalMedia(mime: string): string {
  const bare = bareMedia(mime);
  return SAME.get(bare) ?? bare;
}
