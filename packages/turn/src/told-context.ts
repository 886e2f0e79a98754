/**
 * Editor context that a session's model has already been told, to the letter, and that a message
 * brings again: it stands there for people to see and costs nothing.
 *
 * That is decided for each request, over the messages which that request shows: the row keeps what
 * came, so a message that is hidden later takes nothing along. What a person placed in the words by
 * a token goes along in full: it is what they are about.
 */
import {
  type ContextPart,
  type ContextPolicy,
  type EditorSample,
  type KnownContext,
  sampleContext,
} from "@galley/compose";
import { isPart, type PartOf, type UserPart } from "@galley/parts";

/** Nothing is held back and nothing is cut: that was decided when the part was made. */
const AS_IT_IS: ContextPolicy = {
  rules: [{ kind: "*", pattern: "automatic" }],
  maxBytes: Number.MAX_SAFE_INTEGER,
  maxParts: Number.POSITIVE_INFINITY,
};

/** The parts, with those marked that say nothing new. */
export function marked(parts: readonly UserPart[], known: KnownContext): readonly UserPart[] {
  const samples = parts.map(sampleOf);
  if (known.size === 0 || samples.every((sample) => sample === undefined)) return parts;
  const unchanged = new Map<string, ContextPart>();
  const facts = Map.groupBy(
    samples.filter((sample) => sample !== undefined),
    subjectOf,
  );
  for (const [subject, fact] of facts) {
    const before = new Map([...known].filter(([, each]) => subjectOf(each) === subject));
    if (before.size === 0) continue;
    const [first, ...rest] = sampleContext(fact, AS_IT_IS, { known: before }).parts;
    if (first?.delta === "unchanged" && rest.length === 0) unchanged.set(subject, first);
  }
  return parts.map((part, index) => {
    const sample = samples[index];
    const same = sample && unchanged.get(subjectOf(sample));
    return same ? { ...same, emitted_at: sample.emitted_at } : part;
  });
}

const subjectOf = ({ kind, source }: Pick<EditorSample, "kind" | "source">): string =>
  JSON.stringify([kind, source ?? null]);

/** The sample that a part was made of; undefined for a part that is not the editor's own word. */
function sampleOf(part: UserPart): EditorSample | undefined {
  if (!isPart(part) || "literal" in part || "delta" in part) return undefined;
  if (part.type === "editor-context") {
    const { kind, source, payload, emitted_at } = part;
    return { kind, ...(source !== undefined && { source }), payload, emitted_at };
  }
  return part.type === "file-ref" ? sliceOf(part) : undefined;
}

/** Only a slice whose revision is known can be told from another one. */
function sliceOf({ ref, context }: PartOf<"file-ref">): EditorSample | undefined {
  if (ref.kind !== "path" || ref.range === undefined || typeof context !== "object")
    return undefined;
  const { kind, source, emitted_at, revision } = (context ?? {}) as Record<string, unknown>;
  if (typeof kind !== "string" || typeof revision !== "string") return undefined;
  return {
    kind,
    ...(typeof source === "string" && { source }),
    emitted_at: typeof emitted_at === "number" ? emitted_at : 0,
    file: { path: ref.path, range: ref.range, revision },
  };
}
