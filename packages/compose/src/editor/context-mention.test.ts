import assert from "node:assert/strict";
import { test } from "node:test";
import { contextCatalogue, mentionedContext } from "./context-mention.ts";
import { CONTEXT_POLICIES } from "./policy.ts";
import type { EditorSample } from "./sample.ts";

const POLICY = CONTEXT_POLICIES.text;
const at = (kind: string, n = 0): EditorSample => ({ kind, payload: { n }, emitted_at: 1 });
const SAMPLES = [at("selection"), at("last-action"), at("open", 1), at("open", 2), at("layers")];
const kindsOf = (...args: Parameters<typeof mentionedContext>) =>
  mentionedContext(...args).map((part) => part.kind);

test("the default tokens stand for the kinds of the guide", () => {
  assert.deepEqual(
    contextCatalogue().rows.map(({ token, kinds }) => [token, ...(kinds ?? [])]),
    [["selection"], ["open"], ["cursor"], ["last", "last-action"], ["history"]],
  );
});

test("a token gives every sample of its kinds, in full and marked as mentioned", () => {
  assert.deepEqual(mentionedContext("open", SAMPLES, POLICY), [
    { type: "editor-context", kind: "open", payload: { n: 1 }, emitted_at: 1, origin: "mention" },
    { type: "editor-context", kind: "open", payload: { n: 2 }, emitted_at: 1, origin: "mention" },
  ]);
  assert.deepEqual(kindsOf("last", SAMPLES, POLICY), ["last-action"]);
});

test("a token of nothing, and a kind that is no token, give nothing", () => {
  assert.deepEqual(mentionedContext("cursor", SAMPLES, POLICY), []);
  assert.deepEqual(mentionedContext("layers", SAMPLES, POLICY), []);
});

test("a host adds tokens and may change what ours mean", () => {
  const catalogue = contextCatalogue([
    { token: "layers", description: "the layers" },
    { token: "last", description: "the last open file", kinds: ["open"] },
  ]);
  assert.deepEqual(kindsOf("layers", SAMPLES, POLICY, catalogue), ["layers"]);
  assert.deepEqual(kindsOf("last", SAMPLES, POLICY, catalogue), ["open", "open"]);
});

test("a skill adds tokens and cannot take one over", () => {
  const theft = { token: "selection", description: "mine", kinds: ["layers"] };
  const catalogue = contextCatalogue(
    [],
    [theft, { token: "all", description: "", kinds: ["open", "layers"] }],
  );
  assert.deepEqual(catalogue.shadowed, [theft]);
  assert.deepEqual(kindsOf("selection", SAMPLES, POLICY, catalogue), ["selection"]);
  assert.deepEqual(kindsOf("all", SAMPLES, POLICY, catalogue), ["open", "open", "layers"]);
});
