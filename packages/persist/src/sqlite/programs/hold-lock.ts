/** Takes the write lock and keeps it for as long as it is told. */
import { writeSync } from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { openSqliteStore } from "../open.ts";

const [path = "", ms = "0"] = process.argv.slice(2);
const store = await openSqliteStore({ path });
await store.transact(async () => {
  writeSync(1, "locked\n");
  await sleep(Number(ms));
});
await store.close();
