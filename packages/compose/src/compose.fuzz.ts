/**
 * A million drafts by chance against the laws. The seed is printed; `GALLEY_FUZZ_SEED` repeats a
 * run, `GALLEY_FUZZ_CASES` makes it longer or shorter.
 */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { brokenLaw, chanceOf, randomDraft } from "./laws.ts";

const seed = Number(process.env.GALLEY_FUZZ_SEED ?? Date.now() % 0x1_0000_0000);
const cases = Number(process.env.GALLEY_FUZZ_CASES ?? 1_000_000);
const LEGS = 20;

for (let leg = 0; leg < LEGS; leg++) {
  test(`no draft breaks a law (seed ${seed}, leg ${leg + 1} of ${LEGS})`, async (context) => {
    const chance = chanceOf(seed + leg);
    const count = Math.ceil(cases / LEGS);
    for (let index = 0; index < count; index++) {
      const draft = randomDraft(chance);
      const broken = await brokenLaw(draft);
      assert.equal(broken, undefined, `case ${index}: ${JSON.stringify(draft)}`);
    }
    context.diagnostic(`${count} drafts`);
  });
}
