/** What the doctor says of the database: whether it is sound, who has it, and what waits in it. */
import { stat } from "node:fs/promises";
import { isGalleyError } from "@galley/parts";
import { openSqliteStore, type Store } from "@galley/persist";
import type { Finding } from "../pipeline/pipeline.ts";
import { reasonOf } from "../workspace/read-file.ts";
import { databasePath, isForgotten } from "./database-path.ts";
import { findHost } from "./host-lock.ts";

export async function databaseFindings(
  db: string | undefined,
  home: string,
): Promise<readonly Finding[]> {
  try {
    const path = await databasePath(db, home);
    if (isForgotten(path)) return [ok("database", "in memory: forgotten when the host ends")];
    const size = await sizeOf(path);
    if (size === 0) {
      return [{ name: "database", status: "missing", says: `${path} (made when it is needed)` }];
    }
    return await findingsIn(path, size);
  } catch (error) {
    if (!isGalleyError(error)) throw error;
    return [{ name: "database", status: "warning", says: error.message }];
  }
}

const ok = (name: string, says: string): Finding => ({ name, status: "ok", says });

async function findingsIn(path: string, size: number): Promise<readonly Finding[]> {
  const store = await openSqliteStore({ path });
  try {
    return [await soundness(store, path, size), await holder(path), await waiting(store)];
  } finally {
    await store.close();
  }
}

async function soundness(store: Store, path: string, size: number): Promise<Finding> {
  const damage = await store.check();
  const at = `${path} (${(size / 1024 / 1024).toFixed(1)} MB)`;
  const [first] = damage;
  if (first === undefined) return ok("database", `${at}, sound`);
  const says = `${at} is damaged in ${damage.length} places, the first: ${first}`;
  const mend = "export what can be read, put the file aside, and import it into a new one";
  return { name: "database", status: "warning", says, mend };
}

async function holder(path: string): Promise<Finding> {
  const host = await findHost(path);
  if (!host.runs) return ok("host", "none runs on this database");
  const { address } = host;
  if (!address) return ok("host", "one runs on this database and does not listen");
  return ok("host", `runs at ${address.url} (process ${address.pid})`);
}

async function waiting(store: Store): Promise<Finding> {
  const sessions = await store.queue.sessions();
  const queues = await Promise.all(sessions.map((id) => store.queue.list(id)));
  const count = queues.reduce((sum, queue) => sum + queue.length, 0);
  if (count === 0) return ok("queues", "nothing waits");
  return ok("queues", `${count} messages wait in ${sessions.length} sessions`);
}

/** 0 when there is none. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (reasonOf(error) === "no such file") return 0;
    throw error;
  }
}
