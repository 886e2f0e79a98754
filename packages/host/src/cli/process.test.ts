/** What only a real process shows: signals, closed pipes, full disks, a server that stays. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { DOOR, runGalley, startGalley } from "../testing/run-galley.ts";
import { tempFolder } from "../testing/temp-folder.ts";

const onLinux = { skip: process.platform !== "linux" && "signals and pipes as Linux has them" };

type Child = ReturnType<typeof startGalley>;

async function endOf(child: Child) {
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [code, signal] = await once(child, "close");
  return { code, signal, stderr };
}

/** A provider that begins an answer and never ends it. */
async function endlessProvider(): Promise<{ url: string; server: Server }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const block = { type: "text", text: "" };
    const events = [
      { type: "message_start", message: { id: "m", model: "x", usage: { input_tokens: 1 } } },
      { type: "content_block_start", index: 0, content_block: block },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "begun" } },
    ];
    for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test("an interrupted send ends at once with 130, and names its session", onLinux, async (t) => {
  const { server, url } = await endlessProvider();
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const folder = await tempFolder(t);
  const env = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: url };
  const words = ["send", "hi", "--model", "anthropic/claude-opus-5-5"];
  const child = startGalley({ words, cwd: folder, home: folder, env });
  const ended = endOf(child);
  const [text] = await once(child.stdout.setEncoding("utf8"), "data");
  assert.equal(text, "begun");
  child.kill("SIGINT");
  const { code, signal, stderr } = await ended;
  assert.deepEqual([code, signal], [130, null]);
  assert.match(stderr, /^session ses_\w+\n$/);
});

test("an export that goes through a pipe into another database comes out the same", async (t) => {
  const home = await tempFolder(t);
  const cwd = await tempFolder(t, { "a.txt": "one\ntwo\n" });
  const galley = (words: readonly string[], stdin = "") => runGalley({ words, cwd, home, stdin });
  const sent = await galley(["send", "keep this", "--attach", "a.txt"]);
  const [, id = ""] = /^session (ses_\w+)\n$/.exec(sent.stderr) ?? [];
  assert.equal(sent.code, 0);
  const listed = await galley(["session", "list"]);
  assert.match(listed.stdout, new RegExp(`^${id} .*keep this$`, "m"));
  const exported = await galley(["session", "export", id]);
  const imported = await galley(["session", "import", "--db", "b.db"], exported.stdout);
  assert.deepEqual([imported.code, imported.stdout, imported.stderr], [0, `${id}\n`, ""]);
  const again = await galley(["session", "export", id, "--db", "b.db"]);
  assert.ok(exported.stdout.length > 0);
  assert.equal(again.stdout === exported.stdout, true);
});

test("sends that begin at once on one database all get their answer", async (t) => {
  const home = await tempFolder(t);
  const cwd = await tempFolder(t);
  const send = (text: string) => runGalley({ words: ["send", text], cwd, home });
  const sent = await Promise.all(["one", "two", "three", "four"].map(send));
  assert.deepEqual(
    sent.map(({ code, stdout }) => [code, /"(\w+)"/.exec(stdout)?.[1]]),
    [
      [0, "one"],
      [0, "two"],
      [0, "three"],
      [0, "four"],
    ],
  );
  const { stdout } = await runGalley({ words: ["session", "list", "--json"], cwd, home });
  assert.equal(JSON.parse(stdout).length, 4);
});

test("a reader that has had enough is no failure", onLinux, async (t) => {
  const folder = await tempFolder(t);
  const words = ["proof", "-", "--all"];
  const child = startGalley({ words, cwd: folder, home: folder });
  const ended = endOf(child);
  child.stdout.destroy();
  child.stdin.end("x".repeat(300_000));
  assert.deepEqual(await ended, { code: 0, signal: null, stderr: "" });
});

test("a disk without room is a failure of one line", onLinux, async (t) => {
  const folder = await tempFolder(t);
  const env = { PATH: "", HOME: folder, GALLEY_HOME: folder };
  const stdio = ["ignore", openSync("/dev/full", "w"), "pipe"] as const;
  const child = spawn(process.execPath, [DOOR, "models"], { cwd: folder, env, stdio: [...stdio] });
  const ended = await endOf(child as Child);
  assert.equal(ended.code, 1);
  assert.match(ended.stderr, /^galley: [^\n]*no space left[^\n]*\n$/);
});

test("serve tells its address and token, answers, and ends gracefully", onLinux, async (t) => {
  const home = await tempFolder(t);
  const workspace = await tempFolder(t, { "a.txt": "in the workspace" });
  const child = startGalley({ words: ["serve", "--port", "0"], cwd: workspace, home });
  t.after(() => child.kill("SIGKILL"));
  const ended = endOf(child);
  const [welcome] = await once(child.stdout.setEncoding("utf8"), "data");
  const [, url, token] = /at (http:\S+)[\s\S]*token +(\S+)/.exec(welcome) ?? [];
  assert.ok(url && token);
  assert.ok(welcome.includes(`${url}/#token=${token}`));
  assert.equal((await stat(join(home, "token"))).mode & 0o777, 0o600);
  const call = (path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  assert.equal((await call("/v1/compose", { text: "hi", attach: ["a.txt"] })).status, 200);
  const outside = await call("/v1/compose", { text: "hi", attach: ["/etc/passwd"] });
  assert.equal(outside.status, 422);
  assert.match(await outside.text(), /outside the workspace/);
  const answer = await (await call("/v1/try", { text: "hello" })).text();
  assert.match(answer, /"delta":"rehearsal "[\s\S]*data: \[DONE\]/);
  const port = new URL(url).port;
  const serveAgain = (...more: readonly string[]) =>
    endOf(startGalley({ words: ["serve", "--port", port, ...more], cwd: workspace, home }));
  const [taken, refused] = await Promise.all([serveAgain(), serveAgain("--db", "other.db")]);
  assert.deepEqual([taken.code, refused.code], [1, 1]);
  assert.match(taken.stderr, /^galley: \S+galley\.db belongs to a host that runs[^\n]*\n$/);
  assert.match(refused.stderr, /^galley: port \d+ on 127\.0\.0\.1 is taken[^\n]*\n$/);
  const sent = await runGalley({ words: ["send", "hello"], cwd: workspace, home });
  assert.equal(sent.code, 0);
  assert.match(sent.stdout, /hello/);
  child.kill("SIGTERM");
  assert.deepEqual(await ended, { code: 0, signal: null, stderr: "" });
});
