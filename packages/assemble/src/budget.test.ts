/** What is left out, in which order, for how long, and when the send is refused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AssistantPart } from "@galley/parts";
import { type AssembleInput, assemble } from "./assemble.ts";
import type { BudgetState } from "./budget.ts";
import type { ContextMessage, UserContext } from "./context.ts";
import { refusalText } from "./refusal.ts";

const words = (tokens: number): string => "日".repeat(Math.floor(tokens / 0.72));
const ask = (id: string, text = "go on"): UserContext => ({
  role: "user",
  id,
  parts: [{ type: "text", text }],
  materials: [],
});
const attach = (id: string, tokens: number): UserContext => ({
  role: "user",
  id,
  parts: [
    { type: "file-ref", ref: { kind: "path", path: "notes\n.md" } },
    { type: "text", text: "read it" },
  ],
  materials: [{ kind: "text", text: words(tokens), size: 1 }],
});
const tool = (id: string, tokens: number, name = "read"): AssistantPart => ({
  type: `tool-${name}`,
  toolCallId: id,
  state: "output-available",
  input: { path: id },
  output: words(tokens),
});
const ran = (id: string, ...parts: AssistantPart[]): ContextMessage => ({
  role: "assistant",
  id,
  parts,
});

const send = (
  messages: readonly ContextMessage[],
  limit: number,
  state?: BudgetState,
  more?: Partial<AssembleInput>,
) =>
  assemble({
    layers: [],
    messages,
    contextWindow: limit + 100,
    maxOutput: 100,
    budget: { ...(state && { state }) },
    ...more,
  });
const left = ({ manifest }: ReturnType<typeof send>) =>
  manifest.elisions.map(({ message_id, part, stage }) => `${message_id}/${part} ${stage}`);

/** Five rounds of 500 tokens each, and an attachment of 500. */
const HISTORY: readonly ContextMessage[] = [
  attach("u0", 500),
  ran("a1", tool("c1", 500)),
  ask("u1"),
  ran("a2", tool("c2", 500), { type: "step-start" }, tool("c3", 500)),
  ask("u2"),
  ran("a3", tool("c4", 500), { type: "step-start" }, tool("c5", 500)),
  ask("u3"),
];

test("what fits is left alone, the same objects", () => {
  const sent = send(HISTORY, 4000);
  assert.deepEqual(left(sent), []);
  assert.ok(sent.context.messages.every((message, at) => message === HISTORY[at]));
  assert.deepEqual(sent.budget, { elided: {} });
});

test("old tool results go first, the oldest first, down to the low-water mark", () => {
  const sent = send(HISTORY, 2900);
  assert.deepEqual(left(sent), ["a1/0 tool-result", "a2/0 tool-result"]);
  assert.ok(sent.manifest.estimate <= 2900 * 0.8 && sent.manifest.estimate > 2900 * 0.8 - 500);
});

test("then old attachments; the results of the last two rounds stay", () => {
  const sent = send(HISTORY, 1500);
  assert.deepEqual(left(sent), [
    "u0/0 attachment",
    "a1/0 tool-result",
    "a2/0 tool-result",
    "a2/2 tool-result",
  ]);
  assert.equal(sent.manifest.over_limit, false);
});

test("how many rounds stay, and where the mark is, can be said", () => {
  const under = (budget: NonNullable<AssembleInput["budget"]>) =>
    left(assemble({ layers: [], messages: HISTORY, contextWindow: 3000, maxOutput: 100, budget }));
  assert.deepEqual(under({ rounds: 4 }), ["u0/0 attachment", "a1/0 tool-result"]);
  assert.deepEqual(under({ rounds: 4, lowWater: 0.95 }), ["a1/0 tool-result"]);
  assert.deepEqual(under({ rounds: 5 }), ["u0/0 attachment"]);
});

test("a call stays in its place, and its line tells how much was left out", () => {
  const { context, manifest } = send(HISTORY, 2900);
  const line = "[tool result elided, about 500 tokens: call the tool again if it is needed]";
  assert.deepEqual(context.messages[1], { ...HISTORY[1], elided: { 0: line } });
  assert.deepEqual([manifest.blocks[2]?.outcome, manifest.blocks[2]?.why], ["elided", line]);
});

test("a file's name is on the line, and cannot leave it", () => {
  const { context } = send(HISTORY, 1500);
  assert.match(
    context.messages[0]?.elided?.[0] ?? "",
    /^\[attachment elided: notes \.md, about 5\d\d tokens that were shown earlier\]$/,
  );
});

test("what was left out stays out, in the same words and the same objects, when there is room", () => {
  const first = send(HISTORY, 2900);
  const grown = [...HISTORY, ran("a4", { type: "text", text: "so" }), ask("u4")];
  const next = send(grown, 100_000, first.budget);
  assert.deepEqual(left(next), left(first));
  assert.deepEqual(
    next.manifest.elisions.map(({ fresh }) => fresh),
    [false, false],
  );
  assert.ok(first.context.messages.every((message, at) => message === next.context.messages[at]));
});

test("the line is frozen: neither calibration nor a new wording changes its bytes", () => {
  const state: BudgetState = { elided: { "a1/0": { tokens: 7, line: "[as it was said]" } } };
  const { context, manifest } = send(HISTORY, 100_000, state);
  assert.equal(context.messages[1]?.elided?.[0], "[as it was said]");
  assert.equal(manifest.elisions[0]?.tokens, 7);
  const longer: BudgetState = { elided: { "a1/0": { tokens: 7, line: words(200) } } };
  const grown = send(HISTORY, 100_000, longer).manifest;
  assert.ok(grown.estimate - manifest.estimate > 180, "the line that stands there is counted");
});

test("what a line in its place would not make smaller stays", () => {
  const small = ["c1", "c2", "c3"].flatMap((id) => [{ type: "step-start" } as const, tool(id, 10)]);
  const history = [ask("u"), ran("a", tool("c0", 500), ...small, tool("c4", 10)), ask("v")];
  const budget = { rounds: 0, lowWater: 0 };
  assert.deepEqual(left(send(history, 400, undefined, { budget })), ["a/0 tool-result"]);
});

test("calls that were made at once are one round, also with data between them", () => {
  const data: AssistantPart = { type: "data-x", data: 1 };
  const step: AssistantPart = { type: "step-start" };
  const parts = [tool("c1", 500), step, tool("c2", 500), data, tool("c3", 500), tool("c4", 500)];
  const budget = { rounds: 1 };
  const sent = send([ask("u"), ran("a", ...parts), ask("v")], 1800, undefined, { budget });
  assert.deepEqual(left(sent), ["a/0 tool-result"]);
});

test("a call that is not over yet is not left out, whatever it has said so far", () => {
  const running = { ...tool("c1", 500), state: "approval-responded" } as AssistantPart;
  const step: AssistantPart = { type: "step-start" };
  const history = [ask("u"), ran("a", running, step, tool("c2", 5), step, tool("c3", 5)), ask("v")];
  assert.equal(send(history, 300).manifest.over_limit, true);
});

test("the state is plain JSON and is only added to", () => {
  const first = send(HISTORY, 2900).budget as BudgetState;
  assert.deepEqual(JSON.parse(JSON.stringify(first)), first);
  const next = send(HISTORY, 1500, first).budget as BudgetState;
  assert.deepEqual(Object.keys(next.elided).slice(0, 2), Object.keys(first.elided));
  assert.equal(Object.keys(next.elided).length, 4);
});

test("what may not be left out any more is shown again, as after a rewind to its message", () => {
  const { budget } = send(HISTORY, 1500);
  const rewound = send(HISTORY.slice(0, 1), 1500, budget);
  assert.deepEqual(left(rewound), []);
});

test("the results of a skill stay, however old: the conversation goes by them", () => {
  const history = [
    ask("u"),
    ran("a1", tool("c1", 500, "skill"), { type: "step-start" }, tool("c2", 500)),
    ...HISTORY.slice(4),
  ];
  assert.deepEqual(left(send(history, 1800)), ["a1/2 tool-result"]);
});

test("above the limit with nothing more to leave out the send is refused, with numbers and ways out", () => {
  const { manifest, budget } = send(HISTORY, 1000);
  assert.equal(manifest.over_limit, true);
  assert.ok(manifest.floor > 1000 && manifest.floor < 1200, `floor ${manifest.floor}`);
  assert.deepEqual(manifest.refusal?.ways_out, [
    "compact the conversation",
    "choose a model with a larger context window",
  ]);
  assert.deepEqual(budget, { elided: {} });
  assert.match(
    refusalText({ estimate: 9, limit: 5, floor: 7, ways_out: ["a", "b"] }),
    /about 9 tokens and 5 fit; .* about 7: a, or b$/,
  );
});

test("a message that is too large by itself, and a pin, have their own ways out", () => {
  const pins = [
    { id: "big", text: words(300) },
    { id: "small", text: "x" },
  ];
  const { manifest } = send([ask("u", words(2000))], 1000, undefined, { pins });
  assert.match(
    manifest.refusal?.ways_out.join("; ") ?? "",
    /^unpin big \(about 3\d\d tokens\); send less/,
  );
});

test("the floor is what is left when all that may go has gone", () => {
  const { manifest } = send(HISTORY, 1500);
  assert.equal(manifest.floor, manifest.estimate);
});

test("without a budget nothing is left out; the manifest says that it does not fit", () => {
  const { budget: _, ...input } = {
    layers: [],
    messages: HISTORY,
    contextWindow: 1600,
    maxOutput: 100,
    budget: 0,
  };
  const { manifest, budget } = assemble(input);
  assert.deepEqual([manifest.elisions, manifest.over_limit, budget], [[], true, undefined]);
});

test("messages without an id are remembered by place and content", () => {
  const nameless = HISTORY.map(({ id: _, ...message }) => message as ContextMessage);
  const first = send(nameless, 2900);
  assert.equal(first.manifest.elisions.length, 2);
  assert.equal(send(nameless, 100_000, first.budget).manifest.elisions.length, 2);
  const { id: _, ...changed } = ran("", tool("c1", 499));
  const other = nameless.with(1, changed as ContextMessage);
  assert.equal(send(other, 100_000, first.budget).manifest.elisions.length, 1);
});
