/**
 * Which state goes along, and in which of three ways: host policy, as data.
 *
 * The ways are steps of deliberation. What goes along on its own may also be asked for, and what an
 * action may send may also be mentioned, never the reverse. A kind that no rule names waits for
 * its mention: state that a person did not expect in a message is worse than state that is missing.
 */
import type { EditorSample } from "./sample.ts";

export const CONTEXT_PATTERNS = [
  /** With every message. */
  "automatic",
  /** With an action: a click on "send with selection", a drag into the chat. */
  "explicit",
  /** With its token: `@selection`. */
  "mention",
] as const;
export type ContextPattern = (typeof CONTEXT_PATTERNS)[number];

export type ContextRule = {
  /** `*` stands for every kind. */
  readonly kind: string;
  /** Absent: every source. */
  readonly source?: string;
  readonly pattern: ContextPattern;
};

export type ContextPolicy = {
  /** The first rule that fits decides. */
  readonly rules: readonly ContextRule[];
  /** Of one part: UTF-8 bytes of its payload as canonical JSON. */
  readonly maxBytes: number;
  /** Parts that one message takes of automatic and asked-for state together. */
  readonly maxParts: number;
};

export const CONTEXT_BYTES = 32 * 1024;
const CONTEXT_PARTS = 32;

const policy = (...rules: readonly (readonly [string, ContextPattern])[]): ContextPolicy => ({
  rules: rules.map(([kind, pattern]) => ({ kind, pattern })),
  maxBytes: CONTEXT_BYTES,
  maxParts: CONTEXT_PARTS,
});

/** A beginning for each kind of host; a host changes rows or writes its own. */
export const CONTEXT_POLICIES = {
  /** Code and prose: what is selected is a slice of a file, and cheap. */
  text: policy(["selection", "automatic"], ["cursor", "automatic"], ["open", "explicit"]),
  /** Canvas, image, timeline: "make this red" has no other meaning than the selection. */
  image: policy(["selection", "automatic"], ["viewport", "explicit"], ["last-action", "explicit"]),
  /** Many documents: what is open says where the person is. */
  graph: policy(["open", "automatic"], ["selection", "automatic"], ["history", "explicit"]),
} as const satisfies Record<string, ContextPolicy>;

export function patternOf(
  { kind, source }: Pick<EditorSample, "kind" | "source">,
  { rules }: ContextPolicy,
): ContextPattern {
  const rule = rules.find(
    (each) =>
      (each.kind === kind || each.kind === "*") &&
      (each.source === undefined || each.source === source),
  );
  return rule?.pattern ?? "mention";
}
