/** What the tool says and keeps, with the shell that every system has. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { SandboxSearch } from "../sandbox/find-sandbox.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { readTool } from "./read.ts";
import { bashIn } from "./test-bash.ts";
import { sessionIn } from "./test-places.ts";

const NONE: SandboxSearch = { ok: false, reason: "not installed", mend: "install it" };
const plain = { sandbox: NONE };

test("what is more than a result holds is in a file that read opens", async (t) => {
  const { run, places, context } = await bashIn(t, {}, plain);
  const output = await run({ command: "seq 100000" });
  assert.equal(output.type, "output");
  assert.deepEqual(output.metadata, { truncated: true, output_path: "scratch:output/call_1.txt" });
  const said = output.type === "output" ? String(output.data) : "";
  assert.match(
    said,
    /^Exit code 0\. Shown: the first 204800 of 588895 bytes; all of it is in scratch:output\/call_1\.txt, which the read tool opens\.\n```\n1\n2\n/,
  );
  const read = await readTool(places).run(
    { path: "scratch:output/call_1.txt", start_line: 100000 },
    context,
  );
  assert.match(JSON.stringify(read), /100000/);
});

test("a link in the scratch folder does not lead output elsewhere", async (t) => {
  const { run, scratch, context } = await bashIn(t, {}, plain);
  const other = await tempFolder(t, { "call_1.txt": "old" });
  const folder = await scratch.open(context.session.id);
  await symlink(other, join(folder, "output"));
  const output = await run({ command: "seq 100000" });
  assert.deepEqual(output.metadata, { truncated: true });
  assert.match(JSON.stringify(output), /the rest is lost: outside the workspace/);
  assert.equal(await readFile(join(other, "call_1.txt"), "utf8"), "old");
});

test("an id that is no name makes a name all the same", async (t) => {
  const { run } = await bashIn(t, {}, plain);
  const output = await run({ command: "seq 100000" }, { tool_call_id: "../../x" });
  assert.equal(output.metadata?.output_path, "scratch:output/______x.txt");
});

test("output that is no text is shown as well as it can be", async (t) => {
  const { bash } = await bashIn(t, {}, plain);
  assert.equal(await bash("printf 'a\\377b'"), "Exit code 0.\n```\na\ufffdb\n```");
  assert.equal(await bash("printf '```x'"), "Exit code 0.\n````\n```x\n````");
});

test("what is no command is refused", async (t) => {
  const { bash } = await bashIn(t, {}, plain);
  assert.match(await bash(""), /^the input is not right: command/);
  assert.match(await bash("a\0b"), /NUL/);
  assert.match(await bash("a", { timeout_seconds: 0 }), /^the input is not right: timeout_seconds/);
});

test("without a workspace it works in the scratch folder", async (t) => {
  const { run } = await bashIn(t, {}, plain);
  const output = await run({ command: 'test "$PWD" = "$SCRATCH"' }, { session: sessionIn(null) });
  assert.deepEqual(output, { type: "output", data: "Exit code 0. It wrote nothing." });
});

test("where writing is denied, a command that is to change files is not run", async (t) => {
  const rules = [{ permission: "write", pattern: "*", action: "deny" as const }];
  const { bash, root } = await bashIn(t, {}, { ...plain, rules });
  assert.equal(
    await bash(`touch ${root}/a`, { changes_files: true }),
    "the command may not change files: a rule denies write for *",
  );
});

test("without a sandbox a command has no variable of the host's, and its children end with it", async (t) => {
  const env = { KEY: "s3cret", HOME: "/nowhere", PATH: "/usr/bin:/bin" };
  const { bash } = await bashIn(t, {}, { ...plain, env });
  assert.match(await bash("echo $HOME-$KEY-"), /\/nowhere--/);
  const mark = `7${process.pid}.25`;
  const said = await bash(`setsid sleep ${mark} & sleep ${mark}`, { timeout_seconds: 1 });
  assert.equal(said, "Ended: it took longer than 1 seconds. It wrote nothing.");
  const list = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" });
  assert.deepEqual(
    list.split("\n").filter((line) => line === `sleep ${mark}`),
    [],
  );
});
