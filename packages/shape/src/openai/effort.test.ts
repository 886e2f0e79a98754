import assert from "node:assert/strict";
import { test } from "node:test";
import type { Settings } from "../protocol.ts";
import { effortOf, takesSampling } from "./effort.ts";

const words = (...list: string[]) =>
  ({ reasoning: { control: "effort", words: list, canDisable: false } }) as const;
const asking = (reasoning: Settings["reasoning"]): Settings => ({
  stream: true,
  cache: "auto",
  ...(reasoning && { reasoning }),
});

test("a word that the model takes is sent as it is asked for", () => {
  assert.equal(effortOf(words("none", "low", "high"), asking({ effort: "low" })), "low");
});

test("a word that it does not take becomes the nearest, and never the one for not thinking", () => {
  assert.equal(effortOf(words("medium", "high", "xhigh"), asking({ effort: "low" })), "medium");
  assert.equal(effortOf(words("high"), asking({ effort: "low" })), "high");
  assert.equal(effortOf(words("low", "high"), asking({ effort: "medium" })), "high");
  assert.equal(effortOf(words("none", "xhigh"), asking({ effort: "low" })), "xhigh");
});

test("a budget of tokens becomes a word", () => {
  const efforts = [1024, 4096, 16_384].map((budget) => effortOf({}, asking({ budget })));
  assert.deepEqual(efforts, ["low", "medium", "high"]);
  assert.equal(effortOf({}, asking({})), "medium");
});

test("nothing is sent unasked, nor to a model that is known not to reason", () => {
  assert.equal(effortOf(words("low"), asking(undefined)), undefined);
  assert.equal(effortOf({ reasoning: false }, asking({ effort: "low" })), undefined);
});

test("sampling is for models that do not reason, and for those told not to", () => {
  assert.equal(takesSampling({ reasoning: false }, undefined), true);
  assert.equal(takesSampling({}, "low"), true);
  assert.equal(takesSampling(words("low"), undefined), false);
  assert.equal(takesSampling(words("none", "low"), "none"), true);
});
