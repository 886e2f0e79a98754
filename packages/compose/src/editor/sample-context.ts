/**
 * What the editor's state adds to the message that is about to be sent.
 *
 * A fact that the model has been told and that still holds costs nothing: it stands in the message
 * as one `unchanged` part, for people to see, and lowers to nothing. So that silence cannot mean
 * two things, a fact that is over is said once, as `cleared`. What a person asked for, by an action
 * or a mention, always goes along in full: it is what the words beside it are about.
 */
import {
  type ContextPart,
  clearedPart,
  contextPart,
  factOf,
  unchangedPart,
} from "./context-part.ts";
import { isKnown, type KnownContext } from "./known-context.ts";
import { type ContextPolicy, patternOf } from "./policy.ts";
import { type EditorSample, subjectOf } from "./sample.ts";

export type ContextAsk = {
  /** Kinds that the person's action sends along. */
  readonly action?: readonly string[];
  /** What the model has been told; absent, every fact is new. */
  readonly known?: KnownContext;
  /** Epoch ms of the sampling, for what is over and has no sample of its own. */
  readonly sampledAt?: number;
};

/** A sample that stays behind, for a surface to offer. */
export type HeldSample = {
  readonly sample: EditorSample;
  readonly reason: "waits-for-action" | "waits-for-mention" | "too-many";
};

export type SampledContext = {
  readonly parts: readonly ContextPart[];
  readonly held: readonly HeldSample[];
};

export function sampleContext(
  samples: readonly EditorSample[],
  policy: ContextPolicy,
  ask: ContextAsk = {},
): SampledContext {
  const held: HeldSample[] = [];
  const going: EditorSample[] = [];
  for (const sample of samples) {
    const reason = whyHeld(sample, policy, ask, going.length);
    if (reason) held.push({ sample, reason });
    else going.push(sample);
  }
  const facts = [...Map.groupBy(going, subjectOf).values()];
  const parts = facts.flatMap((fact) => partsOf(fact, policy, ask));
  return { parts: [...parts, ...overParts(samples, policy, ask)], held };
}

function whyHeld(
  sample: EditorSample,
  policy: ContextPolicy,
  ask: ContextAsk,
  going: number,
): HeldSample["reason"] | undefined {
  const pattern = patternOf(sample, policy);
  if (pattern === "mention") return "waits-for-mention";
  if (pattern === "explicit" && !isAsked(sample, ask)) return "waits-for-action";
  return going < policy.maxParts ? undefined : "too-many";
}

const isAsked = ({ kind }: EditorSample, { action = [] }: ContextAsk): boolean =>
  action.includes(kind);

/** The samples of one subject: all of them, or one part that says they are as they were. */
function partsOf(
  fact: readonly EditorSample[],
  policy: ContextPolicy,
  ask: ContextAsk,
): readonly ContextPart[] {
  const asked = fact.some((sample) => isAsked(sample, ask));
  const origin = asked ? "explicit" : "automatic";
  const parts = fact.map((sample) => contextPart(sample, origin, policy));
  const [first] = fact;
  const known = first && ask.known?.get(subjectOf(first));
  const prints = parts.map((part) => factOf(part)?.print);
  if (first === undefined || known === undefined || asked || !isKnown(known, prints)) return parts;
  const { message_id, emitted_at } = known;
  return [unchangedPart(first, { ...(message_id !== undefined && { message_id }), emitted_at })];
}

/** What the model still believes and no surface shows any more. */
function overParts(
  samples: readonly EditorSample[],
  policy: ContextPolicy,
  { known = new Map(), sampledAt }: ContextAsk,
): readonly ContextPart[] {
  const present = new Set(samples.map(subjectOf));
  return [...known].flatMap(([subject, fact]) => {
    if (present.has(subject) || patternOf(fact, policy) !== "automatic") return [];
    const emitted_at = sampledAt ?? latest([fact, ...samples]);
    return [clearedPart({ ...fact, emitted_at })];
  });
}

const latest = (sampled: readonly { readonly emitted_at: number }[]): number =>
  sampled.reduce((most, { emitted_at }) => Math.max(most, emitted_at), 0);
