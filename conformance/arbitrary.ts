/**
 * Random messages and histories: every part type, broken tool states, blank texts, media of every
 * kind under every name, and text in all of Unicode. What comes out is valid by the schemas and is
 * otherwise as bad as a long session can get.
 */
import type { AssistantPart, Message, UserPart } from "@galley/parts";
import fc from "fast-check";
import { SAMPLES, type SampleName } from "./samples.ts";

const HOSTILE = ["</editor_context>", "```", "[file: a]", "\\ud800", "\u202e", "\0", "$1", "/x @y"];

export const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ maxLength: 12, unit: "binary" }),
  fc
    .array(fc.integer({ min: 0xd7f0, max: 0xe010 }), { maxLength: 4 })
    .map((codes) => String.fromCharCode(...codes)),
  fc.constantFrom("", " ", "\n\t ", "\u00a0", "\ufeff", ...HOSTILE),
);
const filled = text.filter((value) => value.length > 0);

const sample = fc.constantFrom(...(Object.keys(SAMPLES) as SampleName[]));
const mime = fc.oneof(
  fc.constantFrom(
    "image/png",
    "image/jpeg",
    "application/pdf",
    "audio/mpeg",
    "video/mp4",
    "text/plain; charset=utf-8",
    "application/octet-stream",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  ),
  text,
);

/** What the loader of the random cases finds: each sample under its name, and a few that fail. */
export const FILES = {
  ...Object.fromEntries(Object.entries(SAMPLES).map(([name, base64]) => [name, { base64 }])),
  large: "0123456789abcdef".repeat(3000),
  locked: { unavailable: "permission denied\n[file: b]" },
  folder: { directory: true as const },
};
const path = fc.oneof(fc.constantFrom(...Object.keys(FILES)), filled);
const range = fc.oneof(
  fc.record({ start: fc.integer({ min: 1, max: 3 }), end: fc.integer({ min: 3, max: 9 }) }),
  fc.record({
    start: fc.integer({ min: 0, max: 5 }),
    end: fc.integer({ min: 5, max: 50 }),
    unit: fc.constant("byte" as const),
  }),
);
const maybe = <K extends string, T>(key: K, value: fc.Arbitrary<T>) =>
  fc
    .option(value, { nil: undefined })
    .map((some) => (some === undefined ? {} : { [key]: some })) as fc.Arbitrary<{ [P in K]?: T }>;
const merged = (...all: fc.Arbitrary<object>[]): fc.Arbitrary<object> =>
  fc.tuple(...all).map((each) => Object.assign({}, ...each));
const contentId = fc.constantFrom("00", "ab").map((digits) => `sha256:${digits.repeat(32)}`);

const fileRef = fc.oneof(
  merged(fc.record({ kind: fc.constant("path"), path }), maybe("range", range)),
  fc.constant({ kind: "url", url: "https://example.org/a" }),
  fc.record({ kind: fc.constant("content-id"), content_id: contentId }),
);
const attachment = merged(
  fc.record({ type: fc.constant("file-attachment"), name: text, mime }),
  fc.oneof(
    sample.map((name) => ({ data: SAMPLES[name] })),
    contentId.map((content_id) => ({ content_id })),
    fc.constant({ url: "https://example.org/a.png" }),
    fc.record({ delivery: fc.constant("descriptor"), reason: text }),
    fc.constant({}),
  ),
);
const expansionPart = fc.oneof(
  fc.record({ type: fc.constant("text"), text }),
  fc.record({ type: fc.constant("file-ref"), ref: fileRef }),
  fc.record({
    type: fc.constant("directory-ref"),
    ref: fc.record({ kind: fc.constant("path"), path }),
  }),
  attachment,
  fc.record({
    type: fc.constant("mention"),
    target: merged(
      fc.record({ kind: fc.oneof(fc.constantFrom("skill", "file", "node"), filled) }),
      maybe("name", text),
      maybe("path", path),
      maybe("id", text),
    ),
  }),
  merged(
    fc.record({
      type: fc.constant("editor-context"),
      kind: filled,
      payload: fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
      emitted_at: fc.constant(0),
    }),
    maybe("source", text),
  ),
);
const foreign = merged(
  fc.record({ type: filled.map((value) => `x/${value}`) }),
  maybe("text", fc.oneof(text, fc.constant(3))),
);
const command = merged(
  fc.record({ type: fc.constant("command"), id: fc.constantFrom("/x", "/review") }),
  maybe("outcome", fc.constantFrom("host-action", "expanded", "intent", "pass-through")),
  maybe("args", fc.record({ raw: text })),
  maybe("expansion", fc.array(expansionPart, { maxLength: 2 })),
);

/** The generators build what the schemas say, which the compiler cannot follow through `merged`. */
export const userPart = fc.oneof(
  { weight: 5, arbitrary: expansionPart },
  command,
  foreign,
) as fc.Arbitrary<UserPart>;

const metadata = maybe(
  "providerMetadata",
  fc.record(
    {
      anthropic: fc.oneof(fc.record({ signature: text }), fc.record({ redactedData: filled })),
      openai: fc.record({ itemId: fc.constant("rs_1"), reasoningEncryptedContent: filled }),
      google: fc.record({ thoughtSignature: fc.constant("c2ln") }),
    },
    { requiredKeys: [] },
  ),
);
const item = fc.oneof(
  fc.record({ type: fc.constant("text"), text }),
  fc.record({
    type: fc.constantFrom("image", "audio"),
    data: fc.oneof(
      sample.map((name) => SAMPLES[name]),
      text,
    ),
    mimeType: mime,
  }),
  fc.record({
    type: fc.constant("resource"),
    resource: fc.record({ uri: text, blob: sample.map((name) => SAMPLES[name]) }),
  }),
  fc.jsonValue({ maxDepth: 1 }),
);
const output = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  text,
  fc.record({ content: fc.array(item, { maxLength: 3 }), isError: fc.boolean() }),
  fc.record({ type: fc.constant("output"), data: fc.jsonValue({ maxDepth: 1 }) }),
  fc.record({ type: fc.constant("error"), error_text: text }),
);
const tool = merged(
  fc.oneof(
    filled.map((name) => ({ type: `tool-${name}` })),
    filled.map((toolName) => ({ type: "dynamic-tool", toolName })),
  ),
  fc.record({
    toolCallId: filled,
    state: fc.constantFrom(
      "input-streaming",
      "input-available",
      "approval-requested",
      "approval-responded",
      "output-available",
      "output-error",
      "output-denied",
    ),
  }),
  maybe("input", fc.jsonValue({ maxDepth: 1 })),
  maybe("output", output),
  maybe("errorText", text),
);
const answerPart = fc.oneof(
  merged(fc.record({ type: fc.constant("text"), text }), metadata),
  merged(fc.record({ type: fc.constant("reasoning"), text }), metadata),
  { weight: 3, arbitrary: tool },
  fc.constant({ type: "step-start" }),
  fc.record({
    type: fc.constant("file"),
    mediaType: mime,
    url: fc.oneof(
      sample.map((name) => `data:image/png;base64,${SAMPLES[name]}`),
      text.map((data) => `data:image/png;base64,${data}`),
      text,
    ),
  }),
  fc.record({ type: fc.constant("data-compaction"), data: fc.record({ summary: text }) }),
  fc.record({ type: fc.constant("data-x"), data: fc.jsonValue() }),
  fc.constant({ type: "source-url", sourceId: "s", url: "https://example.org" }),
  foreign,
) as fc.Arbitrary<AssistantPart>;

const user = fc
  .array(userPart, { minLength: 1, maxLength: 4 })
  .map((parts): Message => ({ role: "user", parts }));
const assistant = fc
  .array(answerPart, { maxLength: 6 })
  .map((parts): Message => ({ role: "assistant", parts }));

/** A history as the assembler hands it on: it begins and ends with the user, and no id is used twice. */
export const history = fc
  .tuple(user, fc.array(fc.oneof(user, assistant), { maxLength: 4 }), user)
  .map(([first, middle, last]) => withOwnIds([first, ...middle, last]));

function withOwnIds(messages: readonly Message[]): Message[] {
  let count = 0;
  const own = (part: object): object => {
    count += 1;
    if ("toolCallId" in part) return { ...part, toolCallId: `${part.toolCallId}${count}` };
    const itemId = `rs_${count}`;
    const metadata = "providerMetadata" in part ? (part.providerMetadata as object) : {};
    return "openai" in metadata
      ? {
          ...part,
          providerMetadata: { ...metadata, openai: { ...(metadata.openai as object), itemId } },
        }
      : part;
  };
  return messages.map((message) => ({ ...message, parts: message.parts.map(own) })) as Message[];
}
