/** The reducer against the oracle and the laws, on some ten thousand steps; `npm run fuzz` has a million. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ACTS, type Move } from "./moves.ts";
import { brokenLaw } from "./trial.ts";

const move: fc.Arbitrary<Move> = fc.record({
  act: fc.constantFrom(...ACTS),
  pick: fc.nat(999),
  other: fc.nat(999),
});

test("whatever happens to a session, the reducer does what the oracle does and keeps the laws", (context) => {
  let steps = 0;
  fc.assert(
    fc.property(fc.array(move, { minLength: 60, maxLength: 100 }), (moves) => {
      steps += moves.length;
      assert.equal(brokenLaw(moves), undefined);
    }),
    { numRuns: 250, seed: 2026 },
  );
  context.diagnostic(`${steps} steps`);
  assert.ok(steps >= 10_000, `${steps} steps`);
});
