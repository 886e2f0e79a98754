/** A host with real servers and the offline model: what is offered, asked about, called and kept. */
import assert from "node:assert/strict";
import process from "node:process";
import { type TestContext, test } from "node:test";
import type { HostEvent } from "@galley/parts";
import { type Script, startRehearsal } from "@galley/rehearsal";
import { createHost, type Host } from "../sessions/create-host.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { serverTable } from "./testing/servers-in.ts";

type Folders = { readonly workspace: string; readonly home: string };

async function hostIn(t: TestContext, folders: Folders, script: Script) {
  const rehearsal = await startRehearsal({ script });
  t.after(() => rehearsal.close());
  const host = await createHost({
    ...folders,
    env: { GALLEY_MODEL: "rehearsal/default", PATH: process.env.PATH },
    offline: { url: async () => rehearsal.url, close: async () => {} },
  });
  t.after(() => host.close(0));
  await host.start();
  const bodies = () => rehearsal.received.map(({ body }) => new TextDecoder().decode(body));
  const offered = () => bodies().map(toolsIn);
  return { host, bodies, offered };
}

async function setUp(t: TestContext, toml: string, script: Script) {
  const folders = {
    workspace: await tempFolder(t),
    home: await tempFolder(t, { "config.toml": toml }),
  };
  const made = await hostIn(t, folders, script);
  const { id } = await made.host.sessions.create({});
  return { ...made, ...folders, id };
}

/** Names of foreign tools and of the search, in the order of the request. */
function toolsIn(body: string): string[] {
  const { tools = [] } = JSON.parse(body) as { tools?: { name: string }[] };
  return tools.map(({ name }) => name).filter((name) => /^mcp__|^tool_search$/.test(name));
}

function happens(host: Host, id: string, is: (event: HostEvent) => boolean): Promise<HostEvent> {
  const { promise, resolve } = Promise.withResolvers<HostEvent>();
  const stop = host.sessions.listen((event) => {
    if (!("session_id" in event) || event.session_id !== id || !is(event)) return;
    stop();
    resolve(event);
  });
  return promise;
}

const turnEnds = (host: Host, id: string) =>
  happens(host, id, ({ type }) => type === "turn-finished");

async function callOf(host: Host, id: string, type: string): Promise<Record<string, unknown>> {
  const history = await host.store.messages.history(id);
  const parts = history.flatMap(({ parts: rows }) =>
    rows.map(({ data_json }) => JSON.parse(data_json) as Record<string, unknown>),
  );
  return parts.find((part) => part.type === type) ?? assert.fail(`no ${type}`);
}

test("a call of a server's tool waits for leave, runs once, and its result goes to the model", async (t) => {
  const { host, bodies, id } = await setUp(t, serverTable("test"), [
    { toolCalls: [{ id: "call_1", name: "mcp__test__echo", input: { text: "plums" } }] },
    { say: "It said plums." },
  ]);
  const asks = happens(host, id, ({ type }) => type === "approval-requested");
  await host.submit(id, { input: { text: "echo plums" }, payload: {} });
  const asked = await asks;
  assert.equal((await callOf(host, id, "tool-mcp__test__echo")).state, "approval-requested");
  const ended = turnEnds(host, id);
  const tool_call_id = String((asked as { tool_call_id?: unknown }).tool_call_id);
  await host.sessions.answer(id, { tool_call_id, decision: "allow", scope: "session" });
  await ended;
  const { output } = await callOf(host, id, "tool-mcp__test__echo");
  const { data } = output as { data: unknown };
  assert.deepEqual(data, { content: [{ type: "text", text: "plums" }] });
  assert.match(bodies()[1] ?? "", /"tool_result".*plums/);
  const { permissions_json = "[]" } = (await host.store.sessions.get(id)) ?? {};
  const [rule] = JSON.parse(permissions_json) as Record<string, unknown>[];
  assert.deepEqual(
    [rule?.permission, rule?.pattern, rule?.action],
    ["mcp__test__echo", "mcp:test:echo", "allow"],
  );
});

test("of many tools the model searches one, has it in the same turn, and keeps it", async (t) => {
  const script: Script = [
    { toolCalls: [{ name: "tool_search", input: { query: "thing number 4711" } }] },
    { say: "Found." },
    { say: "Again." },
  ];
  const { host, offered, bodies, id, ...folders } = await setUp(
    t,
    serverTable("big", ["many", "10000"]),
    script,
  );
  const first = turnEnds(host, id);
  await host.submit(id, { input: { text: "do 4711" }, payload: {} });
  await first;
  const second = turnEnds(host, id);
  await host.submit(id, { input: { text: "and again" }, payload: {} });
  await second;
  const [before = [], after = [], later = []] = offered();
  assert.deepEqual(before, ["tool_search"]);
  assert.deepEqual(after.slice(0, 2), ["tool_search", "mcp__big__tool_4711"]);
  assert.equal(after.length, 11);
  assert.deepEqual(later, after);
  assert.equal(headOf(bodies()[2]), headOf(bodies()[1]));
  await host.close(0);
  const again = await hostIn(t, folders, [{ say: "Still." }]);
  const third = turnEnds(again.host, id);
  await again.host.submit(id, { input: { text: "after a restart" }, payload: {} });
  await third;
  assert.deepEqual(again.offered(), [after]);
});

/** Tools and system text, as bytes. */
const headOf = (body = ""): string =>
  body.slice(0, body.indexOf('"messages"')) || assert.fail(body);

test("an input that does not fit is refused before anybody is asked", async (t) => {
  const { host, id } = await setUp(t, serverTable("test"), [
    { toolCalls: [{ name: "mcp__test__echo", input: { text: 7 } }] },
    { say: "Sorry." },
  ]);
  const ended = turnEnds(host, id);
  await host.submit(id, { input: { text: "echo" }, payload: {} });
  await ended;
  const { state, errorText } = await callOf(host, id, "tool-mcp__test__echo");
  assert.deepEqual(
    [state, errorText],
    [
      "output-error",
      'the input does not fit:\n- text: Instance type "number" is invalid. Expected "string"',
    ],
  );
});
