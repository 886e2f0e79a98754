/** Pins of a session: references in its row, read for each turn, and never in a turn's way. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_LOAD_POLICY, type Loader } from "@galley/assemble";
import { pinnedTo, putPin, readPins, removePin } from "./context-pins.ts";
import { calls, says, stage, tool } from "./scripted.ts";
import { TurnError } from "./turn-error.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const path = (name: string) => ({ kind: "path", path: name }) as const;

const FILES: Loader = {
  async read(ref) {
    const name = ref.kind === "path" ? ref.path : "";
    if (name === "broken") throw new Error("the disk is gone");
    if (name === "picture") return { kind: "whole", bytes: utf8("GIF89a\u0001\u0000\u0001\u0000") };
    if (name === "large") return { kind: "whole", bytes: utf8("x".repeat(300_000)) };
    if (name === "a.ts") return { kind: "whole", bytes: utf8("const a = 1;\n") };
    return { kind: "unavailable", reason: "no such file" };
  },
  readRange: async () => ({
    kind: "range",
    bytes: utf8("two"),
    size: 9,
    shown: { start: 2, end: 2, total: 3 },
  }),
  directoryProblem: async () => "none here",
};
const AROUND = { loader: () => FILES, loadPolicy: async () => DEFAULT_LOAD_POLICY };

test("pins are read as they are now, and one that cannot be says why", async (t) => {
  const { store } = await stage(t);
  const range = { ...path("a.ts"), range: { start: 2, end: 2 } };
  for (const [id, ref] of [
    ["whole", path("a.ts")],
    ["lines", range],
    ["gone", path("b.ts")],
    ["broken", path("broken")],
    ["picture", path("picture")],
    ["large", path("large")],
  ] as const) {
    await putPin(store, "ses_1", { id, ref }, 2);
  }
  const session = await store.sessions.get("ses_1");
  assert.ok(session);
  assert.doesNotMatch(session.metadata_json, /const a/);
  assert.deepEqual(await readPins(session, AROUND), [
    { id: "whole", name: "a.ts", text: "const a = 1;\n" },
    { id: "lines", name: "a.ts (lines 2-2 of 3)", text: "two" },
    { id: "gone", name: "b.ts", failed: "no such file" },
    { id: "broken", name: "broken", failed: "the disk is gone" },
    { id: "picture", name: "picture", failed: "it is not text" },
    { id: "large", name: "large", failed: "over 262144 bytes of text" },
  ]);
});

test("a session without pins reads nothing", async (t) => {
  const { store } = await stage(t);
  const session = await store.sessions.get("ses_1");
  assert.ok(session);
  const nothing = () => {
    throw new Error("nothing is to be read");
  };
  assert.deepEqual(await readPins(session, { loader: nothing, loadPolicy: nothing }), []);
});

test("two that pin at once lose nothing of each other", async (t) => {
  const { store } = await stage(t);
  const ids = ["a", "b", "c", "d"];
  await Promise.all(ids.map((id) => putPin(store, "ses_1", { id, ref: path(id) }, 2)));
  const session = await store.sessions.get("ses_1");
  assert.ok(session);
  assert.deepEqual(
    pinnedTo(session)
      .map(({ id }) => id)
      .toSorted(),
    ids,
  );
  const left = await removePin(store, "ses_1", "b", 3);
  assert.deepEqual(left.map(({ id }) => id).toSorted(), ["a", "c", "d"]);
  await assert.rejects(removePin(store, "ses_1", "b", 3), (error) => TurnError.is(error, "no-pin"));
});

test("a turn reads its pins once: a later segment is shown what the first was", async (t) => {
  let version = 0;
  const loader: Loader = {
    ...FILES,
    async read() {
      version += 1;
      return { kind: "whole", bytes: utf8(`version ${version}`) };
    },
  };
  const world = await stage(t, {
    tools: [tool("question", { waits: "question" })],
    tries: [calls(["q1", "question"]), says("Thanks."), says("Next.")],
  });
  Object.assign(world.deps.surroundings, { ...AROUND, loader: () => loader });
  await putPin(world.store, "ses_1", { id: "p", ref: path("a.ts") }, 2);
  await world.run(0, "turn_1");
  await world.run(1, "turn_1");
  await world.run(0, "turn_2");
  const shown = world.model.contexts.map(({ messages }) =>
    JSON.stringify(messages[0]).match(/version \d/g),
  );
  assert.deepEqual(shown, [["version 1"], ["version 1"], ["version 2"]]);
});
