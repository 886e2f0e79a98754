/**
 * Our bodies mean what the AI SDK's providers send for the same conversation. Where they do not, a
 * row of the table says why; a row that no longer applies is a failure too.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readMessage } from "@galley/parts";
import { createForme, findModel } from "@galley/shape";
import { aiSdkBody, type Conversation } from "./ai-sdk-body.ts";
import { coversPath, type Difference, differences } from "./difference.ts";
import { NEUTRAL } from "./neutral.ts";
import { parseBody } from "./print-case.ts";
import { PROVIDERS, type ProviderName } from "./providers.ts";
import { SAMPLES } from "./samples.ts";
import { verifies } from "./verifies.ts";

const text = (value: string) => ({ type: "text", text: value });
const user = (...parts: object[]) => ({ role: "user", parts });
const file = (name: string, mime: string, data: string) => ({
  type: "file-attachment",
  name,
  mime,
  data,
});
const call = (toolCallId: string, rest: object) => ({
  type: "tool-read",
  toolCallId,
  input: { path: toolCallId },
  ...rest,
});
const done = (output: unknown) => ({ state: "output-available", output });
const step = { type: "step-start" };
const answer = (...parts: object[]) => ({ role: "assistant", parts });

const SCENARIOS: Readonly<Record<string, readonly object[]>> = {
  text: [user(text("Grüße, 世界"), text("zweitens"))],
  conversation: [user(text("hi")), answer(step, text("Hello.")), user(text("go on"))],
  images: [
    user(
      text("compare"),
      file("a.png", "image/png", SAMPLES.png),
      file("c.webp", "image/webp", SAMPLES.webp),
    ),
  ],
  pdf: [user(file("spec.pdf", "application/pdf", SAMPLES.pdf), text("sum it up"))],
  "tool loop": [
    user(text("read a, then b")),
    answer(
      step,
      text("I read."),
      call("c1", done("one")),
      step,
      call("c2", done("two")),
      step,
      text("Done."),
    ),
    user(text("thanks")),
  ],
  "parallel calls": [
    user(text("read both")),
    answer(step, call("c1", done("one")), call("c2", done("two"))),
  ],
  "a result that is data": [
    user(text("read")),
    answer(step, call("c1", done({ lines: 2, text: "x" }))),
  ],
  "a failed call": [
    user(text("read")),
    answer(step, call("c1", { state: "output-error", errorText: "ENOENT" })),
  ],
};

const LAYERS = [
  { id: "agent", text: "You help." },
  { id: "instructions", text: "Use tabs." },
];
const TOOLS = [
  {
    name: "read",
    description: "Reads a file.",
    input_schema: { type: "object", properties: { path: { type: "string" } } },
  },
];

type Row = {
  readonly provider: ProviderName;
  /** Where it is seen, if not everywhere. */
  readonly scenario?: string;
  readonly path: string;
  /** What the difference has to look like: a row excuses no other. */
  readonly when: (ours: unknown, theirs: unknown) => boolean;
  readonly reason: string;
};

const failureLine = {
  when: (ours: unknown, theirs: unknown) =>
    typeof ours === "string" &&
    typeof theirs === "string" &&
    ours === `[error]\n${JSON.parse(theirs).error}`,
  reason: "a failure begins with a line that says so, instead of JSON around the message",
};

const DELIBERATE: readonly Row[] = [
  {
    provider: "anthropic",
    path: "tools.*.eager_input_streaming",
    when: (ours) => ours === undefined,
    reason: "it streams inputs before they are checked; we want them whole or marked as broken",
  },
  { provider: "openai", path: "turns.*.output", ...failureLine },
  { provider: "openai-chat", path: "turns.*.text", ...failureLine },
  {
    provider: "gemini",
    path: "turns.*.under",
    when: (ours, theirs) => ours === "output" && theirs === "content",
    reason: "`output` is the key that Google's own documents name for a result",
  },
  {
    provider: "gemini",
    path: "turns.*.result",
    when: (ours, theirs) => ours === JSON.stringify(theirs),
    reason: "a result is the same text on every provider, also when it is data",
  },
  {
    provider: "gemini",
    scenario: "parallel calls",
    path: "turns.2.thoughtSignature",
    when: (ours) => ours === undefined,
    reason:
      "only the first call of a step has a signature; the model gives none to those beside it",
  },
];

const MODELS: { readonly [N in ProviderName]: string } = {
  anthropic: "anthropic/claude-haiku-5-5",
  openai: "openai/gpt-5.5",
  "openai-chat": "openai-chat/gpt-4.1",
  gemini: "gemini/gemini-3.8-flash",
};

function conversationOf(raw: readonly object[]): Conversation {
  const messages = raw.map((each) => {
    const read = readMessage(each);
    assert.ok(read.ok, read.ok ? "" : read.issues.join("; "));
    return read.value;
  });
  return { messages, layers: LAYERS, tools: TOOLS };
}

function ourBody(name: ProviderName, { messages, layers, tools }: Conversation) {
  const found = findModel(MODELS[name]);
  const provider = PROVIDERS.find((each) => each.name === name);
  assert.ok(found.ok && provider, MODELS[name]);
  const forme = createForme(provider.protocol, found.profile);
  for (const message of messages) {
    // Attachments carry their bytes here, so there is nothing to load.
    forme.append({ materials: [], ...message } as Parameters<typeof forme.append>[0]);
  }
  return parseBody(forme.request({ layers, tools, settings: { stream: true, cache: "off" } }));
}

async function compare(name: ProviderName, scenario: string): Promise<Difference[]> {
  const conversation = conversationOf(SCENARIOS[scenario] ?? []);
  const neutral = NEUTRAL[name];
  const theirs = neutral(await aiSdkBody(name, conversation));
  assert.ok(theirs.turns.length > 0 && theirs.system.length === 2, "their body was understood");
  return differences(neutral(ourBody(name, conversation)), theirs);
}

function rowFor(name: ProviderName, scenario: string, found: Difference): Row | undefined {
  return DELIBERATE.find(
    (row) =>
      row.provider === name &&
      (row.scenario ?? scenario) === scenario &&
      coversPath(row.path, found.path) &&
      row.when(found.ours, found.theirs),
  );
}

for (const { name } of PROVIDERS) {
  for (const scenario of Object.keys(SCENARIOS)) {
    verifies("wire/same-meaning", `${name}: ${scenario}`, async () => {
      const unexplained = (await compare(name, scenario)).filter(
        (each) => !rowFor(name, scenario, each),
      );
      assert.deepEqual(unexplained, []);
    });
  }
}

test("every deliberate difference still is one", async () => {
  const used = new Set<Row | undefined>();
  for (const { name } of PROVIDERS) {
    for (const scenario of Object.keys(SCENARIOS)) {
      for (const each of await compare(name, scenario)) used.add(rowFor(name, scenario, each));
    }
  }
  const stale = DELIBERATE.filter((row) => !used.has(row));
  assert.deepEqual(stale, []);
});

test("a changed word, a missing block and a swapped order are seen", () => {
  const turns = (...words: string[]) => ({ turns: words.map((word) => ({ text: word })) });
  assert.deepEqual(differences(turns("a"), turns("b")), [
    { path: "turns.0.text", ours: "a", theirs: "b" },
  ]);
  assert.equal(differences(turns("a", "b"), turns("a")).length, 1);
  assert.equal(differences(turns("a", "b"), turns("b", "a")).length, 2);
  assert.equal(coversPath("turns.*.text", "turns.0.text"), true);
  assert.equal(coversPath("turns.*.text", "turns.0.text.x"), false);
});
