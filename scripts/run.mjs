/**
 * Every npm script starts here: `node scripts/run.mjs JOB [words…]`. It sets up what is missing
 * and then runs the job's steps on the pinned Node, stopping at the first that fails. It owns the
 * order of things, not the work. Runs on Node 20.
 */
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { ensureBrowser } from "./browser.mjs";
import { endLike, failed, runChild } from "./child.mjs";
import { ensureInstalled } from "./install.mjs";
import { findNode } from "./pinned-node.mjs";
import { Refusal } from "./refusal.mjs";
import { codeFiles, root } from "./repo-files.mjs";

/** @typedef {{ args: string[], env?: Record<string, string> }} Step what Node is given */
/**
 * What followed the job's name: as it came, and sorted into what looks like a flag and what not.
 * @typedef {{ rest: string[], flags: string[], words: string[] }} Asked
 */

// Biome colours its words in a pipe too, where the escapes drown them.
const plain = process.stdout.isTTY && !process.env.NO_COLOR ? [] : ["--colors=off"];
const BIOME = "node_modules/@biomejs/biome/bin/biome";
const TSC = "node_modules/typescript/bin/tsc";
const FIXTURES = process.env.GALLEY_FIXTURES ?? join(root, "..", "shared", "fixtures");

/** @returns {Step[]} */
const types = () =>
  [".", "tsconfig.neutral.json", "tsconfig.page.json"].map((project) => ({
    args: [TSC, "-p", project],
  }));

/** @returns {Step[]} */
const check = () => [{ args: [BIOME, "ci", ...plain, "--error-on-warnings", "."] }, ...types()];

/** @param {string[]} files @param {string[]} flags @param {Record<string, string>} [env]
 * @returns {Step} */
function testStep(files, flags, env = {}) {
  // A test that hangs fails after two minutes instead of holding up the whole run.
  const runner = ["--test", "--test-isolation=none", "--test-reporter=spec"];
  // What a failed test leaves open must not hold a run that nobody watches; a person sees it hang.
  if (process.env.CI) runner.push("--test-force-exit");
  return { args: [...runner, "--test-timeout=120000", ...flags, ...files], env };
}

/** @param {string} suffix @param {Asked} asked @param {(path: string) => boolean} [keep] */
function chosen(suffix, { words }, keep = () => true) {
  const files = codeFiles(suffix, words).filter(keep);
  if (files.length > 0) return files;
  const named = words.length > 0 ? ` with ${words.join(" or ")} in its path` : "";
  throw new Refusal(`there is no *${suffix} file${named}`);
}

/** @param {Asked} asked @returns {Promise<Step[]>} */
async function test(asked) {
  const files = chosen(".test.ts", asked);
  const whole = asked.words.length === 0;
  if (!whole) {
    const all = codeFiles(".test.ts").length;
    console.error(`galley: ${files.length} of ${all} test files; biome and tsc are left out`);
  }
  const inBrowser = files.some((path) => path.endsWith(".browser.test.ts"));
  const env = inBrowser ? { CHROME_PATH: await ensureBrowser() } : {};
  return [...(whole ? check() : []), testStep(files, asked.flags, env)];
}

/** @param {Asked} asked @returns {Step[]} */
function golden(asked) {
  if (process.env.CI)
    throw new Refusal("golden files are written by a person, never where CI is set");
  const files = chosen(".test.ts", asked, (path) =>
    /golden/i.test(readFileSync(join(root, path), "utf8")),
  );
  return [testStep(files, asked.flags, { GOLDEN: "write" })];
}

/** @param {Asked} asked @returns {Step[]} */
function outside(asked) {
  if (!existsSync(FIXTURES)) {
    throw new Refusal(`test:outside needs the fixtures at ${FIXTURES} (or GALLEY_FIXTURES)`);
  }
  if (codeFiles(".outside.ts").length === 0) {
    console.error("galley: there is no *.outside.ts file yet, so nothing to run");
    return [];
  }
  return [testStep(chosen(".outside.ts", asked), asked.flags, { GALLEY_FIXTURES: FIXTURES })];
}

/** @param {string} file @returns {(asked: Asked) => Step[]} */
const script = (file) => (asked) => {
  if (!existsSync(join(root, file))) throw new Refusal(`${file} is not there`);
  return [{ args: [file, ...asked.rest] }];
};

/** @type {Record<string, (asked: Asked) => Step[] | Promise<Step[]>>} */
const JOBS = {
  start: ({ rest }) => [{ args: ["packages/host/bin/galley.mjs", "serve", ...rest] }],
  test,
  check,
  types,
  golden,
  format: () => [{ args: [BIOME, "check", ...plain, "--write", "."] }],
  schemas: script("scripts/emit-schemas.ts"),
  bench: script("bench/run.mjs"),
  fuzz: (asked) => [testStep(chosen(".fuzz.ts", asked), asked.flags)],
  "test:outside": outside,
};

/** @param {string} job @param {string[]} rest @returns {Promise<Step[]>} */
async function stepsOf(job, rest) {
  const make = JOBS[job];
  if (make === undefined) throw new Refusal(`no job ${job}: ${Object.keys(JOBS).join(", ")}`);
  const flags = rest.filter((word) => word.startsWith("-"));
  return make({ rest, flags, words: rest.filter((word) => !word.startsWith("-")) });
}

/** @param {string} job @param {string[]} rest */
async function main(job, rest) {
  process.chdir(root);
  // First, so that a word that leads nowhere is refused before anything is installed.
  const steps = await stepsOf(job, rest);
  const installed = await ensureInstalled(root);
  if (failed(installed)) return installed;
  const node = findNode(root);
  if (node === undefined) {
    throw new Refusal(`Node ${process.version} is too old here; Galley needs 22.18 or newer`);
  }
  const path = [join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter);
  for (const step of steps) {
    const ending = await runChild(node, step.args, { ...process.env, PATH: path, ...step.env });
    if (failed(ending)) return ending;
  }
  return { code: 0, signal: null };
}

const [job = "", ...rest] = process.argv.slice(2);
try {
  endLike(await main(job, rest));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(`galley: ${error.message}`);
  process.exitCode = 1;
}
