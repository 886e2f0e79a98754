/** Five hundred kills under load in one run; about ten minutes. `GALLEY_KILLS` asks for another number. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { tempFolder } from "../testing/temp-folder.ts";
import { killRun } from "./kill-run.ts";

const KILLS = Number(process.env.GALLEY_KILLS ?? 500);

test(`${KILLS} kills under load`, { timeout: 3_600_000 }, async (t) => {
  const home = await tempFolder(t);
  const report = await killRun({ home, kills: KILLS, sessions: 4, chance: Math.random });
  t.diagnostic(JSON.stringify(report));
  assert.ok(report.accepted > KILLS && report.sent > KILLS, JSON.stringify(report));
});
