/** The runner's parts: which files a job takes, which Node runs it, how it ends. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { runsTypeScript } from "./pinned-node.mjs";
import { codeFiles, root } from "./repo-files.mjs";

const runner = join(root, "scripts", "run.mjs");

test("test files are sorted, and data and installed files are not among them", () => {
  const base = mkdtempSync(join(tmpdir(), "galley-run-"));
  try {
    for (const path of [
      "scripts/z.test.ts",
      "packages/b/src/b.test.ts",
      "packages/a/src/a.test.ts",
      "packages/a/src/a.ts",
      "packages/a/node_modules/x/x.test.ts",
      "packages/a/src/goldens/x.test.ts",
      "conformance/cases/x/x.test.ts",
      "other/x.test.ts",
    ]) {
      mkdirSync(join(base, path, ".."), { recursive: true });
      writeFileSync(join(base, path), "");
    }
    const all = ["packages/a/src/a.test.ts", "packages/b/src/b.test.ts", "scripts/z.test.ts"];
    assert.deepEqual(codeFiles(".test.ts", [], base), all);
    assert.deepEqual(codeFiles(".test.ts", ["./packages/b", "z.test"], base), all.slice(1));
  } finally {
    rmSync(base, { recursive: true });
  }
});

const VERSIONS: readonly (readonly [string, boolean])[] = [
  ["v20.20.2", false],
  ["22.17.1", false],
  ["22.18.0", true],
  ["23.5.0", false],
  ["23.6.0", true],
  ["24.0.0", true],
];

for (const [version, runs] of VERSIONS) {
  test(`Node ${version} ${runs ? "runs" : "does not run"} TypeScript without a flag`, () => {
    assert.equal(runsTypeScript(version), runs);
  });
}

function refusal(args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  const { status, stderr } = spawnSync(process.execPath, [runner, ...args], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  assert.equal(status, 1);
  return stderr;
}

test("a word that no test file matches is refused in one line", () => {
  assert.equal(
    refusal(["test", "no-such-file"]),
    "galley: there is no *.test.ts file with no-such-file in its path\n",
  );
});

test("golden files are refused where CI is set", () => {
  assert.match(
    refusal(["golden"], { CI: "true" }),
    /^galley: golden files are written by a person/,
  );
});

test("the outside tests say which folder they miss", () => {
  assert.equal(
    refusal(["test:outside"], { GALLEY_FIXTURES: "/no/such/folder" }),
    "galley: test:outside needs the fixtures at /no/such/folder (or GALLEY_FIXTURES)\n",
  );
});

const relayProgram = `
  import { endLike, runChild } from ${JSON.stringify(join(root, "scripts", "child.mjs"))};
  const job = process.argv[1];
  endLike(await runChild(process.execPath, ["-e", job]));
`;

test("the exit code of the job is the exit code of the runner", () => {
  const args = ["--input-type=module", "-e", relayProgram, "process.exit(7)"];
  assert.equal(spawnSync(process.execPath, args).status, 7);
});

const politeJob = `
  process.on("SIGTERM", () => { console.log("told"); process.exit(3); });
  setInterval(() => {}, 1000);
  console.log("up");
`;

/** Starts the command, sends it SIGTERM once the job is up, and waits until all have let go. */
async function terminateWhenUp(command: string, args: readonly string[]) {
  const env = { ...process.env, npm_lifecycle_event: "start" };
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"], env });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    if (text.includes("up")) child.kill("SIGTERM");
  });
  const [code, signal] = await once(child, "close");
  return { said, code, signal };
}

test("a signal reaches the job, and the runner ends the way the job does", async () => {
  const args = ["--input-type=module", "-e", relayProgram, politeJob];
  const ending = await terminateWhenUp(process.execPath, args);
  assert.deepEqual(ending, { said: "up\ntold\n", code: 3, signal: null });
});

test("the job ends when npm kills the shell between it and the runner", async () => {
  const words = [process.execPath, "--input-type=module", "-e", relayProgram, politeJob];
  const ending = await terminateWhenUp("sh", ["-c", '"$@"; exit 0', "sh", ...words]);
  assert.deepEqual(ending, { said: "up\ntold\n", code: null, signal: "SIGTERM" });
});

test("a job that dies of a signal makes the runner die of it too", () => {
  const args = ["--input-type=module", "-e", relayProgram, "process.kill(process.pid, 'SIGTERM')"];
  assert.equal(spawnSync(process.execPath, args).signal, "SIGTERM");
});
