/** What cannot stand in a request is taken out, on record, and nothing else moves. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AssistantPart, UserPart } from "@galley/parts";
import { assemble } from "./assemble.ts";
import type { ContextMessage, HistoryMessage } from "./context.ts";
import { filterHistory } from "./filters.ts";

const user = (...parts: UserPart[]): ContextMessage => ({
  role: "user",
  id: "u",
  parts,
  materials: [],
});
const said = (...parts: AssistantPart[]): ContextMessage => ({ role: "assistant", id: "a", parts });
const hi: UserPart = { type: "text", text: "hi" };
const call = (id: string) => ({ type: "tool_use", id, name: "read", input: { path: id } });
const result = (id: string, content: unknown = `of ${id}`) => ({
  type: "tool_result",
  tool_use_id: id,
  content,
});

const blocksOf = (messages: readonly HistoryMessage[]) =>
  assemble({ layers: [], messages, contextWindow: 10_000, maxOutput: 100 });
const whys = (messages: readonly HistoryMessage[]) =>
  blocksOf(messages).manifest.filters.map(({ block, why }) => [block, why]);
const states = (messages: readonly HistoryMessage[]) =>
  blocksOf(messages).context.messages.flatMap(({ role, parts }) =>
    parts.map((part) =>
      [role, part.type, part.state ?? part.text ?? "", part.output ?? ""].join(" ").trim(),
    ),
  );

test("a history that is right is handed on, the same objects", () => {
  const history = [user(hi), said({ type: "text", text: "a" }), user(hi)];
  const { lines, gone, taken, mended } = filterHistory(history);
  assert.ok(lines.every(({ message }, at) => message === history[at]));
  assert.deepEqual([gone.size, taken.size, mended.length], [0, 0, 0]);
});

test("a system row in the history stays behind, each of its parts on record", () => {
  const system: HistoryMessage = { role: "system", id: "s", parts: [hi, { type: "x" }] };
  const { context, manifest } = blocksOf([user(hi), system, user(hi)]);
  assert.equal(context.messages.length, 2);
  assert.deepEqual(
    manifest.blocks.map(({ role, type, outcome, placed }) => [role, type, outcome, placed]),
    [
      ["user", "text", undefined, undefined],
      ["system", "text", "resolved-out", false],
      ["system", "x", "resolved-out", false],
      ["user", "text", undefined, undefined],
    ],
  );
  assert.deepEqual(
    manifest.filters.map(({ message_id }) => message_id),
    ["s"],
  );
});

test("a call and its result in the next message become one part, in the place of the call", () => {
  const history = [user(hi), said(call("c1")), user(result("c1"), hi)];
  assert.deepEqual(states(history), [
    "user text hi",
    "assistant dynamic-tool output-available of c1",
    "user text",
    "user text hi",
  ]);
  assert.deepEqual(whys(history), [[2, "a tool result, joined with its call"]]);
  assert.deepEqual(
    blocksOf(history).manifest.blocks.map(({ type }) => type),
    ["text", "tool_use", "tool_result", "text"],
  );
});

test("the halves of other programs are read in their own spelling", () => {
  const history = [
    user(hi),
    said({ type: "function_call", call_id: "f", name: "read", arguments: '{"a":1}' }, {
      type: "tool-call",
      toolCallId: "t",
      toolName: "grep",
      input: {},
    } as unknown as AssistantPart),
    user(
      { type: "function_call_output", call_id: "f", output: "one" },
      { type: "tool-result", toolCallId: "t", output: "two" },
      hi,
    ),
  ];
  assert.deepEqual(states(history).slice(1, 3), [
    "assistant dynamic-tool output-available one",
    "assistant dynamic-tool output-available two",
  ]);
});

test("a part of our own for a tool that is called result or call is no half", () => {
  const own: AssistantPart = {
    type: "tool-result",
    toolCallId: "c",
    state: "output-available",
    output: "x",
  };
  assert.deepEqual(whys([user(hi), said(own), user(hi)]), []);
});

const NO_CALL = "a tool result without its call before it";
const NO_RESULT = "a tool call without its result after it: told as interrupted";
const EMPTY = "nothing is left of the message";

test("a pair is matched by position too: a result after the model spoke again is nobody's", () => {
  const history = [
    user(hi),
    said(call("c1")),
    said({ type: "text", text: "so" }),
    user(result("c1"), hi),
  ];
  assert.deepEqual(whys(history), [
    [3, NO_CALL],
    [1, NO_RESULT],
  ]);
  assert.equal(states(history)[1], "assistant dynamic-tool input-available");
});

test("a result before its call, and a second result of one call, are nobody's", () => {
  assert.deepEqual(whys([user(result("c1"), hi), said(call("c1")), user(hi)]), [
    [0, NO_CALL],
    [2, NO_RESULT],
  ]);
  assert.deepEqual(whys([user(hi), said(call("c1")), user(result("c1"), result("c1"), hi)]), [
    [2, "a tool result, joined with its call"],
    [3, NO_CALL],
  ]);
});

test("of two calls of one id the later one has the result, and the first was interrupted", () => {
  const history = [user(hi), said(call("c1"), call("c1")), user(result("c1"), hi)];
  assert.deepEqual(states(history).slice(1, 3), [
    "assistant dynamic-tool input-available",
    "assistant dynamic-tool output-available of c1",
  ]);
});

test("a message in which nothing is left stays behind, and so does one that held nothing", () => {
  const history = [user(hi), said(call("c1")), user(result("c1")), user(), said(), user(hi)];
  const { context, manifest } = blocksOf(history);
  assert.deepEqual(
    context.messages.map(({ role }) => role),
    ["user", "assistant", "user"],
  );
  assert.deepEqual(
    manifest.filters.filter(({ why }) => why === EMPTY).map(({ block }) => block),
    [2, 3, 3],
  );
  assert.deepEqual(
    manifest.blocks.map(({ why }) => why),
    [undefined, undefined, "a tool result, joined with its call", undefined],
  );
});

test("the message that is answered stays, whatever is in it", () => {
  assert.equal(blocksOf([user()]).context.messages.length, 1);
});

test("a call that names no id, and a call in the user's voice, are taken out", () => {
  const nameless = { type: "tool-read", state: "output-available" } as unknown as AssistantPart;
  assert.deepEqual(
    whys([user(hi), said(nameless, { type: "text", text: "a" }), user(call("c"), hi)]),
    [
      [1, "a tool call without an id"],
      [3, "a tool call that the model did not make"],
    ],
  );
});

test("what was put right is the same object when the history comes again", () => {
  const history = [user(hi), said(call("c1")), user(result("c1"), hi)];
  const [once, again] = [blocksOf(history), blocksOf([...history])];
  assert.ok(once.context.messages.every((message, at) => message === again.context.messages[at]));
});

test("neighbours of one role are on record as one message of the wire, and stay two objects", () => {
  const [one, two] = [user(hi), { ...user(hi, hi), id: "v" }];
  const { context, manifest } = blocksOf([one, two]);
  assert.deepEqual(context.messages, [one, two]);
  assert.deepEqual(manifest.merges, [{ role: "user", block: 1, message_id: "v" }]);
});
