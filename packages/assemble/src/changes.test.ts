/** How far a request is the one before, and why it is no further. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AssembleInput, assemble } from "./assemble.ts";
import { changesSince } from "./changes.ts";
import type { ContextMessage } from "./context.ts";
import type { Manifest } from "./manifest.ts";

const user = (id: string, text = id): ContextMessage => ({
  role: "user",
  id,
  parts: [{ type: "text", text }],
  materials: [],
});
const said = (id: string, text = id): ContextMessage => ({
  role: "assistant",
  id,
  parts: [{ type: "text", text }],
});
const ran = (id: string, output: string): ContextMessage => ({
  role: "assistant",
  id,
  parts: [{ type: "tool-read", toolCallId: id, state: "output-available", input: {}, output }],
});
const BASE: AssembleInput = {
  layers: [{ id: "agent", text: "You help." }],
  tools: [{ name: "read", description: "Reads.", input_schema: {} }],
  messages: [user("u1"), said("a1"), user("u2")],
  contextWindow: 100_000,
  maxOutput: 100,
};
const FIRST = assemble(BASE).manifest;
const next = (more: Partial<AssembleInput>, previous: Manifest = FIRST) => {
  const { changed } = assemble({ ...BASE, previous, ...more }).manifest;
  return { first: changed?.first, why: changed?.why.split(":")[0], lost: changed?.lost_tokens };
};

test("a manifest without one before says nothing of changes", () => {
  assert.equal(FIRST.changed, undefined);
});

test("the same request again, and one that goes on, lose nothing", () => {
  assert.deepEqual(next({}), { first: undefined, why: "nothing", lost: 0 });
  const messages = [...BASE.messages, said("a2"), user("u3")];
  assert.deepEqual(next({ messages }), {
    first: undefined,
    why: "something was appended",
    lost: 0,
  });
});

test("what is the same in front is counted, tools and system first", () => {
  const { changed } = assemble({
    ...BASE,
    messages: [user("u1"), said("other")],
    previous: FIRST,
  }).manifest;
  const front = [...FIRST.layers, ...FIRST.tools, FIRST.blocks[0]].reduce(
    (sum, each) => sum + (each?.tokens ?? 0),
    0,
  );
  assert.equal(changed?.same_tokens, front);
  assert.equal(
    changed?.lost_tokens,
    (FIRST.blocks[1]?.tokens ?? 0) + (FIRST.blocks[2]?.tokens ?? 0),
  );
});

test("changed tools and changed layers are named, and cost all that follows", () => {
  const all = FIRST.estimate;
  const tools = [{ name: "read", description: "Reads more.", input_schema: {} }];
  assert.deepEqual(next({ tools }), {
    first: { kind: "tool", name: "read" },
    why: "the tools changed",
    lost: all,
  });
  const layers = [{ id: "agent", text: "You help!" }];
  assert.deepEqual(next({ layers }), {
    first: { kind: "layer", name: "agent" },
    why: "the system layer agent changed",
    lost: all - (FIRST.tools[0]?.tokens ?? 0),
  });
});

test("pins that moved on, changed or came are told apart", () => {
  const pins = [{ id: "p", text: "one" }];
  const pinned = assemble({ ...BASE, pins }).manifest;
  const at = (block: number, name?: string) => ({
    kind: name ? "added" : "block",
    ...(name && { name }),
    block,
  });
  assert.deepEqual(next({ pins }).first, at(2, "pins"));
  assert.equal(next({ pins }).why, "pins were put into this message");
  assert.equal(
    next({ pins: [{ id: "p", text: "two" }] }, pinned).why,
    "the content of the pins changed",
  );
  const messages = [...BASE.messages, said("a2"), user("u3")];
  const moved = next({ pins, messages }, pinned);
  assert.deepEqual([moved.first, moved.why], [at(2), "the pins stand in a newer message"]);
});

test("an elision is named where it happens", () => {
  const messages = [user("u"), ran("a", "日".repeat(900)), ran("b", "x"), ran("c", "x"), user("v")];
  const before = assemble({ ...BASE, messages }).manifest;
  const after = next({ messages, contextWindow: 600, budget: {} }, before);
  assert.deepEqual(
    [after.first, after.why],
    [{ kind: "block", block: 1 }, "something was left out here to fit the budget"],
  );
});

test("another line for what was left out is another request", () => {
  const messages = [user("u"), ran("a", "日".repeat(900)), ran("b", "x"), ran("c", "x"), user("v")];
  const withLine = (line: string) => ({
    messages,
    budget: { state: { elided: { "a/0": { tokens: 9, line } } } },
  });
  const before = assemble({ ...BASE, ...withLine("[one]") }).manifest;
  assert.equal(next(withLine("[one]"), before).first, undefined);
  assert.deepEqual(next(withLine("[two]"), before).first, { kind: "block", block: 1 });
});

test("a rewound, an edited and a shortened history are told apart", () => {
  assert.equal(
    next({ messages: [user("u1"), said("a9", "else")] }).why,
    "another message stands here",
  );
  assert.equal(
    next({ messages: [user("u1"), said("a1", "else")] }).why,
    "the same part shows something else",
  );
  assert.equal(next({ messages: [user("u1")] }).why, "the end of the request before is gone");
});

test("a fork's copy under new ids is the same request", () => {
  assert.equal(
    next({ messages: [user("x1", "u1"), said("x2", "a1"), user("x3", "u2")] }).why,
    "nothing",
  );
});

test("a manifest of an older version, without marks, loses everything and breaks nothing", () => {
  const { layers, tools, blocks, estimate, limit, over_limit, settlements } = FIRST;
  const bare = <T extends { digest?: string }>({ digest: _, ...rest }: T) => rest;
  const old = { estimate, limit, over_limit, settlements };
  const previous = {
    ...old,
    layers: layers.map(bare),
    tools: tools.map(bare),
    blocks: blocks.map(bare),
  };
  assert.equal(next({}, previous as Manifest).why, "the tools changed");
  assert.equal(
    changesSince(previous as Manifest, structuredClone(previous) as Manifest).same_tokens,
    0,
  );
});
