/** The thread that reads a whole database. It is started by `find-damage.ts`, and works once. */
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

const db = new DatabaseSync(workerData as string, { readOnly: true });
const rows = db.prepare("PRAGMA quick_check").all();
parentPort?.postMessage(rows.map((row) => String(row.quick_check)).filter((line) => line !== "ok"));
