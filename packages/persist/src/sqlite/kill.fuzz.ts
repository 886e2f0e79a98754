/** As kill.test.ts, 500 times; `GALLEY_FUZZ_CASES` makes it longer or shorter. */
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { killOnce } from "./kill.ts";
import { scratch } from "./scratch.ts";

const cases = Number(process.env.GALLEY_FUZZ_CASES ?? 500);
const RUNS_A_FILE = 25;

test(`${cases} kills lose no message that was acknowledged`, async (context) => {
  const folder = scratch(context);
  let acked = 0;
  for (let run = 0; run < cases; run++) {
    const file = `${Math.floor(run / RUNS_A_FILE)}.db`;
    acked += await killOnce(join(folder, file), run, Math.random() * 150);
  }
  context.diagnostic(`${acked} messages acknowledged`);
});
