/** What is left out of a long conversation: decided once a segment, kept, and told. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type ContextMessage, NOTHING_ELIDED, type Pin } from "@galley/assemble";
import type { AssistantPart } from "@galley/parts";
import { budgetOf } from "./context-budget.ts";
import { openRounds, type RoundsInput } from "./context-rounds.ts";
import { wholeManifests } from "./context-rows.ts";
import { calls, PROFILE, says, scripted, stage, tool } from "./scripted.ts";

const call = (id: string, output: string): AssistantPart => ({
  type: "tool-read",
  toolCallId: id,
  state: "output-available",
  input: {},
  output,
});
const LONG = "words and more words ".repeat(200);
const HISTORY: readonly ContextMessage[] = [
  { role: "user", id: "u1", parts: [{ type: "text", text: "go" }], materials: [] },
  {
    role: "assistant",
    id: "a1",
    parts: ["1", "2", "3", "4"].flatMap((id) => [{ type: "step-start" }, call(id, LONG)]),
  },
  { role: "user", id: "u2", parts: [{ type: "text", text: "on" }], materials: [] },
];
const INPUT: RoundsInput = {
  profile: { ...PROFILE, contextWindow: 3_000, maxOutput: 1_000 },
  layers: [],
  history: HISTORY,
  tools: [],
  pins: [],
  answer_id: "a2",
  budget: NOTHING_ELIDED,
};

test("the first round leaves out what is old; those after it repeat that and only append", () => {
  const rounds = openRounds(INPUT);
  const first = rounds.next([]);
  assert.deepEqual(
    first.manifest.elisions.map(({ part, fresh }) => [part, fresh]),
    [
      [1, true],
      [3, true],
    ],
  );
  assert.deepEqual(Object.keys(first.budget?.elided ?? {}), ["a1/1", "a1/3"]);
  const second = rounds.next([{ type: "step-start" }, call("5", "short")]);
  assert.equal(second.budget, undefined);
  assert.deepEqual(
    second.manifest.elisions.map(({ part, fresh }) => [part, fresh]),
    [
      [1, false],
      [3, false],
    ],
  );
  assert.deepEqual(second.context.messages.slice(0, 3), first.context.messages);
  assert.equal(second.context.messages[1], first.context.messages[1]);
  assert.equal(second.manifest.changed?.lost_tokens, 0);
});

test("a continuation that does not fit any more is refused and says how to go on", () => {
  const rounds = openRounds(INPUT);
  rounds.next([]);
  const parts = ["5", "6", "7"].flatMap((id) => [{ type: "step-start" } as const, call(id, LONG)]);
  const { manifest } = rounds.next(parts);
  assert.equal(manifest.over_limit, true);
  assert.deepEqual(
    manifest.elisions.map(({ fresh }) => fresh),
    [false, false],
  );
  assert.ok((manifest.refusal?.floor ?? 0) <= (manifest.refusal?.limit ?? 0));
  assert.equal(
    manifest.refusal?.ways_out[0],
    "send a message to go on: what is old is left out then",
  );
});

test("pins stand in the last typed message, the same in every round", () => {
  const pins: readonly Pin[] = [{ id: "p", name: "a.ts", text: "pinned words" }];
  const rounds = openRounds({ ...INPUT, profile: PROFILE, pins });
  const first = rounds.next([]);
  const second = rounds.next([call("5", "x")]);
  assert.equal(first.context.messages[2]?.parts.length, 2);
  assert.equal(second.context.messages[2], first.context.messages[2]);
  assert.equal(first.context.messages[0], HISTORY[0]);
});

test("what was left out is kept with the session, for each model, and stays left out", async (t) => {
  const small = { ...PROFILE, contextWindow: 2_700, maxOutput: 100 };
  const tools = [
    tool("read", { run: async () => ({ type: "output", data: LONG }) }),
    tool("question", { waits: "question" }),
  ];
  const loop = [1, 2, 3].map((at) => calls([`c${at}`, "read"]));
  const asks = calls(["c4", "read"], ["q1", "question"]);
  const world = await stage(t, {
    tools,
    model: scripted([...loop, asks, says("Done."), says("Again.")], small),
  });
  assert.equal((await world.run(0)).end.type, "blocked");
  assert.equal((await world.run(1)).end.type, "finished");
  const row = await world.store.sessions.get("ses_1");
  assert.ok(row);
  const kept = budgetOf(row, "scripted/one");
  assert.deepEqual(Object.keys(kept.elided), ["msg_a/1", "msg_a/3"]);
  assert.deepEqual(budgetOf(row, "another/model"), NOTHING_ELIDED);
  await world.run(2);
  const last = (await wholeManifests(world.store, "ses_1")).at(-1);
  assert.deepEqual(
    last?.manifest.elisions?.map(({ part, fresh }) => [part, fresh]),
    [
      [1, false],
      [3, false],
    ],
  );
});

test("what another program left under the key is nothing", () => {
  const session = (value: unknown) =>
    ({ metadata_json: JSON.stringify({ context_budget: value }) }) as Parameters<
      typeof budgetOf
    >[0];
  for (const value of [null, 3, [], { "a/b": 1 }, { "a/b": { elided: { x: { tokens: "1" } } } }]) {
    assert.deepEqual(budgetOf(session(value), "a/b"), NOTHING_ELIDED);
  }
});

test("a provider's count of the first request of a turn is learned from, and of no other", async (t) => {
  const learned: unknown[] = [];
  const world = await stage(t, {
    tools: [tool("read")],
    tries: [calls(["c1", "read"]), says("Done."), says("More.")],
    deps: {
      calibrations: {
        of: () => undefined,
        learn: (model, { counted, estimated }) =>
          learned.push([model, counted, estimated.prose > 0]),
      },
    },
  });
  await world.run();
  assert.deepEqual(learned, [["scripted/one", 3, true]]);
  await world.run(1);
  assert.equal(learned.length, 1);
});
