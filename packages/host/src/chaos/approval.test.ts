/** A tool that asks, a host that is killed while it waits, and a second client that answers. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Heard, startRehearsal } from "@galley/rehearsal";
import { type Client, createClient } from "../client/create-client.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { type HostPlace, type HostProcess, startHost, TOKEN } from "./host-process.ts";

/** Each run of it leaves one more line behind. */
const EDIT = {
  name: "edit",
  id: "toolu_edit",
  input: { path: "log.txt", old_text: "end", new_text: "once\nend" },
};

function script({ messages }: Heard) {
  const hasResult = messages.at(-1)?.blocks.some(({ kind }) => kind === "tool-result");
  return hasResult ? { say: "It is written." } : { toolCalls: [EDIT] };
}

async function setUp(t: TestContext) {
  const provider = await startRehearsal({ script });
  t.after(() => provider.close());
  const home = await tempFolder(t);
  const workspace = await tempFolder(t, { "log.txt": "end\n" });
  const place: HostPlace = { home, workspace, provider: provider.url };
  const up: HostProcess[] = [];
  t.after(async () => {
    for (const host of up) await host.kill("SIGKILL");
  });
  const start = async (): Promise<HostProcess> => {
    const host = await startHost(place);
    up.push(host);
    return host;
  };
  const lines = async () => (await readFile(join(workspace, "log.txt"), "utf8")).split("\n");
  return { provider, workspace, start, lines };
}

const clientOf = ({ url }: HostProcess): Client => createClient({ url, token: TOKEN });

async function until(client: Client, session: string, state: string): Promise<void> {
  for (;;) {
    const status = await client.status(session);
    if (status.state === state) return;
    assert.notEqual(status.state, "error", status.message);
    await sleep(10);
  }
}

/** A session that waits for leave to edit; gives it and the call. */
async function askedIn(client: Client) {
  const { id } = await client.sessions.create();
  await client.messages.submit(id, { text: "write it down" });
  await until(client, id, "waiting_on_approval");
  const [, answer] = await client.messages.list(id);
  const call = answer?.parts.find(({ type }) => type === "tool-edit");
  assert.equal(call?.state, "approval-requested");
  return { id, tool_call_id: String(call?.toolCallId) };
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: { data?: { problem?: { code?: string } }; message: string }) =>
      error.data?.problem?.code ?? error.message,
  );

test("an approval is answered by a second client after the host was killed, and the tool runs exactly once", async (t) => {
  const { provider, start, lines } = await setUp(t);
  const first = await start();
  const { id, tool_call_id } = await askedIn(clientOf(first));
  await first.kill("SIGKILL");
  assert.deepEqual(await lines(), ["end", ""]);

  const second = await start();
  const clients = [clientOf(second), clientOf(second), clientOf(second)];
  const [one] = clients;
  assert.ok(one);
  await until(one, id, "waiting_on_approval");
  const answers = await Promise.all(
    clients.map((client) => codeOf(client.answer(id, { tool_call_id, decision: "allow" }))),
  );
  assert.equal(answers.filter((each) => each === "done").length, 1, answers.join("; "));
  await until(one, id, "idle");
  assert.deepEqual(await lines(), ["once", "end", ""]);
  const [, answer] = await one.messages.list(id);
  const call = answer?.parts.find(({ type }) => type === "tool-edit");
  assert.equal(call?.state, "output-available");
  assert.equal(answer?.parts.at(-1)?.text, "It is written.");
  assert.equal(provider.received.length, 2);
});

test("a host that is killed after the answer does not run the tool a second time", async (t) => {
  const { start, lines, workspace } = await setUp(t);
  const first = await start();
  const { id, tool_call_id } = await askedIn(clientOf(first));
  await clientOf(first).answer(id, { tool_call_id, decision: "allow" });
  await until(clientOf(first), id, "idle");
  await first.kill("SIGKILL");
  // Were the edit to run again, it would find its text once more.
  await writeFile(join(workspace, "log.txt"), "end\n");
  const second = await start();
  assert.notEqual(
    await codeOf(clientOf(second).answer(id, { tool_call_id, decision: "allow" })),
    "done",
  );
  await until(clientOf(second), id, "idle");
  assert.deepEqual(await lines(), ["end", ""]);
});

test("a denial after the kill is heard too, and nothing runs", async (t) => {
  const { start, lines } = await setUp(t);
  const first = await start();
  const { id, tool_call_id } = await askedIn(clientOf(first));
  await first.kill("SIGKILL");
  const client = clientOf(await start());
  await client.answer(id, { tool_call_id, decision: "deny" });
  await until(client, id, "idle");
  assert.deepEqual(await lines(), ["end", ""]);
});

for (const moment of [0, 5, 20]) {
  test(`a host that is killed ${moment} ms after the answer runs the tool once or never, and goes on`, async (t) => {
    const { start, lines } = await setUp(t);
    const first = await start();
    const { id, tool_call_id } = await askedIn(clientOf(first));
    const answered = codeOf(clientOf(first).answer(id, { tool_call_id, decision: "allow" }));
    await sleep(moment);
    await first.kill("SIGKILL");
    await answered;
    const client = clientOf(await start());
    // Where the answer was not kept the call is still open, and this one is heard instead.
    const second = await codeOf(client.answer(id, { tool_call_id, decision: "allow" }));
    await until(client, id, "idle");
    const written = (await lines()).filter((line) => line === "once").length;
    assert.ok(second === "done" ? written === 1 : written <= 1, `${second}, ${written} times`);
    const [, answer] = await client.messages.list(id);
    const call = answer?.parts.find(({ type }) => type === "tool-edit");
    assert.match(String(call?.state), /^output-(?:available|error)$/);
  });
}
