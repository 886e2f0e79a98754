import assert from "node:assert/strict";
import { test } from "node:test";
import { UserMessage } from "@galley/parts";
import { knownContext } from "./known-context.ts";
import { CONTEXT_POLICIES, type ContextPolicy, patternOf } from "./policy.ts";
import type { EditorSample } from "./sample.ts";
import { sampleContext } from "./sample-context.ts";

const POLICY = CONTEXT_POLICIES.image;
const selection: EditorSample = {
  kind: "selection",
  source: "canvas",
  payload: { nodes: ["n1"] },
  emitted_at: 10,
};
const viewport: EditorSample = { kind: "viewport", payload: { zoom: 2 }, emitted_at: 11 };
const history: EditorSample = { kind: "history", payload: { steps: [] }, emitted_at: 12 };
const slice: EditorSample = {
  kind: "selection",
  source: "editor",
  file: { path: "src/a.ts", range: { start: 10, end: 25 }, revision: "r1" },
  emitted_at: 20,
};

const selectionPart = {
  type: "editor-context",
  kind: "selection",
  source: "canvas",
  payload: { nodes: ["n1"] },
  emitted_at: 10,
  origin: "automatic",
};
const told = (...parts: UserMessage["parts"]) => [{ id: "msg_1", parts }];

test("automatic state goes along and the rest is held, with what it waits for", () => {
  const { parts, held } = sampleContext([selection, viewport, history], POLICY);
  assert.deepEqual(parts, [selectionPart]);
  assert.deepEqual(
    held.map(({ sample, reason }) => [sample.kind, reason]),
    [
      ["viewport", "waits-for-action"],
      ["history", "waits-for-mention"],
    ],
  );
});

test("an action sends what the policy leaves to actions, and says so", () => {
  const { parts } = sampleContext([viewport], POLICY, { action: ["viewport"] });
  const expected = { kind: "viewport", payload: { zoom: 2 }, emitted_at: 11, origin: "explicit" };
  assert.deepEqual(parts, [{ type: "editor-context", ...expected }]);
});

test("an action does not send what the policy leaves to mentions", () => {
  const { parts, held } = sampleContext([history], POLICY, { action: ["history"] });
  assert.deepEqual(parts, []);
  assert.equal(held[0]?.reason, "waits-for-mention");
});

test("the first rule that fits decides, by kind and source, and no rule means mention", () => {
  const policy: ContextPolicy = {
    ...POLICY,
    rules: [
      { kind: "selection", source: "canvas", pattern: "explicit" },
      { kind: "selection", pattern: "automatic" },
      { kind: "*", source: "canvas", pattern: "automatic" },
    ],
  };
  assert.equal(patternOf({ kind: "selection", source: "canvas" }, policy), "explicit");
  assert.equal(patternOf({ kind: "selection" }, policy), "automatic");
  assert.equal(patternOf({ kind: "open", source: "canvas" }, policy), "automatic");
  assert.equal(patternOf({ kind: "open" }, policy), "mention");
});

test("a selection that is a slice of a file becomes a file-ref with its range", () => {
  assert.deepEqual(sampleContext([slice], POLICY).parts, [
    {
      type: "file-ref",
      ref: { kind: "path", path: "src/a.ts", range: { start: 10, end: 25 } },
      origin: "automatic",
      context: { kind: "selection", source: "editor", emitted_at: 20, revision: "r1" },
    },
  ]);
});

test("a slice that is not saved stays what the editor shows: the file holds other lines", () => {
  const file = { path: "a.ts", range: { start: 1, end: 2 }, unsaved: "let a\nlet b" };
  assert.deepEqual(sampleContext([{ kind: "selection", emitted_at: 1, file }], POLICY).parts, [
    {
      type: "editor-context",
      kind: "selection",
      payload: { path: "a.ts", range: { start: 1, end: 2 }, text: "let a\nlet b", unsaved: true },
      emitted_at: 1,
      origin: "automatic",
    },
  ]);
});

test("a fact that the model was told is one unchanged part that names the message", () => {
  const known = knownContext(told(...sampleContext([selection], POLICY).parts));
  const later = { ...selection, emitted_at: 99 };
  assert.deepEqual(sampleContext([later], POLICY, { known }).parts, [
    {
      type: "editor-context",
      kind: "selection",
      source: "canvas",
      payload: { unchanged: true },
      emitted_at: 99,
      origin: "automatic",
      delta: "unchanged",
      since: { message_id: "msg_1", emitted_at: 10 },
    },
  ]);
});

test("a fact stays known through messages that call it unchanged", () => {
  const first = told(...sampleContext([selection], POLICY).parts);
  const { parts } = sampleContext([selection], POLICY, { known: knownContext(first) });
  const known = knownContext([...first, { id: "msg_2", parts: [...parts] }]);
  assert.deepEqual(sampleContext([selection], POLICY, { known }).parts[0]?.since, {
    message_id: "msg_1",
    emitted_at: 10,
  });
});

test("a changed payload, another source and a new kind are told in full", () => {
  const known = knownContext(told(selectionPart));
  const moved: EditorSample = { ...selection, payload: { nodes: ["n2"] } };
  assert.deepEqual(sampleContext([moved], POLICY, { known }).parts, [
    { ...selectionPart, payload: { nodes: ["n2"] } },
  ]);
  const elsewhere: EditorSample = { ...selection, source: "outline" };
  const [first] = sampleContext([elsewhere, selection], POLICY, { known }).parts;
  assert.deepEqual(first, { ...selectionPart, source: "outline" });
});

test("the order of a payload's keys is no change", () => {
  const ab: EditorSample = { kind: "selection", payload: { a: 1, b: 2 }, emitted_at: 1 };
  const ba: EditorSample = { kind: "selection", payload: { b: 2, a: 1 }, emitted_at: 2 };
  const known = knownContext(told(...sampleContext([ab], POLICY).parts));
  assert.equal(sampleContext([ba], POLICY, { known }).parts[0]?.delta, "unchanged");
});

test("a fact that is over is said once, and then no more", () => {
  const known = knownContext(told(selectionPart));
  const { parts } = sampleContext([], POLICY, { known, sampledAt: 50 });
  assert.deepEqual(parts, [
    {
      type: "editor-context",
      kind: "selection",
      source: "canvas",
      payload: { cleared: true },
      emitted_at: 50,
      origin: "automatic",
      delta: "cleared",
    },
  ]);
  const after = knownContext([...told(selectionPart), { id: "msg_2", parts: [...parts] }]);
  assert.deepEqual(sampleContext([], POLICY, { known: after }).parts, []);
});

test("what was sent by an action or a mention is not cleared when it is absent", () => {
  const part = { type: "editor-context", kind: "viewport", payload: {}, emitted_at: 1 };
  assert.deepEqual(sampleContext([], POLICY, { known: knownContext(told(part)) }).parts, []);
});

test("what a person asks for goes along in full, told before or not", () => {
  const known = knownContext(told(selectionPart));
  assert.deepEqual(sampleContext([selection], POLICY, { known, action: ["selection"] }).parts, [
    { ...selectionPart, origin: "explicit" },
  ]);
});

test("two samples of one subject are one fact: when one changes, both are told", () => {
  const other: EditorSample = { ...selection, payload: { nodes: ["n9"] } };
  const known = knownContext(told(...sampleContext([selection, other], POLICY).parts));
  assert.equal(sampleContext([selection, other], POLICY, { known }).parts.length, 1);
  assert.equal(sampleContext([other, selection], POLICY, { known }).parts.length, 2);
  assert.deepEqual(sampleContext([selection], POLICY, { known }).parts, [selectionPart]);
});

test("a slice counts as unchanged only where the host names the file's revision", () => {
  const known = knownContext(told(...sampleContext([slice], POLICY).parts));
  assert.equal(sampleContext([slice], POLICY, { known }).parts[0]?.delta, "unchanged");
  const edited: EditorSample = { ...slice, file: { ...slice.file, revision: "r2" } };
  assert.equal(sampleContext([edited], POLICY, { known }).parts[0]?.type, "file-ref");
  const { revision: _, ...unnamed } = slice.file;
  const blind: EditorSample = { ...slice, file: unnamed };
  const knownBlind = knownContext(told(...sampleContext([blind], POLICY).parts));
  assert.equal(sampleContext([blind], POLICY, { known: knownBlind }).parts[0]?.type, "file-ref");
});

test("an unchanged mark whose fact is out of the model's sight counts for nothing", () => {
  const known = knownContext(told(selectionPart));
  const [mark] = sampleContext([selection], POLICY, { known }).parts;
  assert.ok(mark);
  const compacted = knownContext([{ id: "msg_2", parts: [mark] }]);
  assert.deepEqual(sampleContext([selection], POLICY, { known: compacted }).parts, [selectionPart]);
});

test("more samples than a message takes are held, not lost", () => {
  const samples = [1, 2, 3].map((n): EditorSample => ({ ...selection, source: `p${n}` }));
  const { parts, held } = sampleContext(samples, { ...POLICY, maxParts: 2 });
  assert.equal(parts.length, 2);
  assert.deepEqual(held, [{ sample: samples[2], reason: "too-many" }]);
});

test("every part that comes of sampling is a part of the vocabulary", () => {
  const known = knownContext(told(selectionPart, { ...selectionPart, source: "gone" }));
  const { parts } = sampleContext([selection, slice], POLICY, { known });
  assert.deepEqual(
    parts.map(({ type, delta }) => delta ?? type),
    ["unchanged", "file-ref", "cleared"],
  );
  assert.equal(UserMessage.safeParse({ role: "user", parts }).success, true);
});
