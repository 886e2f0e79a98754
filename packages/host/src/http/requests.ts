/**
 * What the calls take. The schemas here are the door and the published description at once.
 *
 * A message may be said in three ways: as itself, as `{ message }` beside options, or in the words
 * of `galley compose`. What is checked is handed on as it came, so that a field which we do not
 * know survives; in our own wrappers an unknown key is refused, because it would be lost. A whole
 * message is checked once, by the pipeline: with megabytes inside, twice would be felt.
 */
import type { Note } from "@galley/compose";
import { MessageId, MessageMetadata, Range, UserMessage, UserPart } from "@galley/parts";
import { z } from "zod";
import { type ComposeInput, type Pipeline, STAGES } from "../pipeline/pipeline.ts";
import { sayIssues } from "./issues.ts";
import { HttpError } from "./problem.ts";

const Typed = z.looseObject({ type: z.literal("typed"), text: z.string() });
const Pasted = z.looseObject({
  type: z.literal("pasted"),
  text: z.string(),
  name: z.string().exactOptional(),
});
const PastedEntity = z.looseObject({
  type: z.literal("pasted-entity"),
  id: z.string().min(1).max(1024),
  source: z.string().exactOptional(),
  payload: z.record(z.string(), z.json()).exactOptional(),
  emitted_at: z.int(),
});
const OF_A_DRAFT = ["typed", "pasted", "pasted-entity"];
/** To the schema of messages these are foreign parts, and would pass as any such. */
const SettledPart = UserPart.refine(({ type }) => !OF_A_DRAFT.includes(type), {
  error: "typed, pasted and pasted-entity stand in draft.parts, each in its own shape",
});

export const DraftPart = z.union([Typed, Pasted, PastedEntity, SettledPart]);
export const Draft = z.strictObject({
  id: MessageId.exactOptional(),
  metadata: MessageMetadata.exactOptional(),
  parts: z.array(DraftPart),
});
const sampled = {
  kind: z.string().min(1),
  source: z.string().exactOptional(),
  emitted_at: z.int().exactOptional().describe("epoch ms; now when absent"),
};
export const EditorSample = z.union([
  z.strictObject({ ...sampled, payload: z.record(z.string(), z.json()) }),
  z.strictObject({
    ...sampled,
    file: z
      .strictObject({
        path: z.string().min(1),
        range: Range,
        revision: z.string().exactOptional(),
        unsaved: z.string().exactOptional(),
      })
      .describe("a state that is a piece of a file, and nothing besides"),
  }),
]);

export const said = {
  text: z
    .string()
    .exactOptional()
    .describe("as it was typed: commands and mentions are looked for in it"),
  draft: Draft.exactOptional().describe("typed text, pastes and parts in any order; after text"),
  refs: z.array(z.string().min(1)).exactOptional().describe("PATH or PATH:10-25"),
  attach: z
    .array(z.string().min(1))
    .exactOptional()
    .describe("paths of files whose bytes go with the message"),
  parts: z
    .array(SettledPart)
    .exactOptional()
    .describe("structured parts; they follow the rest, in order"),
  editor_context: z
    .array(EditorSample)
    .exactOptional()
    .describe("what the editor shows: @selection and the like stand for it; the rest goes along"),
  plain: z.boolean().exactOptional().describe("typed text is text: nothing is looked for in it"),
};

export type Said = {
  readonly [K in keyof typeof said]?: z.infer<(typeof said)[K]>;
};

export const hasWords = ({ text, draft, refs, attach, parts, editor_context }: Said): boolean =>
  Boolean(text) || [draft?.parts, refs, attach, parts, editor_context].some((each) => each?.length);
export const NO_WORDS = "give at least one of text, draft, refs, attach, parts and editor_context";

export const model = z
  .string()
  .min(1)
  .exactOptional()
  .describe("provider/model; the default when absent");

const proofOptions = {
  model,
  all: z.boolean().exactOptional().describe("one proof for each built-in provider, as an array"),
  stage: z.enum(STAGES).exactOptional().describe("only what this stage made"),
};
const notBoth = (options: { model?: unknown; all?: unknown }): boolean =>
  options.all !== true || options.model === undefined;
const NOT_BOTH = "all asks every built-in provider: leave out model";

export const ComposeRequest = z.strictObject(said).refine(hasWords, NO_WORDS);

export const ProofOfMessage = z.strictObject({ message: UserMessage, ...proofOptions });
export const ProofOfWords = z.strictObject({ ...said, ...proofOptions }).refine(hasWords, NO_WORDS);
export const ProofRequest = z.union([UserMessage, ProofOfMessage, ProofOfWords]);
const ProofOptions = z.strictObject(proofOptions).refine(notBoth, NOT_BOTH);

export const TryMessage = z.strictObject({ message: UserMessage, model });
export const TryWords = z.strictObject({ ...said, model }).refine(hasWords, NO_WORDS);
export const TryRequest = z.union([UserMessage, TryMessage, TryWords]);
const TryOptions = z.strictObject({ model });

/** Checks and returns the value itself: the schemas describe and do not transform. */
export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return value as T;
  throw HttpError.make("bad_shape", { issues: sayIssues(result.error.issues) });
}

/** The call's words as the pipeline's input, with nothing in it that was not said. */
export function inputOf({ editor_context, ...words }: Said): ComposeInput {
  const input = { ...words, ...(editor_context && { editorContext: editor_context }) };
  // The schemas and the port's types say the same; one of them writes `undefined` out.
  return input as ComposeInput;
}

export type AskedMessage = {
  readonly message: unknown;
  /** On a message that came in words. */
  readonly notes: readonly Note[];
};

export type Asked<Options> = {
  readonly options: Options;
  /** The message, composed first where it came in words. */
  message(pipeline: Pick<Pipeline, "compose">): Promise<AskedMessage>;
};

export const readProof = (body: unknown) => readAsked(body, ProofOptions, ProofOfWords);
export const readTry = (body: unknown) => readAsked(body, TryOptions, TryWords);

function readAsked<Options extends object>(
  body: unknown,
  options: z.ZodType<Options>,
  words: z.ZodType<Said & Options>,
): Asked<Options> {
  const fields = checked(z.looseObject({}), body);
  const asItIs = (message: unknown) => async (): Promise<AskedMessage> => ({ message, notes: [] });
  if (Object.hasOwn(fields, "role")) {
    return { options: checked(options, {}), message: asItIs(fields) };
  }
  if (Object.hasOwn(fields, "message")) {
    const { message, ...rest } = fields;
    return { options: checked(options, rest), message: asItIs(message) };
  }
  const all = Object.entries(checked(words, fields));
  const isSaid = ([key]: readonly [string, unknown]): boolean => Object.hasOwn(said, key);
  const input = inputOf(Object.fromEntries(all.filter(isSaid)));
  return {
    options: checked(options, Object.fromEntries(all.filter((each) => !isSaid(each)))),
    message: (pipeline) => pipeline.compose(input),
  };
}

const flag = z.enum(["true", "false"]);

export const ComposeQuery = z.strictObject({
  explain: flag.exactOptional().describe("true: the message with its notes and actions beside it"),
});
export const CommandsQuery = z.strictObject({
  q: z.string().max(256).exactOptional().describe("the beginning of a name, with or without slash"),
});
export const MentionsQuery = z.strictObject({
  q: z.string().max(1024).exactOptional().describe("what is typed behind the @"),
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|1\d\d|200)$/, "a number from 1 to 200")
    .exactOptional()
    .describe("1 to 200; 50 when absent"),
});

export function checkedQuery<T>(schema: z.ZodType<T>, query: Record<string, string>): T {
  const result = schema.safeParse(query);
  if (result.success) return result.data;
  throw HttpError.make("bad_shape", { issues: sayIssues(result.error.issues, ["query"]) });
}
