import assert from "node:assert/strict";
import { test } from "node:test";
import { type Asked, notAsked } from "./asked.ts";
import { createConnection } from "./connection.ts";
import type { ClientEvents, McpClient, OpenedClient } from "./open-client.ts";
import type { McpServer } from "./server-config.ts";

const SERVER: McpServer = {
  name: "s",
  scope: "user",
  file: "/config.toml",
  reached: { by: "command", command: "x", args: [], env: {} },
  timeoutMs: 30_000,
};

const LISTED: Asked = {
  ok: true,
  value: { tools: [{ name: "t", inputSchema: { type: "object" } }] },
};

type Answer = (method: string) => Promise<Asked> | Asked;

/** A connection whose starts and answers the test decides, with a clock that it sets. */
function setUp(answer: Answer = () => LISTED, soonMs = 60_000) {
  const starts: PromiseWithResolvers<OpenedClient>[] = [];
  const events: ClientEvents[] = [];
  const reported: string[] = [];
  let closed = 0;
  let at = 0;
  const clientAnew = (): McpClient => ({
    offers: { tools: true, prompts: false },
    ask: async (method) => answer(method),
    close: async () => {
      closed += 1;
    },
  });
  const connection = createConnection({
    server: SERVER,
    open: (_, heard) => {
      events.push(heard);
      starts.push(Promise.withResolvers());
      return starts.at(-1)?.promise ?? assert.fail();
    },
    now: () => at,
    report: (says) => reported.push(says),
    soonMs,
  });
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    connection,
    reported,
    starts,
    events,
    closed: () => closed,
    settled,
    pass: (ms: number) => {
      at += ms;
    },
    async up() {
      await settled();
      starts.at(-1)?.resolve({ ok: true, client: clientAnew() });
    },
    async fails(reason: string) {
      await settled();
      starts.at(-1)?.resolve({ ok: false, reason });
    },
  };
}

test("nothing starts before it is asked for, and one start serves all who ask", async () => {
  const { connection, starts, up } = setUp();
  assert.equal(starts.length, 0);
  const both = Promise.all([connection.listing(), connection.ask("tools/call", {})]);
  await up();
  const [listing, asked] = await both;
  assert.deepEqual(
    listing.tools.map(({ name }) => name),
    ["t"],
  );
  assert.equal(asked, LISTED);
  assert.equal(starts.length, 1);
});

test("a server that fails rests 1, 2, 5, 15 and then always 60 seconds", async () => {
  const { connection, starts, fails, pass, settled } = setUp();
  const first = connection.listing();
  await fails("no");
  await first;
  const rests: number[] = [];
  for (let nth = 1; nth <= 6; nth += 1) {
    for (let seconds = 1; starts.length === nth; seconds += 1) {
      pass(1_000);
      assert.deepEqual((await connection.listing()).tools, []);
      await settled();
      rests[nth - 1] = seconds;
    }
    await fails("no");
    await settled();
  }
  assert.deepEqual(rests, [1, 2, 5, 15, 60, 60]);
});

test("a listing waits for a first start only so long, and for a later one not at all", async () => {
  const { connection, reported, up, events, pass } = setUp(() => LISTED, 5);
  assert.deepEqual((await connection.listing()).tools, []);
  assert.deepEqual(reported, [
    "it takes long to start: what it offers is there when it has started",
  ]);
  await up();
  assert.equal((await connection.listing("whole")).tools.length, 1);
  events[0]?.gone("it ended");
  pass(1_000);
  assert.equal((await connection.listing()).tools.length, 1);
  assert.equal((await connection.listing("whole")).tools.length, 1);
});

test("a call on a server that is down says why and is not sent; a call after its rest waits", async () => {
  const { connection, events, up, pass } = setUp();
  const first = connection.listing();
  await up();
  await first;
  events[0]?.gone("it ended");
  assert.deepEqual(await connection.ask("tools/call", {}), notAsked("unavailable", "it ended"));
  pass(1_000);
  const call = connection.ask("tools/call", {});
  await up();
  assert.equal(await call, LISTED);
  assert.equal(connection.problem(), undefined);
});

test("the end of an old connection is not the end of the new one", async () => {
  const { connection, events, up, pass } = setUp();
  const first = connection.listing();
  await up();
  await first;
  events[0]?.gone("it ended");
  pass(1_000);
  const call = connection.ask("tools/call", {});
  await up();
  await call;
  events[0]?.gone("again");
  assert.equal(connection.problem(), undefined);
});

test("a list that changed is fetched at the next listing; what was told is not told again", async () => {
  let tools: object[] = [{ name: "a", inputSchema: {} }];
  const { connection, events, up, reported } = setUp(() => ({ ok: true, value: { tools } }));
  const first = connection.listing();
  await up();
  assert.deepEqual((await first).tools, []);
  tools = [...tools, { name: "b", inputSchema: { type: "object" } }];
  assert.deepEqual((await connection.listing()).tools, []);
  events[0]?.changed();
  assert.deepEqual(
    (await connection.listing()).tools.map(({ name }) => name),
    ["b"],
  );
  assert.deepEqual(reported, [
    "the tool is left out: a: its input schema is not of the type object",
  ]);
});

test("a connection that is closed while it starts ends what came up", async () => {
  const { connection, up, closed } = setUp();
  const listing = connection.listing();
  const closing = connection.close();
  await up();
  await closing;
  await listing;
  assert.equal(closed(), 1);
  assert.deepEqual(
    await connection.ask("tools/call", {}),
    notAsked("unavailable", "the host is ending"),
  );
});
