/**
 * Lowering: from a typed user part to what the model is shown.
 *
 * One function a part type, in one table; the compiler refuses the table when a type has no row.
 * It is total: every part gets an outcome, and there is no constructor for losing one.
 */
import type { Material, UserContext } from "@galley/assemble";
import {
  canonicalJson,
  type ExpansionPart,
  isPart,
  type OutcomeKind,
  type PartOf,
  type PartType,
  type UserPart,
} from "@galley/parts";
import type { Origin, UserBlock } from "./block.ts";
import { lowerAttachment, lowerMaterial } from "./lower-media.ts";
import { descriptorText, editorContextText, nameOfRef, plainName } from "./render.ts";

/** What the model and its protocol can take, as far as lowering needs to know. */
export interface Target {
  /** Why these bytes cannot go natively; undefined when they can. */
  refuses(mime: string, size: number, base64: string): string | undefined;
  /** Bytes of text up to which an attached text is written out. */
  readonly inlineTextBytes: number;
}

/** The same for every protocol, so that a text is shown alike wherever it is sent. */
export const INLINE_TEXT_BYTES = 32 * 1024;

export type Lowered = {
  readonly blocks: readonly UserBlock[];
  readonly outcome: OutcomeKind;
  readonly detail?: string;
  readonly note?: string;
};

/** An outcome that does not know its bytes yet. */
export type PartOutcome = Omit<Lowered, "blocks"> & {
  readonly part: number;
  readonly type: string;
};

type Lowerer<T extends PartType> = (
  part: PartOf<T>,
  material: Material | undefined,
  target: Target,
) => Lowered;

const LOWERERS: { readonly [T in PartType]: Lowerer<T> } = {
  text: (part) => lowerText(part.text),
  "file-ref": (part, material, target) =>
    lowerMaterial("file", nameOfRef(part.ref), material, target),
  "directory-ref": (part, material) => lowerDirectory(part, material),
  "file-attachment": lowerAttachment,
  command: lowerCommand,
  mention: lowerMention,
  "editor-context": lowerContext,
};

export function lowerPart(
  part: UserPart | ExpansionPart,
  material: Material | undefined,
  target: Target,
): Lowered {
  if (!isPart(part)) return lowerForeign(part);
  // The table pairs each type with its own lowerer; an index cannot carry that to the compiler.
  return (LOWERERS[part.type] as Lowerer<PartType>)(part, material, target);
}

/** Written out, because it runs for every part of a long history and a spread is slow there. */
export function outcomeOf(
  part: number,
  type: string,
  lowered: Omit<Lowered, "blocks">,
): PartOutcome {
  const { outcome, detail, note } = lowered;
  if (detail === undefined) {
    return note === undefined ? { part, type, outcome } : { part, type, outcome, note };
  }
  return note === undefined
    ? { part, type, outcome, detail }
    : { part, type, outcome, detail, note };
}

export type LoweredUser = {
  readonly blocks: readonly Origin<UserBlock>[];
  readonly outcomes: readonly PartOutcome[];
};

export function lowerUser(message: UserContext, target: Target): LoweredUser {
  const blocks: Origin<UserBlock>[] = [];
  const outcomes = message.parts.map((part, index): PartOutcome => {
    const stand = message.elided?.[index];
    const lowered =
      stand === undefined
        ? lowerPart(part, message.materials[index], target)
        : shown("elided", stand, { note: "left out to fit the budget" });
    for (const block of lowered.blocks) blocks.push({ part: index, block });
    return outcomeOf(index, part.type, lowered);
  });
  return { blocks: blocks.length > 0 ? blocks : standIn(message), outcomes };
}

/** Providers refuse an empty message, and one that only called a skill has nothing left to say. */
function standIn(message: UserContext): Origin<UserBlock>[] {
  const skills = message.parts.flatMap((part) =>
    isPart(part) && part.type === "mention" && part.target.kind === "skill"
      ? [plainName(part.target.name ?? "")]
      : [],
  );
  const text =
    skills.length > 0
      ? `[The user invoked the skill ${skills.join(", ")} without further text.]`
      : "[The user sent a message without text.]";
  return [{ part: undefined, block: { type: "text", text } }];
}

function lowerText(text: string): Lowered {
  // Providers refuse a block of white space; there is nothing in it for a model to read.
  if (text.trim() === "") return { blocks: [], outcome: "resolved-out", note: "blank text" };
  const mended = text.isWellFormed() ? {} : { note: "half a surrogate pair became U+FFFD" };
  return shown("text", text, mended);
}

function lowerDirectory(part: PartOf<"directory-ref">, material: Material | undefined): Lowered {
  if (material?.kind === "unavailable") {
    const { reason } = material;
    const text = `directory unavailable: ${plainName(part.ref.path)} (${plainName(reason)})`;
    return placeholder(text, reason);
  }
  const reach = material?.kind === "descriptor" ? material.reach : undefined;
  const text = descriptorText({ what: "directory", name: part.ref.path, reach });
  return shown("descriptor", text, { note: "a directory is named, not read out" });
}

function lowerCommand(
  part: PartOf<"command">,
  material: Material | undefined,
  target: Target,
): Lowered {
  if (part.outcome === "pass-through" || part.outcome === undefined) {
    const typed = typeof part.literal === "string" ? part.literal : undefined;
    const literal = typed ?? [part.id, part.args?.raw].filter(Boolean).join(" ");
    return shown("text", literal, { note: "not a known command: passed on as it was typed" });
  }
  const expansion = part.expansion ?? [];
  if (part.outcome === "host-action" || expansion.length === 0) {
    return { blocks: [], outcome: "resolved-out", detail: part.outcome };
  }
  const materials = material?.kind === "parts" ? material.materials : [];
  const lowered = expansion.map((each, index) => lowerPart(each, materials[index], target));
  return { ...join(lowered), detail: part.outcome };
}

function lowerMention(
  part: PartOf<"mention">,
  material: Material | undefined,
  target: Target,
): Lowered {
  const { kind, name, path, id } = part.target;
  if (kind === "skill" && material?.kind === "unavailable") {
    return placeholder(`skill unavailable: ${plainName(name ?? "")}`, material.reason);
  }
  if (kind === "skill") {
    return { blocks: [], outcome: "resolved-out", detail: "its body comes through the skill tool" };
  }
  if (kind === "file" && path !== undefined) return lowerMaterial("file", path, material, target);
  if (material?.kind === "entity") {
    return shown("text", editorContextText(material.context), { detail: material.context.kind });
  }
  const named = plainName(name ?? path ?? id ?? "");
  return { blocks: [], outcome: "resolved-out", note: `${kind} ${named} does not resolve` };
}

function lowerContext(part: PartOf<"editor-context">): Lowered {
  // Only where nothing is lost by it: the mark alone must not hide a payload.
  if (part.delta === "unchanged" && canonicalJson(part.payload) === '{"unchanged":true}') {
    const note = "the same as an earlier message told";
    return { blocks: [], outcome: "resolved-out", detail: part.kind, note };
  }
  return shown("text", editorContextText(part), { detail: part.kind });
}

function lowerForeign(part: { readonly type: string; readonly [key: string]: unknown }): Lowered {
  if (typeof part.text === "string" && part.text.trim() !== "") {
    return shown("text", part.text, { note: "a part of unknown type, shown by its text" });
  }
  return placeholder(`unsupported part: ${plainName(part.type)}`, "a part of unknown type");
}

type Aside = { readonly detail?: string; readonly note?: string };

export function shown(outcome: OutcomeKind, text: string, aside: Aside = {}): Lowered {
  return { blocks: [{ type: "text", text }], outcome, ...aside };
}

export const placeholder = (text: string, note: string): Lowered =>
  shown("placeholder", `[${text}]`, { note });

/** Several lowerings as one: the outcome that shows the least is the one to report. */
function join(all: readonly Lowered[]): Lowered {
  const outcome = LEAST_FIRST.find((kind) => all.some((each) => each.outcome === kind));
  const notes = all.flatMap(({ note }) => note ?? []).join("; ");
  return {
    blocks: all.flatMap(({ blocks }) => blocks),
    outcome: outcome ?? "resolved-out",
    ...(notes && { note: notes }),
  };
}

const LEAST_FIRST: readonly OutcomeKind[] = [
  "placeholder",
  "elided",
  "descriptor",
  "text",
  "native",
  "resolved-out",
];
