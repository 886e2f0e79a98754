/**
 * Editor context and a message that is composed: putting it in, and taking it out again.
 *
 * It goes to the end, after the person's own words, so that the indices by which notes and host
 * actions name a part stay true.
 */
import type { UserMessage, UserPart } from "@galley/parts";
import { type ContextPart, factOf } from "./context-part.ts";

/** Adds what the message does not already hold, as when the person mentioned it too. */
export function addContext(message: UserMessage, parts: readonly ContextPart[]): UserMessage {
  const held = message.parts.flatMap((part) => factOf(part) ?? []);
  const told = held.filter(({ delta }) => delta === undefined);
  const isNew = (part: ContextPart): boolean => {
    const fact = factOf(part);
    if (fact?.delta === "unchanged") return !told.some(({ subject }) => subject === fact.subject);
    return fact?.print === undefined || !told.some(({ print }) => print === fact.print);
  };
  return { ...message, parts: [...message.parts, ...parts.filter(isNew)] };
}

/** Whether the host put a part in on its own. */
export const isAutomatic = (part: UserPart): boolean =>
  factOf(part) !== undefined && part.origin === "automatic";

export type Removed =
  | { readonly ok: true; readonly message: UserMessage }
  | { readonly ok: false; readonly reason: "no-such-part" | "not-context" | "last-part" };

/** The message without one part of editor context; everything else stays as it is and in order. */
export function removeContext(message: UserMessage, index: number): Removed {
  const part = message.parts[index];
  if (part === undefined) return { ok: false, reason: "no-such-part" };
  if (factOf(part) === undefined) return { ok: false, reason: "not-context" };
  if (message.parts.length === 1) return { ok: false, reason: "last-part" };
  const parts = message.parts.toSpliced(index, 1);
  return { ok: true, message: { ...message, ...movedMarks(message, index), parts } };
}

/** The metadata names parts by index; those behind the one that goes move up. */
function movedMarks({ metadata }: UserMessage, index: number): Pick<UserMessage, "metadata"> {
  const marks: unknown = metadata?.verbatim_parts;
  if (!Array.isArray(marks)) return {};
  const moved = marks.map((mark) => (typeof mark === "number" && mark > index ? mark - 1 : mark));
  return { metadata: { ...metadata, verbatim_parts: moved } };
}
