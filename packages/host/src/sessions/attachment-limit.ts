/**
 * The limit on one attachment, held against the parts of a message whatever way they came: with
 * their bytes, or as the name of bytes that are stored already. What is kept once is read with every
 * request.
 */
import { base64Size, isPart, type UserPart } from "@galley/parts";
import type { Store } from "@galley/persist";
import { HostError } from "../host-error.ts";

export type AttachmentLimit = {
  /** Bytes. */
  readonly limit: number;
  readonly store: Pick<Store, "blobs">;
};

/** Before anything has happened. Parts that are no attachments, of any shape, are passed over. */
export async function refuseLarge(
  parts: readonly { readonly type: string }[],
  { limit, store }: AttachmentLimit,
): Promise<void> {
  for (const part of parts as readonly UserPart[]) {
    if (!isPart(part) || part.type !== "file-attachment") continue;
    const { name, data, content_id } = part;
    const held = content_id === undefined ? undefined : await store.blobs.info(content_id);
    const size = Math.max(data === undefined ? 0 : base64Size(data), held?.size ?? 0);
    if (size <= limit) continue;
    const what = `the attachment ${name}`;
    throw HostError.make("too_large", { what, size, limit, key: "limits.attachment_bytes" });
  }
}
