/** A few kills of the real host in every run of the tests; `kill.fuzz.ts` has the five hundred. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { tempFolder } from "../testing/temp-folder.ts";
import { killRun } from "./kill-run.ts";

test("a host that is killed under load loses no message, fires none twice and comes up by itself", async (t) => {
  const home = await tempFolder(t);
  const report = await killRun({ home, kills: 8, sessions: 3, chance: Math.random });
  assert.equal(report.kills, 8);
  assert.ok(report.accepted > 8 && report.sent > 0, JSON.stringify(report));
});
