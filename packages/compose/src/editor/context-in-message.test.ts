import assert from "node:assert/strict";
import { test } from "node:test";
import type { UserMessage } from "@galley/parts";
import { addContext, isAutomatic, removeContext } from "./context-in-message.ts";
import { contextPart, unchangedPart } from "./context-part.ts";
import { CONTEXT_POLICIES } from "./policy.ts";
import type { EditorSample } from "./sample.ts";

const POLICY = CONTEXT_POLICIES.image;
const sample: EditorSample = { kind: "selection", payload: { id: "n1" }, emitted_at: 1 };
const automatic = contextPart(sample, "automatic", POLICY);
const mentioned = contextPart(sample, "mention", POLICY);
const text = { type: "text", text: "make it red" } as const;
const foreign = { type: "x-other", kept: [1] };
const message = (...parts: UserMessage["parts"]): UserMessage => ({
  role: "user",
  id: "msg_1",
  metadata: { schema_version: 1 },
  parts,
});

test("context goes behind the person's own words", () => {
  assert.deepEqual(addContext(message(text), [automatic]), message(text, automatic));
});

test("what the person mentioned is not told twice", () => {
  const held = message(text, mentioned);
  assert.deepEqual(addContext(held, [automatic]), held);
  assert.deepEqual(addContext(held, [unchangedPart(sample, { emitted_at: 0 })]), held);
  const other = contextPart({ ...sample, payload: { id: "n2" } }, "automatic", POLICY);
  assert.deepEqual(addContext(held, [other]), message(text, mentioned, other));
});

test("taking out one part of context keeps the rest as it was", () => {
  const before = message(text, automatic, foreign);
  const removed = removeContext(before, 1);
  assert.deepEqual(removed, { ok: true, message: message(text, foreign) });
  assert.deepEqual(before, message(text, automatic, foreign));
});

test("marks on the parts behind it move up with them", () => {
  const metadata = { schema_version: 1, verbatim_parts: [0, 2] };
  const removed = removeContext({ ...message(text, mentioned, text), metadata }, 1);
  assert.ok(removed.ok);
  assert.deepEqual(removed.message.metadata, { schema_version: 1, verbatim_parts: [0, 1] });
});

test("only context is taken out, and a message keeps at least one part", () => {
  const before = message(text, foreign);
  assert.deepEqual(removeContext(before, 0), { ok: false, reason: "not-context" });
  assert.deepEqual(removeContext(before, 1), { ok: false, reason: "not-context" });
  assert.deepEqual(removeContext(before, 2), { ok: false, reason: "no-such-part" });
  assert.deepEqual(removeContext(before, -1), { ok: false, reason: "no-such-part" });
  assert.deepEqual(removeContext(message(automatic), 0), { ok: false, reason: "last-part" });
});

test("a file that the person referenced is no context, whatever it is marked with", () => {
  const ref = { type: "file-ref", ref: { kind: "path", path: "a.ts" } } as const;
  const marks = [{ origin: "automatic" }, { context: "selection" }, { context: { kind: 1 } }];
  for (const mark of marks) {
    assert.deepEqual(removeContext(message(text, { ...ref, ...mark }), 1), {
      ok: false,
      reason: "not-context",
    });
  }
});

test("automatic parts are told from those that a person put in", () => {
  assert.deepEqual([automatic, mentioned, text, foreign].map(isAutomatic), [
    true,
    false,
    false,
    false,
  ]);
});
