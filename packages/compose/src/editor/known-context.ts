/**
 * What the model has already been told of the editor: a fold over the messages that it will be shown.
 *
 * It has to be given exactly those. What a compaction, a rewind or a budget took out of the model's
 * sight is then not known any more, and goes along in full again with the next message.
 */
import type { UserPart } from "@galley/parts";
import { type Fact, factOf } from "./context-part.ts";

export type KnownFact = {
  readonly kind: string;
  readonly source?: string;
  /** One for each part of the fact, in order; undefined where nobody can tell. */
  readonly prints: readonly (string | undefined)[];
  readonly message_id?: string;
  readonly emitted_at: number;
};

/** By subject: kind and source. */
export type KnownContext = ReadonlyMap<string, KnownFact>;

type Told = { readonly id?: string | undefined; readonly parts: readonly UserPart[] };

/** `before`: what earlier messages told; it is not changed. */
export function knownContext(
  messages: readonly Told[],
  before: KnownContext = new Map(),
): KnownContext {
  const known = new Map(before);
  for (const message of messages) {
    for (const [subject, facts] of bySubject(message.parts)) {
      const told = facts.filter(({ delta }) => delta === undefined);
      if (told.length > 0) known.set(subject, knownFact(told, message.id));
      else if (facts.some(({ delta }) => delta === "cleared")) known.delete(subject);
    }
  }
  return known;
}

function bySubject(parts: readonly UserPart[]): Map<string, Fact[]> {
  const facts = parts.flatMap((part) => factOf(part) ?? []);
  return Map.groupBy(facts, ({ subject }) => subject);
}

function knownFact(facts: readonly Fact[], id: string | undefined): KnownFact {
  // A group has a first.
  const { kind, source, emitted_at } = facts[0] as Fact;
  return {
    kind,
    ...(source !== undefined && { source }),
    prints: facts.map(({ print }) => print),
    ...(id !== undefined && { message_id: id }),
    emitted_at,
  };
}

/** Whether these prints are those of a fact that is known, to the last. */
export function isKnown(
  fact: KnownFact | undefined,
  prints: readonly (string | undefined)[],
): boolean {
  return (
    fact !== undefined &&
    fact.prints.length === prints.length &&
    prints.every((print, index) => print !== undefined && print === fact.prints[index])
  );
}
