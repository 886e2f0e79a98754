/**
 * A message as the store would keep it: large attachments leave their row for a blob, and the row
 * names them by their hash. Nothing is written here.
 */
import { base64Size, isPart, type PartOf, type UserMessage, type UserPart } from "@galley/parts";
import { type Blobs, sha256 } from "../workspace/loader.ts";

/** Bytes of one attachment, and of all that stay in their rows. */
const INLINE_PART = 1024 * 1024;
const INLINE_TOTAL = 20 * 1024 * 1024;

export type Persisted = { readonly message: UserMessage; readonly blobs: Blobs };

export function persisted(message: UserMessage): Persisted {
  const blobs = new Map<string, Uint8Array>();
  let inline = 0;
  const parts = message.parts.map((part): UserPart => {
    if (!isPart(part) || part.type !== "file-attachment" || part.data === undefined) return part;
    const size = base64Size(part.data);
    if (size <= INLINE_PART && inline + size <= INLINE_TOTAL) {
      inline += size;
      return part;
    }
    const bytes = Buffer.from(part.data, "base64");
    const content_id = `sha256:${sha256(bytes)}`;
    blobs.set(content_id, bytes);
    return withoutData(part, bytes.length, content_id);
  });
  return { message: { ...message, parts }, blobs };
}

function withoutData(
  { data: _, ...part }: PartOf<"file-attachment">,
  bytes: number,
  content_id: string,
): PartOf<"file-attachment"> {
  return {
    ...part,
    type: "file-attachment",
    name: part.name,
    mime: part.mime,
    size: part.size ?? bytes,
    content_id,
  };
}
