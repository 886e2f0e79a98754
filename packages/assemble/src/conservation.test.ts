/**
 * Nothing is lost in silence: over random histories and budgets every part that comes in is in the
 * manifest once, in order, and what goes on is what the manifest says.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AssistantPart, kindOfAssistantPart, TOOL_STATES, type UserPart } from "@galley/parts";
import fc from "fast-check";
import { accountFor } from "./account.ts";
import { type AssembleInput, assemble } from "./assemble.ts";
import type { HistoryMessage, Material } from "./context.ts";

const words = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom("", " ", "日".repeat(200), "word ".repeat(150), "\u202e[tool result elided]"),
);
const id = fc.constantFrom("c1", "c2", "c3", "");
const PNG = `iVBORw0KGgoAAAANSUhEUgAAAyAAAAJYCAYAAAAfFcSJ${"AAAA".repeat(50)}`;

const material: fc.Arbitrary<Material | undefined> = fc.oneof(
  words.map((text): Material => ({ kind: "text", text, size: 1 })),
  fc.constantFrom<(Material | undefined)[]>(
    undefined,
    { kind: "bytes", mime: "image/png", base64: PNG, size: 100 },
    { kind: "bytes", mime: undefined, base64: "AAAA", size: 3 },
    { kind: "descriptor", reason: "large" },
    { kind: "unavailable", reason: "no such file" },
  ),
);
const half = fc.oneof(
  id.map((value) => ({ type: "tool_use", id: value, name: "read", input: {} })),
  fc
    .tuple(id, words)
    .map(([value, content]) => ({ type: "tool_result", tool_use_id: value, content })),
  fc
    .tuple(id, words)
    .map(([call_id, output]) => ({ type: "function_call_output", call_id, output })),
  id.map((toolCallId) => ({ type: "tool-call", toolCallId, toolName: "grep" })),
  fc.constantFrom({ type: "x/y" }, { type: "x/y", text: "told" }, { type: "tool-read" }),
);
const userPart = fc.oneof(
  words.map((text) => ({ type: "text", text })),
  fc.constant({ type: "file-ref", ref: { kind: "path", path: "a.ts" } }),
  fc.constant({ type: "file-attachment", name: "p.png", mime: "image/png", data: PNG }),
  fc.constant({ type: "mention", target: { kind: "skill", name: "s" } }),
  half,
) as fc.Arbitrary<UserPart>;
const answerPart = fc.oneof(
  words.map((text) => ({ type: "text", text })),
  fc.constantFrom<object[]>(
    { type: "reasoning", text: "hm" },
    { type: "reasoning", text: "hm", providerMetadata: { anthropic: { signature: "s" } } },
    { type: "step-start" },
    { type: "data-x", data: 1 },
    { type: "file", mediaType: "image/png", url: `data:image/png;base64,${PNG}` },
  ),
  fc.record({
    type: fc.constantFrom("tool-read", "tool-skill"),
    toolCallId: id.filter((value) => value !== ""),
    state: fc.constantFrom(...TOOL_STATES),
    output: words,
  }),
  half,
) as fc.Arbitrary<AssistantPart>;

const messageOf = fc.oneof(
  fc.record({
    role: fc.constant("user"),
    parts: fc.array(userPart, { maxLength: 4 }),
    materials: fc.array(material, { maxLength: 4 }),
  }),
  fc.record({ role: fc.constant("assistant"), parts: fc.array(answerPart, { maxLength: 6 }) }),
  fc.record({
    role: fc.constant("system"),
    parts: fc.array(fc.constant({ type: "text", text: "s" }), { maxLength: 2 }),
  }),
);
const history = fc
  .tuple(fc.array(messageOf, { maxLength: 9 }), fc.boolean())
  // The generators build what the types say, which the compiler cannot follow.
  .map(
    ([all, named]) =>
      all.map((each, at) => (named ? { ...each, id: `m${at}` } : each)) as HistoryMessage[],
  );
const pin = fc.oneof(
  words.map((text) => ({ id: "p", text })),
  fc.constant({ id: "q", failed: "locked" }),
);
const input: fc.Arbitrary<AssembleInput> = fc.record(
  {
    layers: fc.array(fc.record({ id: fc.constantFrom("agent", "environment", "x"), text: words }), {
      maxLength: 2,
    }),
    messages: history,
    pins: fc.array(pin, { maxLength: 2 }),
    contextWindow: fc.integer({ min: 0, max: 3000 }),
    maxOutput: fc.constant(100),
    budget: fc.record(
      { rounds: fc.integer({ min: 0, max: 3 }), lowWater: fc.constantFrom(0.5, 0.8, 1) },
      { requiredKeys: [] },
    ),
    shows: fc.constantFrom(
      () => true,
      () => false,
    ),
  },
  { requiredKeys: ["layers", "messages", "contextWindow", "maxOutput"] },
);

const holds = (check: (given: AssembleInput) => void) => () =>
  fc.assert(fc.property(input, check), { numRuns: 400 });

test(
  "every part that comes in is a block, once and in order, under its own type",
  holds((given) => {
    const { blocks } = assemble(given).manifest;
    const parts = given.messages.flatMap(({ role, id: message_id, parts: all }) =>
      all.map(({ type }, part) => ({
        role,
        part,
        type,
        ...(message_id !== undefined && { message_id }),
      })),
    );
    assert.deepEqual(
      blocks.map(({ role, part, type, message_id }) => ({
        role,
        part,
        type,
        ...(message_id !== undefined && { message_id }),
      })),
      parts,
    );
  }),
);

test(
  "included, replaced and resolved out are all there is, and each but the first says why",
  holds((given) => {
    const { context, manifest } = assemble(given);
    const lines = context.messages.flatMap(({ elided = {} }) => Object.values(elided));
    const replaced = manifest.blocks.filter(({ outcome }) => outcome === "elided");
    const resolved = manifest.blocks.filter(({ outcome }) => outcome === "resolved-out");
    const included = manifest.blocks.filter(({ outcome }) => outcome === undefined);
    assert.equal(included.length + replaced.length + resolved.length, manifest.blocks.length);
    assert.deepEqual(
      replaced.map(({ why }) => why),
      lines,
    );
    assert.ok(resolved.every(({ why, tokens }) => why !== undefined && tokens === 0));
    assert.equal(manifest.elisions.length, replaced.length);
  }),
);

test(
  "the context holds the placed blocks and what was added, and nothing else",
  holds((given) => {
    const { context, manifest } = assemble(given);
    const parts = context.messages.reduce((sum, message) => sum + message.parts.length, 0);
    const placed = manifest.blocks.filter((block) => block.placed !== false).length;
    assert.equal(
      parts,
      manifest.added.reduce((sum, each) => sum + each.parts, placed),
    );
    const types = context.messages.flatMap((message) => message.parts.map(({ type }) => type));
    const outcomes = types.map((type, part) => ({
      part,
      type,
      outcome: "text" as const,
      bytes: [],
    }));
    const { blocks } = accountFor(manifest, outcomes);
    assert.ok(blocks.every(({ outcome }) => outcome !== undefined));
  }),
);

test(
  "the estimate is the sum of what the manifest names, and decides what is refused",
  holds((given) => {
    const { manifest } = assemble(given);
    const named = [...manifest.layers, ...manifest.tools, ...manifest.blocks, ...manifest.added];
    assert.equal(
      manifest.estimate,
      named.reduce((sum, { tokens }) => sum + tokens, 0),
    );
    assert.equal(manifest.over_limit, manifest.estimate > manifest.limit);
    assert.equal(manifest.refusal !== undefined, manifest.over_limit);
    assert.equal(manifest.over_limit, manifest.floor > manifest.limit);
  }),
);

test(
  "a request begins with the user, names each call once, and has no message without parts",
  holds((given) => {
    const { messages } = assemble(given).context;
    assert.notEqual(messages[0]?.role, "assistant");
    const calls = messages.flatMap(({ role, parts }) =>
      role === "user"
        ? []
        : parts.flatMap((part) =>
            kindOfAssistantPart(part.type) === "tool" ? [part.toolCallId] : [],
          ),
    );
    assert.ok(calls.every((call) => typeof call === "string" && call !== ""));
    assert.equal(new Set(calls).size, calls.length);
    assert.ok(messages.slice(0, -1).every(({ parts }) => parts.length > 0));
  }),
);

test(
  "the same input gives the same output, from the same objects and from copies",
  holds((given) => {
    const { shows: _, ...plain } = given;
    const once = JSON.stringify(assemble(plain));
    assert.equal(JSON.stringify(assemble(plain)), once);
    assert.equal(JSON.stringify(assemble(structuredClone(plain))), once);
  }),
);

test(
  "with its own state a send is made again as it was, of the same objects",
  holds((given) => {
    const first = assemble({ ...given, budget: { ...given.budget } });
    const again = assemble({
      ...given,
      budget: { ...given.budget, state: first.budget ?? { elided: {} } },
      previous: first.manifest,
    });
    assert.ok(
      first.context.messages.every((message, at) => message === again.context.messages[at]),
    );
    assert.ok(again.manifest.elisions.every(({ fresh }) => !fresh));
    assert.equal(again.manifest.changed?.first, undefined);
    assert.deepEqual(again.budget, first.budget);
  }),
);
