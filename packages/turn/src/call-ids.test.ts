import assert from "node:assert/strict";
import { test } from "node:test";
import type { UiChunk } from "@galley/parts";
import { ownCallIds } from "./call-ids.ts";

const start = (toolCallId: string): UiChunk => ({
  type: "tool-input-start",
  toolCallId,
  toolName: "read",
});
const input = (toolCallId: string): UiChunk => ({
  type: "tool-input-available",
  toolCallId,
  toolName: "read",
  input: {},
});
const delta = (toolCallId: string): UiChunk => ({
  type: "tool-input-delta",
  toolCallId,
  inputTextDelta: "{",
});
const idsOf = (chunks: readonly UiChunk[]): unknown[] =>
  chunks.map((chunk) => ("toolCallId" in chunk ? chunk.toolCallId : undefined));

test("an id that nobody had stays, and the chunk is the same object", () => {
  const own = ownCallIds(new Set(["call_0"]));
  const chunk = start("call_1");
  assert.equal(own(chunk), chunk);
  const text: UiChunk = { type: "text-delta", id: "0", delta: "x" };
  assert.equal(own(text), text);
});

test("a call whose id an earlier step had gets another, in all its chunks", () => {
  const used = new Set(["call_0"]);
  const chunks = [start("call_0"), delta("call_0"), input("call_0")].map(ownCallIds(used));
  assert.deepEqual(idsOf(chunks), ["call_0_2", "call_0_2", "call_0_2"]);
  assert.deepEqual([...used], ["call_0", "call_0_2"]);
});

test("two calls of one step under one id are two calls", () => {
  const chunks = [start("a"), input("a"), start("a"), input("a"), input("a")];
  assert.deepEqual(idsOf(chunks.map(ownCallIds(new Set()))), ["a", "a", "a_2", "a_2", "a_3"]);
});

test("an output goes with the call it belongs to", () => {
  const output: UiChunk = { type: "tool-output-available", toolCallId: "a", output: 1 };
  const chunks = [start("a"), input("a"), output].map(ownCallIds(new Set(["a"])));
  assert.deepEqual(idsOf(chunks), ["a_2", "a_2", "a_2"]);
});

test("a call without an id gets one", () => {
  assert.deepEqual(idsOf([start(""), input("")].map(ownCallIds(new Set()))), ["call", "call"]);
});

test("an id that no row can hold is mended, in all chunks of its call", () => {
  const own = ownCallIds(new Set());
  const output: UiChunk = { type: "tool-output-available", toolCallId: "c\ud800", output: 1 };
  const chunks = [start("c\ud800"), delta("c\ud800"), input("c\ud800"), output].map(own);
  assert.deepEqual(idsOf(chunks), ["c\ufffd", "c\ufffd", "c\ufffd", "c\ufffd"]);
  assert.deepEqual(idsOf([start("c\udc00")].map(own)), ["c\ufffd_2"]);
  assert.deepEqual(idsOf([delta("of\ud800nothing"), delta("")].map(own)), [
    "of\ufffdnothing",
    "call",
  ]);
});

test("ids that are too long are cut, and stay two", () => {
  const own = ownCallIds(new Set());
  const [one, other] = [`${"i".repeat(600)}1`, `${"i".repeat(600)}2`];
  const chunks = [start(one), start(other), input(one), input(other)].map(own);
  const [cut, next] = ["i".repeat(512), `${"i".repeat(512)}_2`];
  assert.deepEqual(idsOf(chunks), [cut, next, cut, next]);
});

test("a cut goes through no character", () => {
  const [id] = idsOf([start(`${"i".repeat(511)}\u{1f600}`)].map(ownCallIds(new Set())));
  assert.equal(id, `${"i".repeat(511)}\ufffd`);
});

test("a name that no row can hold is mended too", () => {
  const named = (toolName: string) =>
    ownCallIds(new Set())({ type: "tool-input-available", toolCallId: "a", toolName, input: {} });
  const names = ["x\ud800", "x\0y", "", "n".repeat(600)].map((name) => {
    const chunk = named(name);
    return "toolName" in chunk && chunk.toolName;
  });
  assert.deepEqual(names, ["x\ufffd", "x\ufffdy", "unknown", "n".repeat(512)]);
});
