/** Opens a store, prints what came of it, and closes it. */
import { writeSync } from "node:fs";
import process from "node:process";
import { isGalleyError } from "@galley/parts";
import { openSqliteStore } from "../open.ts";

const [path = ""] = process.argv.slice(2);
try {
  const store = await openSqliteStore({ path });
  await store.sessions.create({ id: `ses_${process.pid}`, agent: "a", at: 1 });
  await store.close();
  writeSync(1, "opened\n");
} catch (error) {
  writeSync(1, `${isGalleyError(error) ? error.code : String(error)}\n`);
}
