/**
 * A sample as a part, and a part as the fact that it carries.
 *
 * The part shape is the vocabulary's; what is added here are three marks. `origin` says how it came
 * into the message, so that a person can take out what came on its own. `delta` says that the fact
 * is the same as an earlier message gave (`unchanged`) or is over (`cleared`). `context` on a
 * `file-ref` says which state of the editor the slice was.
 */
import { canonicalJson, type PartOf, type UserPart } from "@galley/parts";
import { capPayload } from "./cap-payload.ts";
import type { ContextPattern, ContextPolicy } from "./policy.ts";
import { type EditorSample, type JsonObject, type SliceSample, subjectOf } from "./sample.ts";

export type ContextPart = PartOf<"editor-context"> | PartOf<"file-ref">;

export function contextPart(
  sample: EditorSample,
  origin: ContextPattern,
  policy: Pick<ContextPolicy, "maxBytes">,
): ContextPart {
  if (sample.file === undefined) return statePart(sample, sample.payload, origin, policy);
  if (sample.file.unsaved === undefined) return slicePart(sample, sample.file, origin);
  // The file on disk holds something else, so a reference would show the model the wrong lines.
  const { path, range, unsaved } = sample.file;
  return statePart(
    sample,
    { path, range: { ...range } as JsonObject, text: unsaved, unsaved: true },
    origin,
    policy,
  );
}

type About = Pick<EditorSample, "kind" | "source" | "emitted_at">;

function statePart(
  { kind, source, emitted_at }: About,
  payload: JsonObject,
  origin: ContextPattern,
  { maxBytes }: Pick<ContextPolicy, "maxBytes">,
): PartOf<"editor-context"> {
  const capped = capPayload(payload, maxBytes).payload;
  // The cap copies or hands back what the sample holds; a part is not frozen in its type.
  const own = capped as PartOf<"editor-context">["payload"];
  return {
    type: "editor-context",
    kind,
    ...(source !== undefined && { source }),
    payload: own,
    emitted_at,
    origin,
  };
}

function slicePart(
  { kind, source, emitted_at }: About,
  { path, range, revision }: SliceSample["file"],
  origin: ContextPattern,
): PartOf<"file-ref"> {
  return {
    type: "file-ref",
    ref: { kind: "path", path, range },
    origin,
    context: {
      kind,
      ...(source !== undefined && { source }),
      emitted_at,
      ...(revision !== undefined && { revision }),
    },
  };
}

export const unchangedPart = (
  { kind, source, emitted_at }: About,
  since: { readonly message_id?: string; readonly emitted_at: number },
): ContextPart => ({
  type: "editor-context",
  kind,
  ...(source !== undefined && { source }),
  // Readable for whoever does not know the mark.
  payload: { unchanged: true },
  emitted_at,
  origin: "automatic",
  delta: "unchanged",
  since: { ...since },
});

export const clearedPart = ({ kind, source, emitted_at }: About): ContextPart => ({
  type: "editor-context",
  kind,
  ...(source !== undefined && { source }),
  payload: { cleared: true },
  emitted_at,
  origin: "automatic",
  delta: "cleared",
});

export type Fact = {
  readonly subject: string;
  readonly kind: string;
  readonly source?: string;
  readonly emitted_at: number;
  readonly delta?: "unchanged" | "cleared";
  /** Equal texts are equal facts; absent when nobody can tell. */
  readonly print?: string;
};

/** The fact in a part; undefined when the part is none of editor context. */
export function factOf(part: UserPart): Fact | undefined {
  if (part.type === "editor-context") return stateFact(part as PartOf<"editor-context">);
  return part.type === "file-ref" ? sliceFact(part as PartOf<"file-ref">) : undefined;
}

function stateFact(part: PartOf<"editor-context">): Fact {
  const { kind, source, emitted_at, payload, delta } = part;
  const about = { kind, ...(source !== undefined && { source }) };
  return {
    subject: subjectOf(about),
    ...about,
    emitted_at,
    ...(delta === "unchanged" || delta === "cleared" ? { delta } : {}),
    print: canonicalJson([kind, source ?? null, payload]),
  };
}

function sliceFact({ ref, context }: PartOf<"file-ref">): Fact | undefined {
  if (!isContext(context)) return undefined;
  const { kind, source, emitted_at, revision } = context;
  const about = { kind, ...(source !== undefined && { source }) };
  return {
    subject: subjectOf(about),
    ...about,
    emitted_at,
    ...(revision !== undefined && { print: canonicalJson([kind, source ?? null, ref, revision]) }),
  };
}

type SliceContext = About & { readonly revision?: string };

/** The mark may come from a client: it is believed where it has the form. */
function isContext(context: unknown): context is SliceContext {
  if (typeof context !== "object" || context === null) return false;
  const { kind, source, emitted_at, revision } = context as Record<string, unknown>;
  const isName = (value: unknown): boolean => value === undefined || typeof value === "string";
  return (
    typeof kind === "string" && typeof emitted_at === "number" && isName(source) && isName(revision)
  );
}
