import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContextMessage } from "./context.ts";
import { settleHistory } from "./settle-history.ts";

const user: ContextMessage = {
  role: "user",
  parts: [{ type: "text", text: "hi" }],
  materials: [],
};
const called = (...ids: string[]): ContextMessage => ({
  role: "assistant",
  id: "msg_a",
  parts: ids.map((toolCallId) => ({
    type: "tool-read",
    toolCallId,
    state: "output-available",
    input: {},
    output: toolCallId,
  })),
});
const idsOf = (messages: readonly ContextMessage[]) =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => part.toolCallId ?? []));

test("a history that is right is handed on, the same objects", () => {
  const history = [user, called("c1", "c2"), user, called("c3")];
  const { messages, settlements } = settleHistory(history);
  assert.ok(messages.every((message, index) => message === history[index]));
  assert.deepEqual(settlements, []);
});

test("a conversation that begins with an answer gets an opening, on record", () => {
  const { messages, settlements } = settleHistory([called("c1"), user]);
  assert.deepEqual(
    messages.map(({ role }) => role),
    ["user", "assistant", "user"],
  );
  assert.deepEqual(settlements, [{ why: "a request begins with the user's voice" }]);
});

test("a call id that was used before is made its own, also beside one that looks like it", () => {
  const { messages, settlements } = settleHistory([
    user,
    called("c1", "c1_2"),
    user,
    called("c1", "c1"),
  ]);
  assert.deepEqual(idsOf(messages), ["c1", "c1_2", "c1_3", "c1_4"]);
  assert.deepEqual(settlements, [
    { message_id: "msg_a", part: 0, why: "the call id c1 was used before" },
    { message_id: "msg_a", part: 1, why: "the call id c1 was used before" },
  ]);
});

test("an empty history stays empty", () => {
  assert.deepEqual(settleHistory([]), { messages: [], settlements: [] });
});
