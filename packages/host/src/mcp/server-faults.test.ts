/** Servers that break, hang and write nonsense: each is a sentence, and none costs anybody else. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import {
  callingWith,
  errorOf,
  namesOf,
  serverTable,
  textOutput as text,
} from "./testing/servers-in.ts";

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, "ESRCH");
    return false;
  }
}

test("a call that is stopped ends at once, and the server goes on", async (t) => {
  const { call } = await callingWith(t);
  const stop = new AbortController();
  const hanging = call("mcp__test__hang", {}, stop.signal);
  setTimeout(() => stop.abort(), 50);
  assert.equal(errorOf(await hanging), "stopped before it was done");
  assert.deepEqual(await call("mcp__test__echo", { text: "still here" }), text("still here"));
});

test("a call that gets no answer in time fails, and a slow server is kept", async (t) => {
  const { call } = await callingWith(t, serverTable("test", [], "timeout_ms = 2000"));
  assert.equal(
    errorOf(await call("mcp__test__hang")),
    "the MCP server test failed at hang: it did not answer in 2 seconds; whether it took effect is not known",
  );
  assert.deepEqual(await call("mcp__test__echo", { text: "x" }), text("x"));
});

test("a server that answers nobody any more is ended, and started again after its rest", async (t) => {
  const { call, servers, pass } = await callingWith(
    t,
    serverTable("test", [], "timeout_ms = 1000"),
  );
  assert.equal(
    errorOf(await call("mcp__test__freeze")),
    "the MCP server test failed at freeze: it did not answer in 1 seconds; whether it took effect is not known",
  );
  for (let tries = 0; tries < 500 && servers.findings().length === 0; tries += 1) await wait(10);
  assert.deepEqual(
    servers.findings().map(({ says }) => says),
    ["it does not answer any more"],
  );
  pass(1_000);
  assert.deepEqual(await call("mcp__test__echo", { text: "back" }), text("back"));
});

test("a server ends with all that it started", async (t) => {
  const { servers, toolsNow } = await callingWith(t, serverTable("npx", ["starter"]));
  const [name = ""] = namesOf(await toolsNow());
  const pid = Number(/^mcp__npx__child_(\d+)$/.exec(name)?.[1]);
  assert.equal(isThere(pid), true);
  await servers.close();
  // Killed is not yet reaped.
  for (let tries = 0; tries < 200 && isThere(pid); tries += 1) await wait(10);
  assert.equal(isThere(pid), false);
});

test("a host that ends does not wait for a server that does not start", async (t) => {
  const { servers, toolsNow } = await callingWith(t, serverTable("bad", ["hang"]));
  const starting = toolsNow();
  await servers.close();
  assert.deepEqual(await starting, []);
});

test("a server that crashes says why, stays listed, and is started again after its rest", async (t) => {
  const { call, toolsNow, pass, servers } = await callingWith(t);
  const before = await toolsNow();
  assert.equal(
    errorOf(await call("mcp__test__crash")),
    "the MCP server test broke at crash: it ended with the code 9; it last said: out of cheese; whether it took effect is not known",
  );
  assert.deepEqual(namesOf(await toolsNow()), namesOf(before));
  assert.equal(
    errorOf(await call("mcp__test__echo", { text: "x" })),
    "the MCP server test is not available, and echo did not run: it ended with the code 9; it last said: out of cheese",
  );
  assert.deepEqual(
    servers.findings().map(({ says }) => says),
    ["it ended with the code 9; it last said: out of cheese"],
  );
  pass(1_000);
  assert.deepEqual(await call("mcp__test__echo", { text: "back" }), text("back"));
  assert.deepEqual(servers.findings(), []);
});

const START_FAULTS: readonly (readonly [string, string, string])[] = [
  ["crash", "", "it ended with the code 3; it last said: no configuration at /etc/nowhere"],
  ["hang", "timeout_ms = 500", "it did not answer in 0.5 seconds"],
  [
    "garbage",
    "timeout_ms = 1000",
    "it did not answer in 1 seconds; it wrote lines that are no messages, the first: Starting up…",
  ],
  [
    "flood",
    "",
    `it writes much that is no message; it wrote lines that are no messages, the first: ${"noise ".repeat(33)}no…`,
  ],
  ["endless", "", "it wrote a message of more than 16777216 bytes"],
];

for (const [mode, more, says] of START_FAULTS) {
  test(`a server that starts with ${mode} is a finding and costs nobody else`, async (t) => {
    const { servers, toolsNow } = await callingWith(
      t,
      serverTable("bad", [mode], more) + serverTable("good", ["many", "1"]),
    );
    assert.deepEqual(namesOf(await toolsNow()), ["mcp__good__tool_0"]);
    assert.deepEqual(
      servers.findings().map(({ server, says: said }) => [server, said]),
      [["bad", says]],
    );
  });
}

test("a command that is not there is a finding", async (t) => {
  const { servers, toolsNow } = await callingWith(
    t,
    '[mcp.servers.x]\ncommand = "no-such-command-here"\n',
  );
  assert.deepEqual(await toolsNow(), []);
  assert.deepEqual(
    servers.findings().map(({ says }) => says),
    ["no-such-command-here cannot be started: there is no such command"],
  );
});

test("a secret of the configuration is not in what is said of a server", async (t) => {
  const table = `[mcp.servers.x]\ncommand = "/bin/sh"\nargs = ["-c", "echo bad key $KEY >&2; exit 1"]\nenv = { KEY = "sk-123456" }\n`;
  const { servers } = await callingWith(t, table);
  await servers.look();
  assert.deepEqual(
    servers.findings().map(({ says }) => says),
    ["it ended with the code 1; it last said: bad key ***"],
  );
});
