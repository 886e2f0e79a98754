/** Pins stand in the last typed message, and only that message is another object. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { UserPart } from "@galley/parts";
import { assemble } from "./assemble.ts";
import type { ContextMessage, UserContext } from "./context.ts";
import type { Pin } from "./pins.ts";

const text = (value: string): UserPart => ({ type: "text", text: value });
const user = (id: string, ...parts: UserPart[]): UserContext => ({
  role: "user",
  id,
  parts,
  materials: [],
});
const said: ContextMessage = { role: "assistant", id: "a", parts: [{ type: "text", text: "so" }] };
const called: ContextMessage = {
  role: "assistant",
  id: "c",
  parts: [
    { type: "tool-read", toolCallId: "1", state: "output-available", input: {}, output: "x" },
  ],
};
const PINS: readonly Pin[] = [
  { id: "p1", name: "a.ts", text: "let a;" },
  { id: "p2", failed: "permission denied" },
];
const send = (messages: readonly ContextMessage[], pins: readonly Pin[] = PINS) =>
  assemble({ layers: [], messages, pins, contextWindow: 10_000, maxOutput: 100 });
const shape = (messages: readonly ContextMessage[]) =>
  messages.map(({ role, parts }) => `${role}: ${parts.map(({ type }) => type).join(" ")}`);

test("pins stand before the words of the last typed message; all others are the same objects", () => {
  const history = [user("u1", text("one")), said, user("u2", text("two")), called];
  const { context, manifest } = send(history);
  assert.deepEqual(shape(context.messages), [
    "user: text",
    "assistant: text",
    "user: file-ref file-ref text",
    "assistant: tool-read",
  ]);
  assert.deepEqual(
    context.messages.map((message, at) => message === history[at]),
    [true, true, false, true],
  );
  assert.deepEqual(
    manifest.added.map(({ what, block, parts, anchor }) => ({ what, block, parts, anchor })),
    [{ what: "pins", block: 2, parts: 2, anchor: "typed" }],
  );
});

test("a pin is shown with a label that has no clock; one that failed is a placeholder", () => {
  const { context, manifest } = send([user("u", text("hi"))]);
  assert.deepEqual((context.messages[0] as UserContext).materials.slice(0, 2), [
    { kind: "text", text: "let a;", size: 6, note: "pinned; as of this message" },
    { kind: "unavailable", reason: "permission denied" },
  ]);
  assert.deepEqual(
    manifest.pins.map(({ id, failed }) => [id, failed]),
    [
      ["p1", undefined],
      ["p2", "permission denied"],
    ],
  );
  assert.deepEqual(manifest.failures, [{ pin: "p2", why: "permission denied" }]);
});

test("an empty pin is no failure, and no pins change nothing", () => {
  const { manifest } = send([user("u", text("hi"))], [{ id: "e", text: "" }]);
  assert.deepEqual(manifest.failures, []);
  const history = [user("u", text("hi"))];
  assert.equal(send(history, []).context.messages[0], history[0]);
});

test("in the steps of one turn the message with the pins is the same object", () => {
  const history = [user("u", text("hi"))];
  const first = send(history).context.messages[0];
  assert.equal(send([...history, called]).context.messages[0], first);
  assert.notEqual(send(history, [{ id: "p1", text: "let b;" }]).context.messages[0], first);
});

test("a message with any tool result is a carrier: a typed one before it is preferred", () => {
  const mixed = user(
    "m",
    text("see"),
    { type: "tool_result", tool_use_id: "x", content: "r" },
    text("ok"),
  );
  const [typed, carrier] = send([user("u", text("hi")), said, mixed]).context.messages.filter(
    ({ role }) => role === "user",
  );
  assert.deepEqual(shape([typed as ContextMessage, carrier as ContextMessage]), [
    "user: file-ref file-ref text",
    "user: text text text",
  ]);
});

test("without a typed message pins follow the results of the carrier", () => {
  const mixed = user(
    "m",
    text("see"),
    { type: "tool_result", tool_use_id: "x", content: "r" },
    text("ok"),
  );
  const { context, manifest } = send([mixed]);
  assert.deepEqual(shape(context.messages), ["user: text text file-ref file-ref text"]);
  assert.deepEqual([manifest.added[0]?.anchor, manifest.added[0]?.block], ["carrier", 2]);
});

test("where an answer carries the results, pins follow it as a message of their own", () => {
  const { context, manifest } = send([called, said]);
  assert.deepEqual(shape(context.messages), [
    "user: text",
    "assistant: tool-read",
    "user: file-ref file-ref",
    "assistant: text",
  ]);
  assert.deepEqual(
    manifest.added.map(({ what, block, anchor }) => [what, block, anchor]),
    [
      ["opening", 0, undefined],
      ["pins", 1, "carrier"],
    ],
  );
});

test("a merge after the pins' own message names the block of the message that follows its like", () => {
  const { manifest } = send([called, said, { ...said, id: "b" }]);
  assert.deepEqual(manifest.merges, [{ role: "assistant", block: 2, message_id: "b" }]);
});

test("with nothing to stand in, pins are a message at the end, the same object each time", () => {
  assert.deepEqual(shape(send([]).context.messages), ["user: file-ref file-ref"]);
  const [once, again] = [send([said]).context.messages, send([said]).context.messages];
  assert.deepEqual(shape(once), ["user: text", "assistant: text", "user: file-ref file-ref"]);
  assert.equal(once[2], again[2]);
});

test("materials and lines for what was left out move on with their parts", () => {
  const held: UserContext = {
    role: "user",
    id: "u",
    parts: [{ type: "file-ref", ref: { kind: "path", path: "b" } }, text("t")],
    materials: [{ kind: "text", text: "b", size: 1 }],
    elided: { 0: "[gone]" },
  };
  const message = send([held]).context.messages[0] as UserContext;
  assert.deepEqual(message.elided, { 2: "[gone]" });
  assert.deepEqual(
    message.materials.map((each) => each?.kind),
    ["text", "unavailable", "text", undefined],
  );
});

test("the cache holds up to the message with the pins, which loses them next time", () => {
  const history = [user("u1", text("one")), said, user("u2", text("two"))];
  const { manifest } = send(history);
  assert.deepEqual(manifest.cache_boundary.block, 2);
  assert.deepEqual(send(history, []).manifest.cache_boundary.block, 3);
});
