import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { killOnce } from "./kill.ts";
import { scratch } from "./scratch.ts";

test("a process that is killed loses no message that it acknowledged", async (context) => {
  const path = join(scratch(context), "galley.db");
  let acked = 0;
  for (let run = 0; run < 10; run++) acked += await killOnce(path, run, Math.random() * 60);
  assert.ok(acked >= 10);
});
