/**
 * A million steps by chance against the oracle and the laws. The seed is printed;
 * `GALLEY_FUZZ_SEED` repeats a run, `GALLEY_FUZZ_CASES` makes it longer or shorter.
 */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import fc from "fast-check";
import { ACTS } from "./moves.ts";
import { brokenLaw } from "./trial.ts";

const seed = Number(process.env.GALLEY_FUZZ_SEED ?? Date.now() % 0x8000_0000);
const steps = Number(process.env.GALLEY_FUZZ_CASES ?? 1_000_000);
const LEGS = 20;
const LENGTH = 100;

const move = fc.record({
  act: fc.constantFrom(...ACTS),
  pick: fc.nat(999),
  other: fc.nat(999),
});

for (let leg = 0; leg < LEGS; leg++) {
  test(`no row of events breaks a law (seed ${seed}, leg ${leg + 1} of ${LEGS})`, (context) => {
    const numRuns = Math.ceil(steps / LEGS / LENGTH);
    fc.assert(
      fc.property(fc.array(move, { minLength: LENGTH, maxLength: LENGTH }), (moves) => {
        assert.equal(brokenLaw(moves), undefined);
      }),
      { numRuns, seed: seed + leg },
    );
    context.diagnostic(`${numRuns * LENGTH} steps`);
  });
}
