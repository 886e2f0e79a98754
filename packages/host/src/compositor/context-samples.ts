/**
 * What the editor showed when the draft was written, given along with it: a token in the text
 * (`@selection`) puts a sample where it stands, and a sample that no token placed follows the
 * message, because it was sent along on purpose.
 */
import {
  CONTEXT_BYTES,
  type ContextMention,
  type ContextPolicy,
  contextCatalogue,
  type EditorSample,
  mentionedContext,
  sampleContext,
} from "@galley/compose";
import type { ExpansionPart, UserMessage, UserPart } from "@galley/parts";

type Untimed<S> = S extends unknown
  ? Omit<S, "emitted_at"> & {
      /** Epoch ms; now when it is absent. */
      readonly emitted_at?: number;
    }
  : never;

/** A sample as a surface gives it. */
export type GivenSample = Untimed<EditorSample>;

export interface Samples {
  /** What a token stands for. */
  contextOf(token: string): readonly ExpansionPart[];
  /** The message and, at its end, the samples that no token in it placed. */
  addTo(message: UserMessage): UserMessage;
  /** All of them, where nothing else is said. */
  all(): readonly UserPart[];
}

/** Whoever gives a sample wants it in the message: none is held back. */
const ASKED_FOR: ContextPolicy = {
  rules: [{ kind: "*", pattern: "explicit" }],
  maxBytes: CONTEXT_BYTES,
  maxParts: Number.POSITIVE_INFINITY,
};

export function samplesOf(
  given: readonly GivenSample[],
  now: () => number,
  tokens: readonly ContextMention[] = [],
): Samples {
  const samples = given.map((sample): EditorSample => ({ emitted_at: now(), ...sample }));
  const known = samples.filter(isWhole);
  const catalogue = contextCatalogue(tokens);
  const contextOf = (token: string, from = known) =>
    mentionedContext(token, from, ASKED_FOR, catalogue);
  /** As a token would have put it. */
  const placedForms = (sample: EditorSample): readonly string[] =>
    catalogue.rows.flatMap(({ token }) => contextOf(token, [sample]).map(formOf));
  const parts = (from: readonly EditorSample[]): readonly UserPart[] =>
    from.flatMap((sample): readonly UserPart[] =>
      isWhole(sample)
        ? sampleContext([sample], ASKED_FOR, { action: [sample.kind] }).parts
        : // Not a sample: the check of the message refuses it, with its place.
          [{ ...(sample as object), type: "editor-context" }],
    );
  return {
    contextOf: (token) => contextOf(token),
    addTo(message) {
      const present = new Set(message.parts.map(formOf));
      const rest = samples.filter(
        (sample) => !isWhole(sample) || !placedForms(sample).some((form) => present.has(form)),
      );
      return { ...message, parts: [...message.parts, ...parts(rest)] };
    },
    all: () => parts(samples),
  };
}

const formOf = (part: UserPart): string => JSON.stringify({ ...part, literal: undefined });

/** The command line gives any JSON object. */
function isWhole({ kind, payload, file }: EditorSample): boolean {
  const isTable = (value: unknown): boolean =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  if (typeof kind !== "string") return false;
  return file === undefined ? isTable(payload) : isTable(file) && isTable(file.range);
}
