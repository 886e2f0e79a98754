import assert from "node:assert/strict";
import { test } from "node:test";
import { collectAtRest } from "./small-heap.ts";

test("memory is collected once after the last stir, and not while things happen", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let collected = 0;
  const rest = collectAtRest(() => {
    collected += 1;
  });
  rest.stir();
  t.mock.timers.tick(1_500);
  assert.equal(collected, 1);
  t.mock.timers.tick(60_000);
  assert.equal(collected, 1);
  rest.stir();
  rest.stop();
  t.mock.timers.tick(60_000);
  assert.equal(collected, 1);
});

test("the real collector takes the options it is given", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const rest = collectAtRest();
  rest.stir();
  assert.doesNotThrow(() => t.mock.timers.tick(1_500));
});
