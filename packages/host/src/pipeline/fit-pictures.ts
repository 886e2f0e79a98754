/**
 * Pictures made to fit the model that is about to see them.
 *
 * The stored part is never touched: a picture that is too large for this model gets a material of
 * its own, which says what was done, and the next model decides anew.
 */
import type { Material, UserContext } from "@galley/assemble";
import { damageOf } from "@galley/compose";
import {
  base64Head,
  decodeBase64,
  isPart,
  mediaClass,
  type PartOf,
  sniffMedia,
  type UserPart,
} from "@galley/parts";
import type { ModelProfile } from "@galley/shape";
import { fitAttachment } from "../attachments/fit-attachment.ts";
import { mediaTaker } from "../attachments/media-taker.ts";

export async function fitPictures(user: UserContext, profile: ModelProfile): Promise<UserContext> {
  const materials = await Promise.all(
    user.parts.map((part, index) => fitted(part, user.materials[index], profile)),
  );
  const same = materials.every((material, index) => material === user.materials[index]);
  return same ? user : { ...user, materials };
}

async function fitted(
  part: UserPart,
  material: Material | undefined,
  profile: ModelProfile,
): Promise<Material | undefined> {
  const picture = pictureOf(part, material);
  if (!picture) return material;
  const damage = damageOf(picture.bytes, picture.sniffed);
  if (damage !== undefined) {
    const { sniffed: mime, bytes } = picture;
    const reach = reachIn(material);
    return {
      kind: "descriptor",
      mime,
      size: bytes.length,
      reason: damage,
      ...(reach && { reach }),
    };
  }
  if (mediaClass(picture.sniffed) !== "image") return material;
  const made = await fitAttachment(picture.part, picture.bytes, mediaTaker(profile));
  switch (made.kind) {
    case "as-is":
      return material;
    case "derived": {
      const { data = "", size = 0, mime, notes } = made.part;
      const note = Array.isArray(notes) ? notes.join("; ") : undefined;
      return { kind: "bytes", mime, base64: data, size, ...(note && { note }) };
    }
    case "told": {
      const reach = [made.mend, reachIn(material)].filter(Boolean).join("; ");
      const { mime } = picture.part;
      const size = picture.bytes.length;
      return { kind: "descriptor", mime, size, reason: made.reason, ...(reach && { reach }) };
    }
  }
}

type Picture = {
  readonly part: PartOf<"file-attachment">;
  readonly bytes: Uint8Array;
  readonly sniffed: string;
};

/** What is attached as a picture or a PDF, or turned out to be one when it was read. */
function pictureOf(part: UserPart, material: Material | undefined): Picture | undefined {
  if (!isPart(part)) return undefined;
  const base64 =
    material?.kind === "bytes"
      ? material.base64
      : part.type === "file-attachment"
        ? part.data
        : undefined;
  const sniffed = base64 === undefined ? undefined : sniffMedia(base64Head(base64));
  if (base64 === undefined || !sniffed || !/^(image|pdf)$/.test(mediaClass(sniffed)))
    return undefined;
  const bytes = decodeBase64(base64);
  const [name, mime] =
    part.type === "file-attachment" ? [part.name, part.mime] : ["picture", sniffed];
  return bytes && { part: { type: "file-attachment", name, mime }, bytes, sniffed };
}

const reachIn = (material: Material | undefined): string | undefined =>
  material?.kind === "bytes" || material?.kind === "attached" ? material.reach : undefined;
