import assert from "node:assert/strict";
import { test } from "node:test";
import { type GivenSample, samplesOf } from "./context-samples.ts";

const message = (...parts: Parameters<ReturnType<typeof samplesOf>["addTo"]>[0]["parts"]) =>
  ({ role: "user", parts }) as const;

const cursor: GivenSample = { kind: "cursor", payload: { line: 3 } };
const slice: GivenSample = {
  kind: "selection",
  source: "editor",
  emitted_at: 5,
  file: { path: "a.ts", range: { start: 2, end: 4 } },
};

test("a sample without a time was taken now", () => {
  assert.deepEqual(samplesOf([cursor], () => 7).all(), [
    {
      type: "editor-context",
      kind: "cursor",
      payload: { line: 3 },
      emitted_at: 7,
      origin: "explicit",
    },
  ]);
});

test("a selection that is a piece of a file is a reference to its lines", () => {
  const samples = samplesOf([slice], () => 7);
  const ref = {
    type: "file-ref",
    ref: { kind: "path", path: "a.ts", range: { start: 2, end: 4 } },
    origin: "mention",
    context: { kind: "selection", source: "editor", emitted_at: 5 },
  };
  assert.deepEqual(samples.contextOf("selection"), [ref]);
  assert.deepEqual(samples.contextOf("cursor"), []);
});

test("what a token placed is not added again, and what only looks like it is", () => {
  const samples = samplesOf([slice, cursor], () => 7);
  const [placed] = samples.contextOf("selection");
  assert.ok(placed);
  const added = samples.addTo(message({ ...placed, literal: "@selection" }));
  assert.deepEqual(
    added.parts.map(({ type, kind, origin }) => [type, kind, origin]),
    [
      ["file-ref", undefined, "mention"],
      ["editor-context", "cursor", "explicit"],
    ],
  );
  const other = samples.addTo(message({ ...placed, name: "another", literal: "@selection" }));
  assert.equal(other.parts.length, 3);
});

test("a token of the embedder's stands for the kinds that it names", () => {
  const rows = [{ token: "here", description: "where I am", kinds: ["cursor"] }];
  const samples = samplesOf([cursor], () => 7, rows);
  assert.equal(samples.contextOf("here").length, 1);
  const [placed] = samples.contextOf("here");
  assert.ok(placed);
  assert.equal(samples.addTo(message(placed)).parts.length, 1);
});

test("a payload over the limit is cut, and says by how much", () => {
  const long: GivenSample = { kind: "open", payload: { text: "x".repeat(100_000) } };
  const [part] = samplesOf([long], () => 7).all();
  const shown = JSON.stringify(part?.payload);
  assert.ok(shown.length < 33_000);
  assert.match(shown, /"truncated":\{/);
});

test("what is no sample is left as it is, for the check of the message to refuse", () => {
  for (const broken of [{}, { kind: "k" }, { kind: "k", payload: 3 }, { kind: "k", file: {} }]) {
    const samples = samplesOf([broken as never], () => 7);
    const part = { ...broken, emitted_at: 7, type: "editor-context" };
    assert.deepEqual(samples.all(), [part]);
    assert.deepEqual(samples.contextOf("k"), []);
    assert.deepEqual(samples.addTo(message()).parts, [part]);
  }
});
