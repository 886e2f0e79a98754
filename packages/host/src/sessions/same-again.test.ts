/**
 * Two hundred tool calls over a checkout, twice: a clock that stands and chances that are counted
 * make everything else repeat, so whatever differs was decided by something that should not decide.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { exportSession } from "@galley/persist";
import { type Heard, type ScriptedCall, type Step, startRehearsal } from "@galley/rehearsal";
import { tempFolder } from "../testing/temp-folder.ts";
import { createHost, type Host } from "./create-host.ts";

const NOW = 1_800_000_000_000;
const TURNS = 8;
const CALLS_A_TURN = 25;

/** The same numbers in every run. */
function counted(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const pathOf = (n: number): string => `src/part${n % 6}/file${n}.ts`;

/** Made, committed, and of one age, so that no clock of the disk has a say. */
async function checkOut(workspace: string): Promise<void> {
  const files = Array.from({ length: 60 }, (_, n) => [
    pathOf(n),
    `export const value${n} = ${n};\n// mark ${n}\n${"// line\n".repeat(n)}`,
  ]);
  const all = [...files, [".gitignore", "out/\n"], ["README.md", "# A checkout\n"]];
  for (const [path = "", text = ""] of all) {
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), text);
    await utimes(join(workspace, path), 1_700_000_000, 1_700_000_000);
  }
  const { PATH = "" } = process.env;
  const none = join(workspace, "none");
  const env = { PATH, HOME: workspace, GIT_CONFIG_GLOBAL: none, GIT_CONFIG_SYSTEM: none };
  const git = (...words: string[]) => execFileSync("git", ["-C", workspace, ...words], { env });
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "-m", "first");
}

function nextCall(chance: (below: number) => number, nth: number): ScriptedCall {
  const n = chance(60);
  const path = pathOf(n);
  const calls: readonly ScriptedCall[] = [
    { name: "read", input: { path } },
    { name: "read", input: { path, start_line: 1, end_line: 1 + chance(9) } },
    { name: "glob", input: { pattern: `src/part${chance(6)}/*.ts` } },
    { name: "grep", input: { pattern: `mark ${chance(60)}$` } },
    { name: "write", input: { path: `notes/note${nth}.md`, content: `# Note ${nth}\n` } },
    { name: "write", input: { path, content: `// mark ${n}\nexport const value = ${nth};\n` } },
    // Often it does not fit any more: a conflict is an answer too.
    {
      name: "edit",
      input: { path, old_text: `// mark ${n}\n`, new_text: `// mark ${n}\n// ${nth}\n` },
    },
    { name: "todo", input: { todos: [{ content: `step ${nth}`, status: "in_progress" }] } },
    { name: "read", input: { path: `../outside${nth}` } },
  ];
  const call = calls[chance(calls.length)];
  assert.ok(call);
  return call;
}

/** Of every turn so many calls, one to three a step, then a sentence; a subagent reads one file. */
function makeScript() {
  const chance = counted(7);
  let made = 0;
  let left = CALLS_A_TURN;
  return {
    made: () => made,
    script({ messages }: Heard): Step {
      if (JSON.stringify(messages[0]).includes("aside")) return { say: "The subagent is done." };
      if (left === 0) {
        left = CALLS_A_TURN;
        return { say: `That was ${made} calls.` };
      }
      const count = Math.min(left, 1 + chance(3));
      left -= count;
      const toolCalls = Array.from({ length: count }, () => {
        made += 1;
        const isTask = made % 50 === 0;
        return isTask ? { name: "task", input: { prompt: "look aside" } } : nextCall(chance, made);
      });
      return { say: chance(2) === 0 ? `Step ${made}.` : "", toolCalls };
    },
  };
}

async function finished({ sessions, submit }: Host, id: string, text: string): Promise<void> {
  const over = new Promise<void>((resolve, reject) => {
    const stop = sessions.listen((event) => {
      if (event.type !== "turn-finished" || event.session_id !== id) return;
      stop();
      if (event.reason === "finish") resolve();
      else reject(new Error(`the turn ended with ${event.reason}`));
    });
  });
  await submit(id, { input: { text }, payload: { text } });
  await over;
}

const sha256 = (...pieces: readonly (string | Uint8Array)[]): string => {
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
};

async function filesIn(workspace: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(workspace, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || path.includes("/.git/")) continue;
    found[path] = sha256(await readFile(path));
  }
  return found;
}

/** Every row of every session, one line each; only the address of the model's server is its own. */
async function rowsOf({ store }: Host, url: string): Promise<string[]> {
  const { sessions } = await store.sessions.list({ include_ephemeral: true });
  const lines: string[] = [];
  for (const { id } of sessions) {
    for await (const line of exportSession(store, id)) lines.push(line.replaceAll(url, "URL"));
  }
  return lines;
}

async function converse(base: string) {
  const [workspace, home] = [join(base, "checkout"), join(base, "home")];
  await mkdir(workspace);
  await checkOut(workspace);
  const chance = counted(11);
  const { script, made } = makeScript();
  const rehearsal = await startRehearsal({ script, keepReceived: 1_000 });
  const host = await createHost({
    workspace,
    home,
    now: () => NOW,
    random: (count) => Uint8Array.from({ length: count }, () => chance(256)),
    env: { GALLEY_MODEL: "rehearsal/default" },
    offline: { url: async () => rehearsal.url, close: async () => {} },
    beforeTool: () => ({ action: "allow" }),
  });
  try {
    const { id } = await host.sessions.create({});
    for (let turn = 1; turn <= TURNS; turn += 1) {
      await finished(host, id, `turn ${turn} @README.md`);
    }
    return {
      made: made(),
      files: await filesIn(workspace),
      rows: await rowsOf(host, rehearsal.url),
      requests: rehearsal.received.map(({ body }) => sha256(body)),
    };
  } finally {
    await host.close(0);
    await rehearsal.close();
    await rm(workspace, { recursive: true });
    await rm(home, { recursive: true });
  }
}

test("two hundred tool calls over a checkout end with the same files, rows and request bytes every time", async (t) => {
  const base = await tempFolder(t);
  const one = await converse(base);
  const two = await converse(base);
  assert.equal(one.made, TURNS * CALLS_A_TURN);
  assert.deepEqual(two.files, one.files);
  assert.deepEqual(two.requests, one.requests);
  const differs = one.rows.findIndex((line, at) => line !== two.rows[at]);
  assert.equal(two.rows[differs], one.rows[differs]);
  assert.equal(sha256(...two.rows), sha256(...one.rows));
  const called = one.rows.filter((line) => /"tool_state":"output-(?:available|error)"/.test(line));
  assert.equal(called.length, TURNS * CALLS_A_TURN);
});
