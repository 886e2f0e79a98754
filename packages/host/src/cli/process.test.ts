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
import { DOOR, startGalley } from "../testing/run-galley.ts";
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

test("an interrupted send ends at once with 130 and without a complaint", onLinux, async (t) => {
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
  assert.deepEqual(await ended, { code: 130, signal: null, stderr: "" });
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
  const second = startGalley({ words: ["serve", "--port", port], cwd: workspace, home });
  const refused = await endOf(second);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^galley: port \d+ on 127\.0\.0\.1 is taken[^\n]*\n$/);
  child.kill("SIGTERM");
  assert.deepEqual(await ended, { code: 0, signal: null, stderr: "" });
});
