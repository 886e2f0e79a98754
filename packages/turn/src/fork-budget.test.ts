import assert from "node:assert/strict";
import { test } from "node:test";
import { copyBudget } from "./fork-budget.ts";

const IDS = new Map([["msg_a", "msg_A"]]);
const LINE = { tokens: 5, line: "[elided]" };

test("what was left out of the messages that were copied is left out of the copies", () => {
  const states = {
    "p/one": { elided: { "msg_a/3": LINE, "msg_later/1": LINE, "#0/1:abc": LINE } },
    "p/two": { elided: { "msg_later/1": LINE } },
  };
  assert.deepEqual(copyBudget(states, IDS), { "p/one": { elided: { "msg_A/3": LINE } } });
});

test("where nothing is left of it, or it is not ours to read, there is nothing to copy", () => {
  for (const states of [undefined, null, 3, [], {}, { m: null }, { m: { elided: [] } }]) {
    assert.equal(copyBudget(states, IDS), undefined);
  }
});
