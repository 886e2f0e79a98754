/**
 * Large attachments leave their row for a blob, and the row names them by their hash.
 *
 * What may stay is counted over the whole session, so that no conversation becomes too heavy to read.
 */
import { base64Size, isPart, type PartOf, type UserPart } from "@galley/parts";

/** Bytes of one attachment, and of all attachments of a session, that stay in their rows. */
export const INLINE_PART = 1024 * 1024;
export const INLINE_TOTAL = 20 * 1024 * 1024;

export type BlobSplit = {
  readonly parts: readonly UserPart[];
  /** What these parts add to the session's inline data. */
  readonly inline_bytes: number;
};

/** `keep` stores the bytes and gives their content id. */
export async function splitBlobs(
  parts: readonly UserPart[],
  inline_before: number,
  keep: (bytes: Uint8Array) => Promise<string>,
): Promise<BlobSplit> {
  let inline = inline_before;

  async function split<P extends UserPart>(part: P): Promise<P> {
    if (!isPart(part)) return part;
    if (part.type === "command" && part.expansion) {
      const expansion: typeof part.expansion = [];
      for (const each of part.expansion) expansion.push(await split(each));
      const same = expansion.every((each, index) => each === part.expansion?.[index]);
      return same ? part : { ...part, expansion };
    }
    if (part.type !== "file-attachment" || part.data === undefined) return part;
    const size = base64Size(part.data);
    if (size > INLINE_PART || inline + size > INLINE_TOTAL) {
      const bytes = Buffer.from(part.data, "base64");
      // The same part by another way to its bytes: its type stays what it was.
      return withoutData(part, bytes.length, await keep(bytes)) as P;
    }
    inline += size;
    return part;
  }

  const kept: UserPart[] = [];
  for (const part of parts) kept.push(await split(part));
  return { parts: kept, inline_bytes: inline - inline_before };
}

/** What these parts hold in their rows. */
export function inlineBytes(parts: readonly UserPart[]): number {
  return parts.reduce((sum, part) => {
    if (!isPart(part)) return sum;
    if (part.type === "command") return sum + inlineBytes(part.expansion ?? []);
    const data = part.type === "file-attachment" ? part.data : undefined;
    return sum + (data === undefined ? 0 : base64Size(data));
  }, 0);
}

function withoutData(
  { data: _, ...part }: PartOf<"file-attachment">,
  bytes: number,
  content_id: string,
): UserPart {
  return { ...part, type: "file-attachment", size: part.size ?? bytes, content_id };
}
