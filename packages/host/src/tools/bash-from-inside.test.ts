/**
 * What a command finds when it tries to get out: every test runs a real one in the system's sandbox,
 * and says so where there is none.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { findSandbox } from "../sandbox/find-sandbox.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { bashIn } from "./test-bash.ts";

const found = await findSandbox();
const inside = { skip: found.ok ? false : `no sandbox here: ${found.reason}` };

test("a command works in the workspace and sees its files", inside, async (t) => {
  const { bash, root } = await bashIn(t, { "a.txt": "one\n" });
  assert.equal(await bash("pwd; cat a.txt"), `Exit code 0.\n\`\`\`\n${root}\none\n\`\`\``);
  assert.equal(await bash("exit 3"), "Exit code 3. It wrote nothing.");
  assert.equal(
    await bash("echo one; echo two >&2; echo three"),
    "Exit code 0.\n```\none\ntwo\nthree\n```",
  );
});

test("what lies outside the workspace cannot be read", inside, async (t) => {
  const { bash, root, home } = await bashIn(t, { a: "" });
  const other = await tempFolder(t, { secret: "s3cret" });
  await writeFile(join(home, "token"), "s3cret");
  await symlink(join(other, "secret"), join(root, "link"));
  const ways = [
    `cat ${other}/secret`,
    "cat link",
    `cat ${home}/token`,
    "cat /etc/shadow",
    "ls /root /home",
    "cat /proc/1/environ | grep -a s3cret",
    `ls /proc/*/root${other}`,
    "cat /dev/mem",
    "ls /sys/kernel /run /mnt",
  ];
  for (const way of ways) {
    const said = await bash(way);
    assert.doesNotMatch(said, /s3cret\n|^root:/m, way);
    assert.match(said, /^Exit code [1-9]/, way);
  }
});

test("the host's folder is not seen even where the workspace holds it", inside, async (t) => {
  const { bash, root } = await bashIn(t, { ".galley/token": "s3cret" }, { homeInside: ".galley" });
  assert.match(await bash(`ls -A ${root}/.galley`), /Permission denied/);
  assert.match(await bash("echo kept > $SCRATCH/a && cat $SCRATCH/a"), /kept/);
});

test("a command that is not to change files changes none", inside, async (t) => {
  const { bash, root } = await bashIn(t, { a: "old" });
  assert.match(await bash("echo new > a"), /Read-only file system/);
  assert.match(await bash("rm a; mkdir b; touch c; chmod 777 a"), /^Exit code [1-9]/);
  assert.equal(await readFile(join(root, "a"), "utf8"), "old");
  assert.deepEqual(readdirSync(root), ["a"]);
});

test("nothing outside is written, whatever is allowed inside", inside, async (t) => {
  const { bash, root } = await bashIn(t, { a: "old" });
  const other = await tempFolder(t, { a: "old" });
  await symlink(other, join(root, "out"));
  assert.match(await bash("echo new > a && cat a", { changes_files: true }), /new/);
  const ways = [
    `echo new > ${other}/a`,
    "echo new > out/a",
    "echo new > /usr/x",
    "echo new > /x",
    "echo new > /etc/passwd",
    "mount -o remount,rw /usr",
    "umount /usr",
    "mknod dev b 8 0",
    "unshare -Urm true",
  ];
  for (const way of ways) {
    assert.match(await bash(way, { changes_files: true }), /^Exit code [1-9]/, way);
  }
  assert.equal(await readFile(join(other, "a"), "utf8"), "old");
  assert.equal(await readFile(join(root, "a"), "utf8"), "new\n");
});

test("/tmp is the command's own and gone afterwards", inside, async (t) => {
  const { bash } = await bashIn(t, {});
  assert.match(await bash("echo x > /tmp/galley-mark && ls /tmp"), /galley-mark/);
  assert.equal(existsSync("/tmp/galley-mark"), false);
  assert.match(await bash("cat /tmp/galley-mark"), /No such file/);
});

test("there is no network, not even on this machine", inside, async (t) => {
  const { bash } = await bashIn(t, {});
  let calls = 0;
  const server = createServer((socket) => {
    calls += 1;
    socket.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address() as { port: number };
  assert.match(await bash(`exec 3<>/dev/tcp/127.0.0.1/${port}`), /Connection refused/);
  assert.match(await bash("exec 3<>/dev/tcp/192.0.2.1/80"), /Network is unreachable/);
  assert.equal(calls, 0);
  const open = await bashIn(t, {}, { network: true });
  assert.match(await open.bash(`exec 3<>/dev/tcp/127.0.0.1/${port} && echo in`), /in/);
  const denied = await bashIn(
    t,
    {},
    { network: true, rules: [{ permission: "web_fetch", pattern: "*", action: "deny" }] },
  );
  assert.match(await denied.bash(`exec 3<>/dev/tcp/127.0.0.1/${port}`), /Connection refused/);
});

test(
  "what .agentsignore keeps from agents cannot be opened, also where git ignores it",
  inside,
  async (t) => {
    const { bash, root } = await bashIn(t, {
      ".agentsignore": ".env\nprivate/\n",
      ".gitignore": "ignored/\n",
      ".env": "s3cret",
      "ignored/.env": "s3cret",
      "private/deep/key": "s3cret",
      "sub/.agentsignore": "*.pem\n!ok.pem\n",
      "sub/a.pem": "s3cret",
      "sub/ok.pem": "fine",
    });
    await symlink(".env", join(root, "link"));
    const cat = "cat .env ignored/.env private/deep/key sub/a.pem link sub/ok.pem";
    for (const changes_files of [false, true]) {
      const said = await bash(cat, { changes_files });
      assert.doesNotMatch(said, /s3cret/);
      assert.match(said, /fine/);
      assert.match(said, /\.env: Permission denied/);
    }
    const move = "mv .env x; cp .env y; ln .env z; rm -f .env; cat x y z";
    assert.doesNotMatch(await bash(move, { changes_files: true }), /s3cret/);
    assert.equal(await readFile(join(root, ".env"), "utf8"), "s3cret");
    const aside = "mv private p; mv sub s; cat p/deep/key s/a.pem; rm -f s/.agentsignore";
    assert.match(await bash(aside, { changes_files: true }), /resource busy/);
    await bash("echo > .agentsignore; rm .agentsignore; mv .agentsignore x", {
      changes_files: true,
    });
    assert.match(await bash(cat), /\.env: Permission denied/);
  },
);

test("what a rule keeps from the read tool is kept from commands", inside, async (t) => {
  const rules = [{ permission: "read", pattern: "secret/**", action: "deny" as const }];
  const { bash } = await bashIn(t, { "secret/a": "s3cret", b: "fine" }, { rules });
  const said = await bash("cat secret/a b");
  assert.match(said, /fine/);
  assert.doesNotMatch(said, /s3cret/);
});

test("an .agentsignore that cannot be read hides its folder", inside, async (t) => {
  const { bash, root } = await bashIn(t, { "sub/a": "s3cret", b: "fine" });
  await mkdir(join(root, "sub/.agentsignore"));
  const said = await bash("cat sub/a b");
  assert.match(said, /fine/);
  assert.doesNotMatch(said, /s3cret/);
});

test("what git and this host run by themselves is not changed", inside, async (t) => {
  const files = { ".git/config": "[core]\n", ".git/hooks/x": "", ".git/HEAD": "", ".agents/a": "" };
  const { bash, root } = await bashIn(t, files);
  const said =
    "for f in .git/config .git/hooks/pre-commit .agents/galley.toml; do echo x > $f; done";
  assert.match(
    await bash(said, { changes_files: true }),
    /Read-only[\s\S]*Read-only[\s\S]*Read-only/,
  );
  assert.equal(readFileSync(join(root, ".git/config"), "utf8"), "[core]\n");
  assert.match(await bash("mv .git g", { changes_files: true }), /resource busy/);
  assert.match(await bash("echo x > .git/HEAD", { changes_files: true }), /^Exit code 0/);
});

test(
  "a command does not outlive its time, nor does anything that it started",
  inside,
  async (t) => {
    const { bash } = await bashIn(t, {});
    const mark = `9${process.pid}.25`;
    const line = `setsid nohup sleep ${mark} & (trap '' TERM HUP; sleep ${mark}) & sleep ${mark}`;
    const said = await bash(line, { timeout_seconds: 1 });
    assert.equal(said, "Ended: it took longer than 1 seconds. It wrote nothing.");
    assert.deepEqual(running(mark), []);
    assert.match(
      await bash(`setsid sleep ${mark} >/dev/null 2>&1 & echo done`),
      /^Exit code 0.\n[\s\S]*done/,
    );
    assert.deepEqual(running(mark), []);
  },
);

function running(mark: string): readonly string[] {
  const list = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" });
  return list.split("\n").filter((line) => line === `sleep ${mark}`);
}

test("a stop ends it at once", inside, async (t) => {
  const { run } = await bashIn(t, {});
  const stop = new AbortController();
  const mark = `8${process.pid}.25`;
  const output = run({ command: `sleep ${mark}` }, { signal: stop.signal });
  while (running(mark).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  stop.abort();
  assert.deepEqual(await output, { type: "error", error_text: "stopped before it was done" });
  assert.deepEqual(running(mark), []);
});

test("a fork bomb is held and ended", inside, async (t) => {
  const { bash } = await bashIn(t, {}, { processes: 64 });
  const line = "f() { f | f & }; f; sleep 60";
  assert.match(
    await bash(line, { timeout_seconds: 3 }),
    /^Ended: it (started more than 64 processes|took longer than 3 seconds)\./,
  );
  assert.match(await bash("echo fine"), /fine/);
});

test("a command that takes too much memory is ended", inside, async (t) => {
  const { bash } = await bashIn(t, {}, { memoryMb: 64 });
  const one = "x=a; while :; do x=$x$x; done";
  assert.match(await bash(one, { timeout_seconds: 20 }), /cannot allocate|took more than 64 MB/);
});

test("a command that writes without end is ended", inside, async (t) => {
  const { bash } = await bashIn(t, {});
  assert.match(
    await bash("yes", { timeout_seconds: 60 }),
    /^Ended: it wrote more than 20971520 bytes/,
  );
});

test("a full scratch folder ends it", inside, async (t) => {
  const { bash } = await bashIn(t, {}, { scratchBytes: 100_000 });
  const line = "head -c 300000 /dev/zero > $SCRATCH/big; sleep 20";
  assert.match(await bash(line, { timeout_seconds: 30 }), /^Ended: it filled the scratch folder/);
});

test("it has the environment that it was given, and none of the host's", inside, async (t) => {
  const env = { KEY: "s3cret", GIVEN: "yes", PATH: "/usr/bin:/opt/x" };
  const { bash } = await bashIn(t, {}, { env, names: ["GIVEN"] });
  const said = await bash("env | grep -v '^_\\|SHLVL\\|OLDPWD\\|^PWD' | sort");
  assert.equal(
    said,
    "Exit code 0.\n```\nGIVEN=yes\nHOME=/tmp/home\nLANG=C.UTF-8\nNO_COLOR=1\nPATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\nSCRATCH=/scratch\nTERM=dumb\nTMPDIR=/tmp\n```",
  );
});

test("a folder that a person opened can be read and not written", inside, async (t) => {
  const other = await tempFolder(t, { a: "fine" });
  await chmod(other, 0o777);
  const { bash } = await bashIn(t, {}, { read: [other] });
  assert.match(await bash(`cat ${other}/a`), /fine/);
  assert.match(await bash(`echo x > ${other}/a`, { changes_files: true }), /Read-only/);
});
