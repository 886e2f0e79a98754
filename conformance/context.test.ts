/**
 * Whatever history, budget and pins there are: each part that came in is in the manifest once, what
 * is sent is taken by the strict model of every protocol, and the same input gives the same bytes.
 */
import assert from "node:assert/strict";
import {
  type AssembleInput,
  accountFor,
  assemble,
  type BudgetState,
  type HistoryMessage,
  materializeParts,
  type Pin,
} from "@galley/assemble";
import type { AssistantPart, Message, UserPart } from "@galley/parts";
import { acceptsMedia, createForme, toPrompt, type WireRequest } from "@galley/shape";
import fc from "fast-check";
import { FILES, history, text } from "./arbitrary.ts";
import { caseLoader } from "./case-file.ts";
import { PROVIDERS, type Provider } from "./providers.ts";
import { refusalBy } from "./rehearse.ts";
import { verifies } from "./verifies.ts";

const id = fc.constantFrom("c1", "c2", "c3", "");
/** Of tool pairs that other programs keep apart, in any order and in the wrong places. */
const half = fc.oneof(
  id.map((value) => ({ type: "tool_use", id: value, name: "read", input: {} })),
  fc.tuple(id, text).map(([tool_use_id, content]) => ({
    type: "tool_result",
    tool_use_id,
    content,
  })),
  id.map((toolCallId) => ({ type: "tool-call", toolCallId, toolName: "grep" })),
);
const long = fc.constantFrom("words ".repeat(400), "日本".repeat(300), "x = [1, 2];\n".repeat(90));
const result = fc.tuple(long, fc.constantFrom("tool-read", "tool-skill")).map(([output, type]) => ({
  type,
  state: "output-available",
  input: {},
  output,
}));
const extra = fc.record({
  at: fc.nat({ max: 9 }),
  row: fc.oneof(
    { weight: 1, arbitrary: fc.constant({ role: "system", parts: [{ type: "text", text: "s" }] }) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom("user", "assistant"), fc.array(half, { maxLength: 3 }))
        .map(([role, parts]) => ({ role, parts })),
    },
    {
      weight: 4,
      arbitrary: fc
        .array(result, { minLength: 1, maxLength: 3 })
        .map((parts) => ({ role: "assistant", parts })),
    },
  ),
});
const pins = fc.array(
  fc.oneof(
    text.map((said) => ({ name: "a.ts", text: said })),
    fc.constant({ failed: "permission denied\n[file: b]" }),
  ),
  { maxLength: 3 },
);
const given = fc.record({
  messages: history,
  extras: fc.array(extra, { maxLength: 5 }),
  pins: pins.map((all) => all.map((pin, at): Pin => ({ id: `p${at}`, ...pin }))),
  contextWindow: fc.oneof(fc.integer({ min: 300, max: 2_000 }), fc.constant(200_000)),
  rounds: fc.nat({ max: 2 }),
  ids: fc.boolean(),
});
type Given = typeof given extends fc.Arbitrary<infer T> ? T : never;

/** With system rows, halves and long results put in anywhere, each call under an id of its own. */
async function historyOf({ messages, extras, ids }: Given): Promise<HistoryMessage[]> {
  const all: object[] = await Promise.all(messages.map(contextOf));
  extras.forEach(({ at, row }, index) => {
    const parts = (row.parts as readonly object[]).map((part, number) =>
      "state" in part ? { ...part, toolCallId: `x${index}.${number}` } : part,
    );
    const message = row.role === "user" ? { materials: [] } : {};
    all.splice(Math.min(at, all.length - 1), 0, { ...row, ...message, parts });
  });
  // The generators build what the types say, which the compiler cannot follow.
  return all.map((each, at) => (ids ? { ...each, id: `m${at}` } : each)) as HistoryMessage[];
}

async function contextOf(message: Message): Promise<HistoryMessage> {
  if (message.role === "assistant") {
    return { role: "assistant", parts: message.parts as readonly AssistantPart[] };
  }
  const parts = message.parts as readonly UserPart[];
  return { role: "user", parts, materials: await materializeParts(parts, LOADER) };
}

const LOADER = caseLoader({ files: FILES });

function inputFor(each: Given, messages: readonly HistoryMessage[], { profile }: Provider) {
  return {
    layers: [{ id: "agent", text: "You help." }],
    messages,
    contextWindow: each.contextWindow,
    maxOutput: 100,
    pins: each.pins,
    shows: (mime: string) => acceptsMedia(profile, mime),
    budget: { rounds: each.rounds },
  } satisfies AssembleInput;
}

function print(input: AssembleInput, { protocol, profile }: Provider): WireRequest {
  const { context } = assemble(input);
  const forme = createForme(protocol, profile);
  for (const message of context.messages) forme.append(message);
  const { layers, tools } = context;
  return forme.request({ layers, tools, settings: { stream: true, cache: "auto" } });
}

const placesOf = (messages: readonly HistoryMessage[]) =>
  messages.flatMap(({ role, parts }) => parts.map(({ type }, part) => [role, part, type]));

for (const provider of PROVIDERS) {
  verifies(
    "context/every-block-once",
    `${provider.name}: every part is in the manifest once, and what is sent is taken`,
    async () => {
      await fc.assert(
        fc.asyncProperty(given, async (each) => {
          const messages = await historyOf(each);
          const input = inputFor(each, messages, provider);
          const { manifest } = assemble(input);
          const places = manifest.blocks.map(({ role, part, type }) => [role, part, type]);
          assert.deepEqual(places, placesOf(messages));
          if (manifest.over_limit) {
            assert.ok(manifest.refusal && manifest.refusal.ways_out.length > 0);
            return;
          }
          const request = print(input, provider);
          const account = accountFor(manifest, request.outcomes());
          assert.deepEqual(
            account.blocks.map(({ outcome }) => outcome === undefined),
            account.blocks.map(() => false),
          );
          for (const { outcome, bytes = [] } of account.blocks) {
            assert.equal(bytes.length === 0, outcome === "resolved-out");
          }
          assert.equal(refusalBy(provider, request.body, true), undefined);
        }),
        { numRuns: 120 },
      );
    },
  );

  verifies(
    "context/same-input-same-bytes",
    `${provider.name}: the same input, and the same state again, give the same bytes`,
    async () => {
      await fc.assert(
        fc.asyncProperty(given, async (each) => {
          const first = inputFor(each, await historyOf(each), provider);
          const { manifest, budget: state = { elided: {} } } = assemble(first);
          if (manifest.over_limit) return;
          const bytes = text64(print(first, provider));
          const again = inputFor(each, await historyOf(each), provider);
          assert.equal(text64(print(again, provider)), bytes);
          assert.equal(text64(print(kept(again, state), provider)), bytes);
        }),
        { numRuns: 60 },
      );
    },
  );
}

verifies(
  "context/every-block-once",
  "the AI SDK: its prompt has an outcome for every part that the manifest places",
  async () => {
    await fc.assert(
      fc.asyncProperty(given, fc.constantFrom(...PROVIDERS), async (each, provider) => {
        const { context, manifest } = assemble(inputFor(each, await historyOf(each), provider));
        const { outcomes } = toPrompt(context, provider.profile, "openai.chat");
        const { blocks } = accountFor(manifest, outcomes);
        assert.ok(blocks.every(({ outcome }) => outcome !== undefined));
      }),
      { numRuns: 120 },
    );
  },
);

/** As a continuation is made: nothing is decided, and what was left out stays so. */
const kept = (input: AssembleInput, state: BudgetState): AssembleInput => ({
  ...input,
  budget: { ...input.budget, state: JSON.parse(JSON.stringify(state)), decides: false },
});

const text64 = ({ body }: WireRequest): string => Buffer.from(body).toString("base64");
