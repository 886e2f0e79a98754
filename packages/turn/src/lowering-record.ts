/**
 * A material as a stored fact: what a reference turned out to hold when its message fired, so that
 * every later request says the same. Bytes are kept as a blob, and the record names them.
 */
import { type Material, toBase64 } from "@galley/assemble";
import { isPart, type UserPart } from "@galley/parts";

type BytesMaterial = Extract<Material, { kind: "bytes" }>;

/** `none`: the part was looked at, and needs nothing from outside. */
export type LoweringRecord =
  | Exclude<Material, { kind: "bytes" | "parts" }>
  | (Omit<BytesMaterial, "base64" | "mime"> & {
      readonly mime?: string;
      readonly content_id: string;
    })
  | { readonly kind: "parts"; readonly materials: readonly LoweringRecord[] }
  | { readonly kind: "none" };

export interface BlobPlace {
  put(bytes: Uint8Array): Promise<string>;
}

export interface BlobSource {
  get(content_id: string): Promise<Uint8Array | undefined>;
}

/** Whether anything outside the message decides what this part becomes. */
export function needsLoading(part: UserPart): boolean {
  if (!isPart(part)) return false;
  switch (part.type) {
    case "text":
    case "editor-context":
      return false;
    case "command":
      return part.expansion?.some(needsLoading) ?? false;
    // Also one that holds its bytes: which tool opens it is for the host to say.
    case "file-attachment":
    case "file-ref":
    case "directory-ref":
    case "mention":
      return true;
  }
}

export async function recordOf(
  material: Material | undefined,
  blobs: BlobPlace,
): Promise<LoweringRecord> {
  if (material === undefined) return { kind: "none" };
  if (material.kind === "parts") {
    const materials: LoweringRecord[] = [];
    for (const each of material.materials) materials.push(await recordOf(each, blobs));
    return { kind: "parts", materials };
  }
  if (material.kind !== "bytes") return material;
  const { base64, mime, ...facts } = material;
  const content_id = await blobs.put(Buffer.from(base64, "base64"));
  return { ...facts, ...(mime !== undefined && { mime }), content_id };
}

export async function materialOf(
  record: LoweringRecord,
  blobs: BlobSource,
): Promise<Material | undefined> {
  if (record.kind === "none") return undefined;
  if (record.kind === "parts") {
    const materials = await Promise.all(record.materials.map((each) => materialOf(each, blobs)));
    return { kind: "parts", materials };
  }
  if (record.kind !== "bytes") return record;
  const { content_id, mime, ...facts } = record;
  const bytes = await blobs.get(content_id);
  if (bytes === undefined) {
    return { kind: "unavailable", reason: `its bytes (${content_id}) are not stored here` };
  }
  return { ...facts, mime, base64: toBase64(bytes) };
}

/** Characters that it keeps in memory, about. */
export function weightOf(material: Material | undefined): number {
  if (material === undefined) return 0;
  if (material.kind === "text") return material.text.length;
  if (material.kind === "bytes") return material.base64.length;
  if (material.kind !== "parts") return 0;
  return material.materials.reduce((sum, each) => sum + weightOf(each), 0);
}
