/** Commands beside a host that runs on the same database: they find it and act through it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Script } from "@galley/rehearsal";
import { createHost } from "../sessions/create-host.ts";
import { cliIn, sessionIn, until } from "./test-cli.ts";
import { tokenOf } from "./token.ts";

const HANGS = { say: ["begun ", "more"], fault: { hang: true, afterEvents: 4 } } as const;

async function besideHost(t: Parameters<typeof cliIn>[0], script: Script) {
  const cli = await cliIn(t, script);
  const { home, cwd: workspace, env } = cli;
  const host = await createHost({ workspace, home, env });
  t.after(() => host.close(0));
  await host.serve({ host: "127.0.0.1", port: 0, token: await tokenOf(home, env) });
  return { ...cli, host };
}

test("a queue is listed, moved, edited and cancelled while the turn before it runs", async (t) => {
  const { galley, start, host } = await besideHost(t, [HANGS, { say: "for two" }]);
  const { id } = await host.sessions.create({});
  const first = start(["send", "-s", id, "one"]);
  await until(() => first.io.printed().stdout !== "");
  const waiting = [start(["send", "-s", id, "two"])];
  await until(() => waiting[0]?.io.printed().stderr !== "");
  assert.equal(waiting[0]?.io.printed().stderr, "galley: queued, 1 from the front\n");
  waiting.push(start(["send", "-s", id, "three"]));
  await until(async () => (await host.sessions.queue(id)).entries.length === 2);
  const listed = await galley("queue", "list", id);
  const [, two = "", three = ""] =
    /1 +(msg_\w+) +two\n2 +(msg_\w+) +three\n/.exec(listed.stdout) ?? [];
  assert.equal((await galley("queue", "move", id, three, "--before", two)).code, 0);
  assert.equal((await galley("queue", "edit", id, two, "the second")).code, 0);
  const moved = JSON.parse((await galley("queue", "list", id, "--json")).stdout);
  assert.deepEqual(
    moved.entries.map(({ id, parts }: { id: string; parts: [{ text: string }] }) => [
      id,
      parts[0].text,
    ]),
    [
      [three, "three"],
      [two, "the second"],
    ],
  );
  assert.equal((await galley("queue", "cancel", id, three)).code, 0);
  const cancelled = await waiting[1]?.ended;
  assert.deepEqual([cancelled?.code, cancelled?.stdout], [1, ""]);
  assert.match(cancelled?.stderr ?? "", /galley: msg_\w+ is no longer in this session/);
  assert.equal((await galley("session", "abort", id)).code, 0);
  assert.equal((await first.ended).code, 130);
  assert.equal((await waiting[0]?.ended)?.stdout, "for two\n");
  const late = await galley("queue", "cancel", id, two);
  assert.deepEqual([late.code, late.stderr.split("\n").length], [1, 2]);
});

test("an interrupt takes back a message that waits, and leaves the turn before it alone", async (t) => {
  const { start, host } = await besideHost(t, [HANGS]);
  const { id } = await host.sessions.create({});
  const first = start(["send", "-s", id, "one"]);
  await until(() => first.io.printed().stdout !== "");
  const second = start(["send", "-s", id, "two"]);
  await until(() => second.io.printed().stderr !== "");
  second.io.interrupt();
  assert.equal((await second.ended).code, 130);
  assert.equal((await host.sessions.status(id)).state, "busy");
  assert.deepEqual((await host.sessions.queue(id)).entries, []);
  first.io.interrupt();
  assert.deepEqual([(await first.ended).code, (await first.ended).stdout], [130, "begun \n"]);
});

test("a command finds the host that another command opened for itself", async (t) => {
  const { galley, start } = await cliIn(t, [HANGS]);
  const first = start(["send", "hi"]);
  await until(() => first.io.printed().stdout !== "");
  const listed = await galley("session", "list", "--json");
  assert.equal(listed.code, 0);
  const [session] = JSON.parse(listed.stdout);
  assert.equal((await galley("session", "abort", session.id)).code, 0);
  const { code, stderr } = await first.ended;
  assert.deepEqual([code, sessionIn(stderr)], [130, session.id]);
});

test("a host opened for a command stays until what another began is over", async (t) => {
  const slow = { say: ["one ", "two ", "three"], chunkDelayMs: 60 };
  const { galley, start } = await cliIn(t, [{ say: "quick", delayMs: 200 }, slow]);
  const first = start(["send", "a"]);
  await until(async () => {
    const { stdout } = await galley("session", "list", "--json");
    return JSON.parse(stdout).length === 1;
  });
  const second = start(["send", "b"]);
  assert.deepEqual(
    [(await second.ended).code, (await second.ended).stdout],
    [0, "one two three\n"],
  );
  assert.deepEqual([(await first.ended).code, (await first.ended).stdout], [0, "quick\n"]);
});

test("a token that is not the host's is refused with what to do", async (t) => {
  const { galley, env } = await besideHost(t, []);
  Object.assign(env, { GALLEY_TOKEN: "another-token-0123" });
  const { code, stderr } = await galley("session", "list");
  assert.equal(code, 1);
  assert.match(stderr, /^galley: The token is not the one of this server\.[^\n]*\n$/);
});
