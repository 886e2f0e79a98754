/**
 * Lowering of what has bytes: attachments, and references once they are materialized.
 *
 * The bytes decide the route, not the name or the declared type. Bytes go out only in a form the
 * model is known to take; otherwise the model is told name, type, size and how to get at them.
 */
import type { Material } from "@galley/assemble";
import {
  base64Head,
  base64Size,
  decodeBase64,
  mediaClass,
  type PartOf,
  sniffMedia,
} from "@galley/parts";
import type { Lowered, Target } from "./lower.ts";
import { descriptorText, fileText, plainName } from "./render.ts";

type Bytes = {
  readonly what: "file" | "attachment";
  readonly name: string;
  /** By the bytes; undefined when they match nothing known. */
  readonly mime: string | undefined;
  readonly declared?: string | undefined;
  readonly base64: string;
  readonly size: number;
  readonly reach?: string | undefined;
};

export function lowerAttachment(
  part: PartOf<"file-attachment">,
  material: Material | undefined,
  target: Target,
): Lowered {
  const { name, mime: declared, data } = part;
  const { reach } = material?.kind === "attached" ? material : {};
  const facts = { what: "attachment", name, declared, reach } as const;
  if (part.delivery === "descriptor") return describe({ ...facts, size: part.size }, part.reason);
  // What was made of it for this model goes before what it came as.
  if (material && material.kind !== "attached") {
    return lowerMaterial("attachment", name, material, target, declared);
  }
  if (data !== undefined) {
    const mime = sniffMedia(base64Head(data));
    return lowerBytes({ ...facts, mime, base64: data, size: base64Size(data) }, target);
  }
  if (part.content_id !== undefined || part.url !== undefined) {
    return unavailable("attachment", name, "its bytes were not loaded");
  }
  const reason = part.reason ?? "it came without its bytes";
  return describe({ ...facts, size: part.size }, reason);
}

export function lowerMaterial(
  what: "file" | "attachment",
  name: string,
  material: Material | undefined,
  target: Target,
  declared?: string,
): Lowered {
  switch (material?.kind) {
    case "text":
      return {
        blocks: [{ type: "text", text: fileText(name, material) }],
        outcome: "text",
        ...(material.note && { note: material.note }),
      };
    case "bytes": {
      const { mime, base64, size, reach, note } = material;
      const lowered = lowerBytes({ what, name, mime, declared, base64, size, reach }, target);
      const notes = [note, lowered.note].filter(Boolean).join("; ");
      return notes ? { ...lowered, note: notes } : lowered;
    }
    case "descriptor": {
      const facts = { what, name, declared: material.mime ?? declared, size: material.size };
      return describe({ ...facts, reach: material.reach }, material.reason);
    }
    case "unavailable":
      return unavailable(what, name, material.reason);
    case undefined:
      return unavailable(what, name, "it was not read");
    case "attached":
    case "entity":
    case "parts":
      return unavailable(what, name, `it resolved to something that is not a ${what}`);
  }
}

function lowerBytes(bytes: Bytes, target: Target): Lowered {
  const { name, base64, size, declared } = bytes;
  if (size === 0) return describe({ ...bytes, mime: undefined }, "it is empty");
  if (bytes.mime === undefined) return describe(bytes, unknownReason(declared));
  const mime = refine(bytes.mime, declared);
  if (mediaClass(mime) === "text") return lowerTextBytes({ ...bytes, mime }, target);
  const refused = target.refuses(mime, size, base64);
  if (refused) return describe({ ...bytes, mime }, refused);
  return {
    blocks: [{ type: "media", mime, base64, name }],
    outcome: "native",
    detail: mime,
    ...mislabelled(mime, declared),
  };
}

function lowerTextBytes(bytes: Bytes & { mime: string }, target: Target): Lowered {
  if (bytes.size > target.inlineTextBytes) {
    return describe(bytes, `over ${target.inlineTextBytes} bytes of text`);
  }
  const text = decodeText(bytes.base64);
  if (text === undefined) return describe(bytes, "it starts as text and goes on as something else");
  const block = {
    type: "text",
    text: fileText(bytes.name, { kind: "text", text, size: bytes.size }),
  };
  return {
    blocks: [block as { type: "text"; text: string }],
    outcome: "text",
    detail: bytes.mime,
    ...mislabelled(bytes.mime, bytes.declared),
  };
}

/** The bytes of some formats leave room that the declared type fills. */
function refine(sniffed: string, declared: string | undefined): string {
  const claim = declared?.toLowerCase().split(";")[0]?.trim();
  if (claim === undefined || claim === sniffed) return sniffed;
  if (sniffed === "text/plain") return mediaClass(claim) === "text" ? claim : sniffed;
  return CONTAINERS[sniffed]?.test(claim) ? claim : sniffed;
}

/** Containers whose content only the declared type tells. */
const CONTAINERS: Readonly<Record<string, RegExp>> = {
  "application/zip": /^application\/(vnd\.(openxmlformats|oasis)|epub|java-archive)/,
  "application/x-cfb": /^application\/(msword|vnd\.ms-)/,
  "video/webm": /^(audio\/webm|video\/x-matroska)$/,
  "audio/ogg": /^(video\/ogg|audio\/opus)$/,
  "video/mp4": /^(audio\/mp4|audio\/x-m4a|video\/x-m4v)$/,
};

function mislabelled(mime: string, declared: string | undefined): { note?: string } {
  const claim = declared?.toLowerCase().split(";")[0]?.trim();
  if (!claim || mediaClass(claim) === mediaClass(mime)) return {};
  return { note: `declared as ${plainName(claim)}; its bytes are ${mime}` };
}

function unknownReason(declared: string | undefined): string {
  return declared === undefined || mediaClass(declared) === "binary"
    ? "its format is not one a model reads"
    : `its bytes are not ${plainName(declared)}`;
}

type Facts = Pick<Bytes, "what" | "name" | "declared" | "reach"> & {
  readonly mime?: string | undefined;
  readonly size?: number | undefined;
};

function describe(facts: Facts, reason: string | undefined): Lowered {
  const { what, name, size, reach } = facts;
  const mime = facts.mime ?? (facts.declared && plainName(facts.declared));
  const text = descriptorText({ what, name, mime, size, reason, reach });
  return {
    blocks: [{ type: "text", text }],
    outcome: "descriptor",
    ...(reason && { note: reason }),
  };
}

function unavailable(what: string, name: string, reason: string): Lowered {
  const text = `[${what} unavailable: ${plainName(name)} (${plainName(reason)})]`;
  return { blocks: [{ type: "text", text }], outcome: "placeholder", note: reason };
}

function decodeText(base64: string): string | undefined {
  const bytes = decodeBase64(base64);
  if (!bytes) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The one way a fatal decode fails: the rest of the bytes is not UTF-8.
    return undefined;
  }
}
