/**
 * `npm run bench [NAME…] [-- --write]`: installs the peers once, runs each benchmark and prints its
 * table. `--write` puts the tables into docs/benchmarks.md, between the marks that bear their names.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";

const BENCHMARKS = {
  shape: "./shape.mjs",
  templates: "./templates.mjs",
  mentions: "./mentions.mjs",
  sessions: "./sessions.mjs",
  search: "./search.mjs",
};
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const PAGE = here("../docs/benchmarks.md");

function ensurePeers() {
  const digest = createHash("sha256")
    .update(readFileSync(here("package-lock.json")))
    .digest("hex");
  const stamp = here("node_modules/.galley-bench");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return;
  console.error("bench: installing the peers (once, about half a minute)…");
  const { status } = spawnSync("npm", ["ci", "--loglevel=error"], {
    cwd: here("."),
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error("npm ci failed in bench/");
  writeFileSync(stamp, digest);
}

/** @param {string} name @param {string} text */
function write(name, text) {
  const page = readFileSync(PAGE, "utf8");
  const [open, close] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [page.indexOf(open), page.indexOf(close)];
  if (from < 0 || to < from) throw new Error(`docs/benchmarks.md has no marks for ${name}`);
  writeFileSync(PAGE, `${page.slice(0, from + open.length)}\n${text}\n${page.slice(to)}`);
}

const words = process.argv.slice(2);
const names = words.filter((word) => !word.startsWith("-"));
const unknown = names.find((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown) {
  console.error(`bench: no benchmark ${unknown}: ${Object.keys(BENCHMARKS).join(", ")}`);
  process.exit(2);
}
ensurePeers();
const machine = `${process.platform} ${process.arch}, ${cpus().length} cores, Node ${process.version}`;
for (const [name, file] of Object.entries(BENCHMARKS)) {
  if (names.length > 0 && !names.includes(name)) continue;
  console.error(`bench: ${name} on ${machine}`);
  const { run } = await import(file);
  const text = `\`npm run bench ${name}\` on ${machine}\n\n${await run()}`;
  console.log(text);
  if (words.includes("--write")) write(name, text);
}
