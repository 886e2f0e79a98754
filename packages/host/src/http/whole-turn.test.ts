/** Who comes back to a turn hears what it heard before, though the rows went on meanwhile. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LiveTurn } from "@galley/turn";
import type { SessionDeps } from "./session-deps.ts";
import { wholeTurn } from "./whole-turn.ts";

test("the beginning of a turn is the same for everybody who comes", async () => {
  let looks = 0;
  const row = (text: string) => ({
    data_json: JSON.stringify({ type: "text", text, state: "done" }),
  });
  const run = { turn_id: "turn_1", answer_id: "msg_a", segment: 1, parts_before: 1 };
  const store = {
    sessions: { get: async () => ({ metadata_json: JSON.stringify({ run }) }) },
    messages: {
      async get() {
        looks += 1;
        return { message: { id: "msg_a" }, parts: [row(`look ${looks}`), row("new")] };
      },
    },
  };
  const deps = { backend: { store }, isCut: () => false, metrics: { chunks() {} } };
  const turn = { turn_id: "turn_1", segment: 1 } as LiveTurn;
  const begin = async () =>
    String((await wholeTurn("ses_a", turn, deps as unknown as SessionDeps)).next());
  const first = await begin();
  assert.match(first, /"messageId":"msg_a"[\s\S]*"delta":"look 1"/);
  assert.doesNotMatch(first, /new/);
  assert.equal(await begin(), first);
});
