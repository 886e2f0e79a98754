/**
 * The tools that search files, beside ripgrep and fd (Debian's packages) on the same tree of 100,000
 * files, with the same ignore files. Each is asked what a model asks: the whole answer where it is
 * short, the first of many where it is not.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { globTool } from "../packages/host/src/tools/glob.ts";
import { grepTool } from "../packages/host/src/tools/grep.ts";
import { scratchFolders } from "../packages/host/src/tools/scratch.ts";
import { median, show } from "./measure.mjs";
import { makePaths } from "./mentions.mjs";

const FILES = 100_000;
const ROUNDS = 5;
const NEEDLE = "needleInTheStack";
const EVERY = 9973;

const LINES = [
  'import { readFile } from "node:fs/promises";',
  "export function parse(text: string, at = 0): Token[] {",
  "  const tokens = [];",
  "  for (const line of text.split('\\n')) tokens.push(read(line, at));",
  "  // what cannot be placed is kept, so that nothing is lost",
  "  return tokens.filter((token) => token.kind !== 'space');",
  "}",
  "",
];

/** A tree of small files, one in ten under a folder that is ignored. @param {string} root */
function plant(root) {
  const paths = makePaths(FILES);
  mkdirSync(join(root, ".git"));
  writeFileSync(join(root, ".gitignore"), "tools/\n*.svg\n");
  const made = new Set();
  for (const [nth, path] of paths.entries()) {
    const folder = dirname(join(root, path));
    if (!made.has(folder)) mkdirSync(folder, { recursive: true });
    made.add(folder);
    const count = 2 + (nth % 12);
    const text = `${LINES.join("\n").repeat(count)}// file ${nth}\n`;
    writeFileSync(
      join(root, path),
      nth % EVERY === 0 ? `${text}const ${NEEDLE} = ${nth};\n` : text,
    );
  }
}

/** @param {string[]} names */
function ensureProgram(names, pkg) {
  const works = () => names.find((name) => spawnSync(name, ["--version"]).status === 0);
  if (!works() && process.getuid?.() === 0) {
    console.error(`bench: installing Debian's ${pkg} (apt-get install ${pkg})…`);
    spawnSync("apt-get", ["install", "-y", "--no-install-recommends", pkg]);
  }
  const found = works();
  if (!found) throw new Error(`the benchmark needs ${names[0]}: install it (Debian: ${pkg})`);
  return found;
}

/** @param {string} root @param {string} home */
function ourTools(root, home) {
  const places = {
    rootOf: () => root,
    scratch: scratchFolders(home),
    attachments: { find: async () => ({ ok: false, reason: "none" }) },
  };
  const session = { id: "ses_1", workspace_root: root };
  const signal = new AbortController().signal;
  const context = { session, message_id: "msg_1", tool_call_id: "call_1", signal };
  const tools = { grep: grepTool(places), glob: globTool(places) };
  return async (/** @type {"grep" | "glob"} */ name, /** @type {object} */ input) => {
    const output = await tools[name].run(input, /** @type {never} */ (context));
    if (output.type === "error") throw new Error(output.error_text);
    return String(output.data);
  };
}

const QUESTIONS = [
  { what: "grep, a word in 11 files", tool: "grep", input: { pattern: NEEDLE }, rg: [NEEDLE] },
  {
    what: "grep, nothing",
    tool: "grep",
    input: { pattern: "nothingOfThatName" },
    rg: ["nothingOfThatName"],
  },
  {
    what: "grep, a pattern, nothing",
    tool: "grep",
    input: { pattern: "func\\w+ none\\d+\\(" },
    rg: ["func\\w+ none\\d+\\("],
  },
  {
    what: "grep, in *.ts of one folder",
    tool: "grep",
    input: { pattern: "nothingOfThatName", path: "packages", glob: "*.ts" },
    rg: ["nothingOfThatName", "-g", "*.ts", "packages"],
  },
  { what: "glob, *.rs", tool: "glob", input: { pattern: "*.rs" }, fd: ["-g", "*.rs"] },
  { what: "glob, nothing", tool: "glob", input: { pattern: "*.none" }, fd: ["-g", "*.none"] },
];

export async function run() {
  const rg = ensureProgram(["rg"], "ripgrep");
  const fd = ensureProgram(["fdfind", "fd"], "fd-find");
  const folder = mkdtempSync(join(tmpdir(), "galley-bench-"));
  const [root, home] = [join(folder, "tree"), join(folder, "home")];
  try {
    mkdirSync(root);
    mkdirSync(home);
    console.error(`bench: planting ${FILES} files…`);
    plant(root);
    const ask = ourTools(root, home);
    const theirs = (/** @type {typeof QUESTIONS[number]} */ question) => {
      const args = question.rg ? ["-n", "--hidden", ...question.rg] : ["--hidden", ...question.fd];
      // The tool leaves git's own folder out, so they do too.
      const cut = question.rg ? ["-g", "!.git"] : ["-E", ".git"];
      const { status, error } = spawnSync(question.rg ? rg : fd, [...args, ...cut], {
        cwd: root,
        stdio: ["ignore", "pipe", "ignore"],
        maxBuffer: 2 ** 28,
      });
      if (error || (status ?? 2) > 1) throw error ?? new Error(`ended with ${status}`);
    };
    const rows = [];
    for (const question of QUESTIONS) {
      const times = { ours: [], theirs: [] };
      for (let round = 0; round <= ROUNDS; round += 1) {
        const start = performance.now();
        await ask(/** @type {"grep"} */ (question.tool), question.input);
        const middle = performance.now();
        theirs(question);
        if (round === 0) continue;
        times.ours.push(middle - start);
        times.theirs.push(performance.now() - middle);
      }
      const [mine, peer] = [median(times.ours), median(times.theirs)];
      rows.push(
        `| ${question.what} | ${show(mine)} | ${show(peer)} | ${(mine / peer).toFixed(1)} |`,
      );
    }
    return [
      `ms, median of ${ROUNDS}, ${FILES.toLocaleString("en")} files; peer: ripgrep for grep, fd for glob`,
      "",
      "| | ours | peer | times |",
      "|---|--:|--:|--:|",
      ...rows,
    ].join("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
