/**
 * What a model takes, as the compositor asks it: the types that the model lists and its protocol
 * can carry, in the spelling of the sniffer.
 */
import type { MediaTaker } from "@galley/compose";
import { acceptsMedia, type ModelProfile } from "@galley/shape";
import { protocolOf } from "../pipeline/protocols.ts";

/** Every type that bytes can be treated as and that a provider may take. */
const ROUTED = [
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
  "image/heic",
  "image/heif",
  "image/tiff",
  "image/bmp",
  "image/jp2",
  "image/x-icon",
  "image/vnd.adobe.photoshop",
  "application/pdf",
  "audio/wav",
  "audio/mpeg",
  "audio/aac",
  "audio/flac",
  "audio/ogg",
  "audio/opus",
  "audio/aiff",
  "audio/amr",
  "audio/mp4",
  "audio/x-m4a",
  "audio/webm",
  "video/mp4",
  "video/x-m4v",
  "video/webm",
  "video/x-matroska",
  "video/ogg",
  "video/quicktime",
  "video/3gpp",
  "video/x-msvideo",
  "video/x-flv",
  "video/mpeg",
] as const;

export function mediaTaker(profile: ModelProfile): MediaTaker {
  const protocol = protocolOf(profile);
  const accepts = ROUTED.filter((mime) => protocol.encodes(mime) && acceptsMedia(profile, mime));
  return { accepts, ...(profile.limits && { limits: profile.limits }) };
}
