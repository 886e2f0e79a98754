/**
 * Mention search over one list of paths, beside `fzf --filter` (Debian's package) on the same list.
 *
 * fzf is a process that reads the list each time, our index read it once: what that costs is timed
 * beside each query and shown taken off as well.
 */
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createPathIndex } from "@galley/compose";
import { median, show } from "./measure.mjs";

const SIZES = [
  { size: 100_000, rounds: 15, fzfRounds: 3, every: 1 },
  { size: 1_000_000, rounds: 5, fzfRounds: 1, every: 4 },
];
const SEED = 20;
/** Nothing in a path: fzf reads the list, looks at each line once and finds nothing. */
const MATCHES_NOTHING = "\u0001";

// biome-ignore format: a list to be read as one
const QUERIES = [
  "a", "e", "ts", "tsx", "src", "user", "index", "README", "parser", "service", "config.json",
  "test.ts", "usrctl", "cmpmen", "rtr", "pkgsrc", "sessionstore", "UserProfile", "userProf",
  "notifhandler", "schema.sql", "packages/", "src/user", "compose/mention", "auth login",
  "host work skill", "test user json", "webhook-retry", "main.go", "zqxjkv",
];

const WORDS =
  "user account session message queue parser lexer token stream buffer socket server client router request response header cookie auth login password profile avatar upload image video config option theme button dialog modal table list tree graph node edge cache store index search query filter sort page layout footer sidebar menu icon color style shape compose persist assemble turn host workspace mention skill prompt model provider billing invoice payment order cart product catalog inventory shipping email template notification webhook event handler worker job schedule retry timeout error logger metrics trace health status migration schema fixture snapshot golden bench".split(
    " ",
  );
const TOPS = "packages apps services libs internal cmd docs examples tests tools infra".split(" ");
const FOLDERS =
  "src lib test components hooks pages api core models views controllers types generated locales assets styles fixtures commands adapters storage".split(
    " ",
  );
const ENDINGS =
  "ts ts ts ts tsx tsx test.ts test.ts js json json md md go go rs py css yaml sql svg".split(" ");
const FIXED = ["index", "README", "main", "mod", "types", "config"];

/** @param {number} seed */
function chance(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Files in a tree of directories, about ten in each, named as people name them. @param {number} count */
export function makePaths(count) {
  const next = chance(SEED);
  const pick = (/** @type {string[]} */ from) => from[Math.floor(next() * from.length)] ?? "";
  const large = (/** @type {string} */ word) => (word[0] ?? "").toUpperCase() + word.slice(1);
  const folders = TOPS.map((top) => `${top}/`);
  const seen = new Set(folders);
  while (folders.length < count / 10) {
    const parent = folders[Math.floor(next() ** 2 * folders.length)] ?? "";
    const name =
      next() < 0.4 ? pick(FOLDERS) : next() < 0.6 ? pick(WORDS) : `${pick(WORDS)}-${pick(WORDS)}`;
    const folder = `${parent}${name}/`;
    if (folder.length > 90 || seen.has(folder)) continue;
    seen.add(folder);
    folders.push(folder);
  }
  const paths = new Set();
  while (paths.size < count) {
    const ending = pick(ENDINGS);
    const words = Array.from({ length: 1 + Math.floor(next() * 3) }, () => pick(WORDS));
    const camel = words.map((word, nth) => (nth === 0 ? word : large(word))).join("");
    const style = next();
    const name =
      ending === "tsx"
        ? words.map(large).join("")
        : ending === "go" || ending === "py" || ending === "rs"
          ? words.join("_")
          : style < 0.5
            ? words.join("-")
            : style < 0.85
              ? camel
              : pick(FIXED);
    paths.add(`${pick(folders)}${name}.${ending}`);
  }
  return /** @type {string[]} */ ([...paths]);
}

function ensureFzf() {
  const works = () => spawnSync("fzf", ["--version"], { encoding: "utf8" });
  const found = works();
  if (found.status === 0) return found.stdout.trim();
  const hasApt = spawnSync("apt-get", ["--version"]).status === 0;
  if (process.getuid?.() === 0 && hasApt) {
    console.error("bench: installing Debian's fzf (apt-get install fzf)…");
    const install = () => spawnSync("apt-get", ["install", "-y", "--no-install-recommends", "fzf"]);
    if (install().status !== 0) {
      spawnSync("apt-get", ["update"]);
      install();
    }
    const installed = works();
    if (installed.status === 0) return installed.stdout.trim();
  }
  throw new Error("the benchmark needs fzf on the PATH: install it (Debian: apt-get install fzf)");
}

/** @param {string} query @param {string} list @param {"ignore" | "pipe"} output */
function fzf(query, list, output) {
  const input = openSync(list, "r");
  const env = { PATH: process.env.PATH ?? "" };
  const start = performance.now();
  const { stdout, status, error } = spawnSync("fzf", ["--filter", query], {
    stdio: [input, output, "ignore"],
    env,
    maxBuffer: 2 ** 30,
  });
  const ms = performance.now() - start;
  closeSync(input);
  // 1: no match. Anything else is not an answer.
  if (error || (status !== 0 && status !== 1)) throw error ?? new Error(`fzf ended with ${status}`);
  return { ms, first: stdout?.subarray(0, 4096).toString().split("\n")[0] ?? "" };
}

const percentile = (/** @type {number[]} */ values, /** @type {number} */ share) =>
  values.toSorted((a, b) => a - b)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ] ?? 0;

/** @param {number} count @param {() => number} once */
const samples = (count, once) => Array.from({ length: count }, once);

/** @param {ReturnType<typeof createPathIndex>} index @param {string} query @param {number} rounds */
function ours(index, query, rounds) {
  const timed = (/** @type {string} */ typed) => {
    const start = performance.now();
    index.search(typed);
    return performance.now() - start;
  };
  // An addition makes the index forget earlier searches: each round starts from the whole list.
  const fresh = samples(rounds, () => {
    index.add([]);
    return timed(query);
  });
  index.add([]);
  const letters = Array.from({ length: query.length }, (_, nth) => query.slice(0, nth + 1));
  const typed = letters.map(timed);
  return { fresh, typed, first: index.search(query)[0]?.path ?? "" };
}

function collect() {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/**
 * Start, reading and query are timed one after the other in each round, so that what else the
 * machine does falls on all three.
 * @param {string} query @param {string} list @param {string} empty @param {number} rounds
 */
function theirs(query, list, empty, rounds) {
  const timed = Array.from({ length: rounds }, () => ({
    start: fzf(query, empty, "ignore").ms,
    idle: fzf(MATCHES_NOTHING, list, "ignore").ms,
    whole: fzf(query, list, "ignore").ms,
  }));
  return {
    whole: timed.map(({ whole }) => whole),
    afterStart: timed.map(({ whole, start }) => Math.max(0, whole - start)),
    afterReading: timed.map(({ whole, idle }) => Math.max(0, whole - idle)),
  };
}

/** @param {{ size: number, rounds: number, fzfRounds: number, every: number }} what @param {string} folder */
function contest({ size, rounds, fzfRounds, every }, folder) {
  const paths = makePaths(size);
  const queries = QUERIES.filter((_, nth) => nth % every === 0);
  const [list, empty] = [join(folder, "list"), join(folder, "empty")];
  writeFileSync(list, `${paths.join("\n")}\n`);
  writeFileSync(empty, "");
  const before = collect();
  const started = performance.now();
  const index = createPathIndex(paths);
  const build = performance.now() - started;
  const bytes = (collect() - before) / size;
  for (const query of QUERIES) ours(index, query, 3);
  fzf("user", list, "ignore");
  const rows = queries.map((query) => {
    const mine = ours(index, query, rounds);
    const agrees = every === 1 && fzf(query, list, "pipe").first === mine.first;
    return { query, ...mine, fzf: theirs(query, list, empty, fzfRounds), agrees };
  });
  return { size, build, bytes, rows, slice: longestSlice(index) };
}

/** How long the event loop waits at most during a search in slices. @param {ReturnType<typeof createPathIndex>} index */
function longestSlice(index) {
  const times = QUERIES.flatMap((query) => {
    index.add([]);
    const slices = index.searchSlices(query);
    const each = [];
    for (let done = false; !done; ) {
      const start = performance.now();
      done = slices.next().done ?? true;
      each.push(performance.now() - start);
    }
    return each;
  });
  return percentile(times, 0.99);
}

/** @typedef {ReturnType<typeof contest>} Result */

/** @param {Result[]} results */
function summary(results) {
  const lines = results.flatMap(({ size, rows }) => {
    const entries = /** @type {[string, number[][]][]} */ ([
      ["galley, a query at once", rows.map(({ fresh }) => fresh)],
      ["galley, letter by letter", rows.map(({ typed }) => typed)],
      ["fzf", rows.map(({ fzf }) => fzf.whole)],
      ["fzf − start", rows.map(({ fzf }) => fzf.afterStart)],
      ["fzf − start, reading", rows.map(({ fzf }) => fzf.afterReading)],
    ]);
    return entries.map(([name, times]) => {
      const medians = times.map(median);
      const cells = [median(medians), percentile(times.flat(), 0.95), Math.max(...medians)];
      return [size.toLocaleString("en"), name, ...cells.map(show)];
    });
  });
  return table(["Paths", "Search, ms", "median", "95th percentile", "slowest query"], lines);
}

/** @param {Result} result */
function byQuery({ rows }) {
  const lines = rows.map(({ query, fresh, fzf, agrees }) => {
    const mine = median(fresh);
    const [whole, ...rest] = [fzf.whole, fzf.afterStart, fzf.afterReading].map(median);
    const cells = [mine, whole ?? 0, ...rest].map(show);
    return [
      `\`${query}\``,
      ...cells,
      `${((whole ?? 0) / mine).toFixed(0)} ×`,
      agrees ? "same" : "other",
    ];
  });
  const head = [
    "Query, ms",
    "galley",
    "fzf",
    "− start",
    "− start, reading",
    "fzf ÷ galley",
    "first hit",
  ];
  return table(head, lines);
}

/** @param {string[]} head @param {string[][]} lines */
const table = (head, lines) =>
  [head, head.map(() => "---"), ...lines].map((row) => `| ${row.join(" | ")} |`).join("\n");

export async function run() {
  const version = ensureFzf();
  const folder = mkdtempSync(join(tmpdir(), "galley-mentions-"));
  try {
    const results = SIZES.map((size) => contest(size, folder));
    const [small] = results;
    const rows = small?.rows ?? [];
    const same = rows.filter(({ agrees }) => agrees).length;
    const slower = rows.filter(({ fresh, fzf }) => median(fresh) > median(fzf.whole));
    return [
      `fzf ${version}. Its time holds the start of a process and the reading of the list, so it is given also without: "− start" takes off the same call on an empty list, "− start, reading" a query that no path can match, both timed beside it. What is left there is fzf's search on all cores and its printing of every hit; ours runs on one core and gives the best 20 with their marked places.`,
      results.map(facts).join("\n"),
      summary(results),
      `By query, ${(small?.size ?? 0).toLocaleString("en")} paths. Slower than fzf: ${slower.length === 0 ? "none" : slower.map(({ query }) => `\`${query}\``).join(", ")}. The first hit is the same in ${same} of ${rows.length} (for information: we put the name of a file before its directories, and many paths tie).`,
      small ? byQuery(small) : "",
    ].join("\n\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {Result} result */
const facts = ({ size, build, bytes, slice }) =>
  `- ${size.toLocaleString("en")} paths: built in ${show(build)} ms, ${bytes.toFixed(0)} bytes a path beside the text; 99 of 100 slices of a search take under ${show(slice)} ms`;
