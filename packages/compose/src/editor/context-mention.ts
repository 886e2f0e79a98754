/**
 * `@selection` and its like: which kinds of sample a token stands for, and what it puts in a message.
 *
 * The compositor's catalogue says which tokens there are; the rows here add what each of them
 * means. A host's rows replace ours. A skill may add tokens and cannot take one over: what a
 * person has learned a token to mean does not change with a skill that was loaded.
 */
import { type ContextToken, DEFAULT_MENTIONS } from "../mention.ts";
import { type ContextPart, contextPart } from "./context-part.ts";
import type { ContextPolicy } from "./policy.ts";
import type { EditorSample } from "./sample.ts";

export type ContextMention = ContextToken & {
  /** Kinds of sample, in the order in which they are told; absent: the kind named as the token. */
  readonly kinds?: readonly string[];
};

const KINDS: Readonly<Record<string, readonly string[]>> = { last: ["last-action"] };

export const DEFAULT_CONTEXT_MENTIONS: readonly ContextMention[] = DEFAULT_MENTIONS.contexts.map(
  (row) => {
    const kinds = KINDS[row.token];
    return kinds ? { ...row, kinds } : row;
  },
);

export type ContextCatalogue = {
  readonly rows: readonly ContextMention[];
  /** Rows of skills whose token was taken; they have no effect. */
  readonly shadowed: readonly ContextMention[];
};

export function contextCatalogue(
  host: readonly ContextMention[] = [],
  skills: readonly ContextMention[] = [],
): ContextCatalogue {
  const rows = new Map([...DEFAULT_CONTEXT_MENTIONS, ...host].map((row) => [row.token, row]));
  const shadowed: ContextMention[] = [];
  for (const row of skills) {
    if (rows.has(row.token)) shadowed.push(row);
    else rows.set(row.token, row);
  }
  return { rows: [...rows.values()], shadowed };
}

/** The parts of a token, in full; none when there is no such token or nothing of its kinds. */
export function mentionedContext(
  token: string,
  samples: readonly EditorSample[],
  policy: Pick<ContextPolicy, "maxBytes">,
  { rows }: Pick<ContextCatalogue, "rows"> = contextCatalogue(),
): readonly ContextPart[] {
  const row = rows.find((each) => each.token === token);
  if (row === undefined) return [];
  const kinds = row.kinds ?? [row.token];
  return kinds.flatMap((kind) =>
    samples
      .filter((sample) => sample.kind === kind)
      .map((sample) => contextPart(sample, "mention", policy)),
  );
}
