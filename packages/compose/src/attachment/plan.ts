/**
 * A file to an attachment, before anything is stored: in the message, beside it as a blob, or
 * refused with a sentence.
 *
 * A session keeps its history, so what no request can carry has to be found here. A file that is
 * too large is refused. A file that is damaged is kept and marked to be told of only, because its
 * bytes may still be what a tool is to look at.
 */
import { type ImageSize, imageSize, type MediaClass, type PartOf } from "@galley/parts";
import { toBase64 } from "../paste.ts";
import { damageOf } from "./damage.ts";
import { ATTACHMENT_LIMITS, type AttachmentLimits, saySize } from "./limits.ts";
import { attachmentClass, bareType, endingType, isVague, routedMedia } from "./media-route.ts";

export type AttachedFile = {
  readonly name: string;
  /** As the surface tells it; may be wrong or absent. */
  readonly mime?: string | undefined;
  readonly bytes: Uint8Array;
  /** Of the bytes, in hex. */
  readonly sha256: string;
};

export type AttachmentFacts = {
  readonly name: string;
  readonly size: number;
  readonly class: MediaClass;
  /** By the bytes; undefined when they match nothing known. */
  readonly mime: string | undefined;
  /** What the surface called it, where that says anything. */
  readonly declared: string | undefined;
  readonly picture?: ImageSize;
  readonly damage?: string;
};

export function attachmentFacts({ name, mime: declared, bytes }: AttachedFile): AttachmentFacts {
  const mime = routedMedia(bytes, isVague(declared) ? endingType(name) : declared);
  const picture = mime === undefined ? undefined : imageSize(bytes, mime);
  const damage = mime === undefined ? undefined : damageOf(bytes, mime);
  return {
    name,
    size: bytes.length,
    class: attachmentClass(mime),
    mime,
    declared: isVague(declared) ? undefined : declared,
    ...(picture && { picture }),
    ...(damage && { damage }),
  };
}

export type PlannedAttachment =
  | {
      readonly route: "inline" | "blob";
      readonly part: PartOf<"file-attachment">;
      readonly facts: AttachmentFacts;
    }
  | {
      readonly route: "refused";
      readonly code: "too-large" | "too-many-pixels" | "name-too-long";
      readonly message: string;
      readonly facts: AttachmentFacts;
    };

/** `inlineSoFar`: bytes of attachments that the session's messages hold already. */
export function planAttachment(
  file: AttachedFile,
  inlineSoFar = 0,
  limits: AttachmentLimits = ATTACHMENT_LIMITS,
): PlannedAttachment {
  const facts = attachmentFacts(file);
  const refusal = refusalOf(facts, limits);
  if (refusal) return { route: "refused", ...refusal, facts };
  const { size, damage } = facts;
  const isInline = size <= limits.inlineBytes && inlineSoFar + size <= limits.sessionInlineBytes;
  const part: PartOf<"file-attachment"> = {
    type: "file-attachment",
    name: file.name === "" ? "unnamed" : file.name,
    ...declaredAs(facts),
    size,
    ...(isInline ? { data: toBase64(file.bytes) } : { content_id: `sha256:${file.sha256}` }),
    ...(damage && { delivery: "descriptor", reason: damage }),
  };
  return { route: isInline ? "inline" : "blob", part, facts };
}

/** What was declared is kept as it came; where the bytes say otherwise, that stands beside it. */
function declaredAs({ declared, mime }: AttachmentFacts): { mime: string; sniffed_mime?: string } {
  const kept = declared ?? mime ?? "application/octet-stream";
  return { mime: kept, ...(mime && mime !== bareType(kept) && { sniffed_mime: mime }) };
}

type Refusal = Pick<Extract<PlannedAttachment, { route: "refused" }>, "code" | "message">;

function refusalOf(facts: AttachmentFacts, limits: AttachmentLimits): Refusal | undefined {
  const { name, size, picture } = facts;
  if (name.length > limits.nameChars) {
    const message = `the name of an attachment has ${name.length} characters; rename the file to at most ${limits.nameChars}`;
    return { code: "name-too-long", message };
  }
  const file = JSON.stringify(name);
  if (size > limits.bytes) {
    const message = `${file} has ${saySize(size)}, and an attachment at most ${saySize(limits.bytes)}: put it into the workspace and refer to it by its path`;
    return { code: "too-large", message };
  }
  if (picture === undefined) return undefined;
  const { width, height } = picture;
  if (width * height <= limits.pixels && Math.max(width, height) <= limits.edge) return undefined;
  const message = `${file} claims ${width} × ${height} pixels, and a picture has at most ${limits.pixels} in all and ${limits.edge} a side: attach a smaller one`;
  return { code: "too-many-pixels", message };
}
