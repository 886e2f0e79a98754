import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { storeContract } from "../contract.ts";
import { openSqliteStore } from "./open.ts";

const folder = mkdtempSync(join(tmpdir(), "galley-store-"));
after(() => rmSync(folder, { recursive: true }));

let files = 0;
storeContract("SQLite in a file", () =>
  openSqliteStore({ path: join(folder, `${++files}.db`), sync: "normal" }),
);
storeContract("SQLite in memory", () => openSqliteStore({ path: ":memory:" }));
