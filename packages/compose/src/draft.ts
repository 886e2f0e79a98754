/**
 * What a person typed, pasted, dropped or selected, in order, before it is a message.
 *
 * A draft mixes plain text, in which tokens may stand, with pastes and with parts that a surface
 * already has. Structure that comes in is never parsed again, and pasted text is data.
 */
import { stampVersion, type UserMessage, type UserPart } from "@galley/parts";

/** Text as it was typed: the only place in which tokens are looked for. */
export type TypedText = { readonly type: "typed"; readonly text: string };

/** Text from the clipboard. A large one becomes an attachment of its own. */
export type PastedText = {
  readonly type: "pasted";
  readonly text: string;
  /** A file name for a large paste; one is made up when it is absent. */
  readonly name?: string;
};

/** Something of the host's that was copied as a thing, not as text: a node, a layer, a symbol. */
export type PastedEntity = {
  readonly type: "pasted-entity";
  readonly id: string;
  /** Which editor surface it was copied from. */
  readonly source?: string;
  readonly payload?: Readonly<Record<string, Json>>;
  /** Epoch ms of the copy. */
  readonly emitted_at: number;
};

export type DraftPart = TypedText | PastedText | PastedEntity | UserPart;

export type Draft = {
  readonly id?: string;
  readonly metadata?: UserMessage["metadata"];
  readonly parts: readonly DraftPart[];
};

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };

/** A foreign part may have any type, so the compiler cannot tell these three from it by `type`. */
export const isTyped = (part: DraftPart): part is TypedText => part.type === "typed";
export const isPastedText = (part: DraftPart): part is PastedText => part.type === "pasted";
export const isPastedEntity = (part: DraftPart): part is PastedEntity =>
  part.type === "pasted-entity";

/** A draft as it stands, with no token looked for: all that was typed is text. */
export function composePlain(draft: Draft): UserMessage {
  const parts = draft.parts.flatMap((part): UserPart[] => {
    if (!isTyped(part) && !isPastedText(part)) return [part as UserPart];
    const text = String(part.text);
    return text === "" ? [] : [{ type: "text", text }];
  });
  return messageOf(draft, parts);
}

/** The message of a draft: its id and metadata, these parts, and the version. */
export function messageOf(
  draft: Draft,
  parts: readonly UserPart[],
  metadata: Readonly<Record<string, unknown>> = {},
): UserMessage {
  const merged = { ...draft.metadata, ...metadata };
  return stampVersion({
    role: "user",
    ...(draft.id !== undefined && { id: draft.id }),
    metadata: merged,
    parts: [...parts],
  } as UserMessage);
}
