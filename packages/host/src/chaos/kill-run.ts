/**
 * A host under load, killed at moments of chance and started again on the same database.
 *
 * The law: a message that was accepted is there after every start; it fires once or, when it was
 * cancelled, never; a session's messages fire in the order in which they were accepted; every row is
 * whole; and every start comes up by itself.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openSqliteStore } from "@galley/persist";
import { type Heard, startRehearsal } from "@galley/rehearsal";
import { ask, type HostProcess, startHost } from "./host-process.ts";

export type KillRun = {
  readonly home: string;
  readonly kills: number;
  readonly sessions: number;
  /** From 0 to below 1. */
  readonly chance: () => number;
};

export type KillReport = {
  readonly kills: number;
  readonly accepted: number;
  readonly cancelled: number;
  readonly sent: number;
};

type Client = {
  readonly session: string;
  /** In the order in which they were accepted. */
  readonly accepted: string[];
  readonly cancelled: Set<string>;
  /** A cancel is on its way: it may be done and its answer lost with the host. */
  readonly inDoubt: Set<string>;
};

type World = {
  host: HostProcess;
  over: boolean;
  /** The run has failed: nobody waits for a host any more. */
  failed: boolean;
  readonly chance: () => number;
};

export async function killRun(run: KillRun): Promise<KillReport> {
  const sent: string[] = [];
  const provider = await startRehearsal({
    keepReceived: 1,
    script: (heard) => answer(heard, sent),
  });
  const place = { home: run.home, workspace: run.home, provider: provider.url };
  const host = await startHost(place);
  const world: World = { host, over: false, failed: false, chance: run.chance };
  try {
    const clients = await Promise.all(
      Array.from({ length: run.sessions }, () => openClient(world)),
    );
    const load = Promise.all(clients.map((client) => submitAndCancel(client, world)));
    // Looked at where it is awaited; until then a load that failed is not an unheard one.
    load.catch(() => undefined);
    for (let kill = 0; kill < run.kills; kill += 1) {
      await sleep(20 + run.chance() * 400);
      await world.host.kill("SIGKILL");
      world.host = await startHost(place);
      for (const client of clients) await lookAt(client, world);
    }
    world.over = true;
    await load;
    for (const client of clients) await untilIdle(client, world);
    for (const client of clients) await lookAt(client, world, true);
    await world.host.kill("SIGTERM");
    checkSent(clients, sent, run);
    await checkStore(run.home);
    const sum = (count: (client: Client) => number) =>
      clients.reduce((total, client) => total + count(client), 0);
    return {
      kills: run.kills,
      accepted: sum(({ accepted }) => accepted.length),
      cancelled: sum(({ cancelled }) => cancelled.size),
      sent: sent.length,
    };
  } finally {
    world.over = true;
    world.failed = true;
    await world.host.kill("SIGKILL");
    await provider.close();
  }
}

const MARK = /<<(\w+)>>/g;
const sentenceFor = (id: string): string => `I heard ${id} and this is what I say to it.`;

/** Notes which message was sent: the mark in the last text of the request. */
function answer(heard: Heard, sent: string[]) {
  const marks = [...JSON.stringify(heard.messages.at(-1)).matchAll(MARK)];
  const last = marks.at(-1)?.[1];
  if (last === undefined) throw new Error("a request without a message of ours");
  sent.push(last);
  return { say: sentenceFor(last), chunkDelayMs: 2 };
}

async function openClient(world: World): Promise<Client> {
  const made = await ask(world.host, "POST", "/v1/sessions", {});
  assert.equal(made?.status, 201);
  const { id } = made.body as { id: string };
  return { session: id, accepted: [], cancelled: new Set(), inDoubt: new Set() };
}

/** A message is sent under its own id until the host has answered: kills in between do not count. */
async function submitAndCancel(client: Client, world: World): Promise<void> {
  for (let number = 0; !world.over; number += 1) {
    const id = `msg_${client.session.slice(4)}x${number}`;
    const path = `/v1/sessions/${client.session}/messages`;
    const reply = await persist(world, "POST", path, { id, text: `<<${id}>> please` });
    assert.equal(reply.status, 202, JSON.stringify(reply.body));
    client.accepted.push(id);
    if (world.chance() < 0.25) await cancelOne(client, world);
    // The queue may grow, not without end.
    await sleep(world.chance() * 40);
  }
}

async function cancelOne(client: Client, world: World): Promise<void> {
  const { accepted, session } = client;
  const id = accepted[Math.floor(world.chance() * accepted.length)] ?? "";
  client.inDoubt.add(id);
  const reply = await persist(world, "DELETE", `/v1/sessions/${session}/queue/${id}`);
  if (reply.status < 300) client.cancelled.add(id);
  else {
    assert.equal(reply.status, 409, JSON.stringify(reply.body));
    // The first try may have done it, and its answer was lost with the host.
    if ((reply.body as { code: string }).code === "turn.cancelled") client.cancelled.add(id);
  }
  client.inDoubt.delete(id);
}

async function persist(world: World, method: string, path: string, body?: unknown) {
  while (!world.failed) {
    const reply = await ask(world.host, method, path, body);
    if (reply !== undefined && reply.status < 500) return reply;
    await sleep(10);
  }
  throw new Error("the run is over");
}

type Row = {
  readonly id: string;
  readonly role: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly parts: readonly { readonly type: string; readonly text?: string }[];
};

async function rowsOf(client: Client, world: World): Promise<readonly Row[]> {
  const reply = await persist(world, "GET", `/v1/sessions/${client.session}/messages`);
  assert.equal(reply.status, 200);
  return (reply.body as { messages: Row[] }).messages;
}

/** What a client sees: whole rows, in order, and nothing that was cancelled. */
async function lookAt(client: Client, world: World, settled = false): Promise<void> {
  const before = [...client.accepted];
  const gone = new Set(client.cancelled);
  const doubt = new Set(client.inDoubt);
  const rows = await rowsOf(client, world);
  for (const row of rows) if (row.role === "assistant") checkAnswer(row, settled);
  const users = rows.filter(({ role }) => role === "user");
  for (const { id, parts } of users) {
    assert.deepEqual(parts, [{ ...parts[0], type: "text", text: `<<${id}>> please` }]);
    assert.ok(!gone.has(id), `${id} was cancelled and is in the conversation`);
  }
  const fired = users.map(({ id }) => id);
  const isOpen = (id: string) =>
    client.cancelled.has(id) || client.inDoubt.has(id) || doubt.has(id);
  const expected = client.accepted.filter((id) => !isOpen(id));
  const known = new Set(expected);
  const inOrder = fired.filter((id) => known.has(id));
  assert.deepEqual(inOrder, expected.slice(0, inOrder.length), "in the order of acceptance");
  assert.equal(new Set(fired).size, fired.length, "each once");
  if (settled)
    assert.deepEqual(
      fired,
      before.filter((id) => !gone.has(id)),
    );
}

const ENDS = ["finished_at", "failed_at", "aborted_at"];

/** As much of the sentence as was said, all of it where it is finished, and ended once. */
function checkAnswer({ parts, metadata }: Row, settled: boolean): void {
  const said = parts.flatMap(({ type, text }) => (type === "text" ? [text] : [])).join("");
  const meant = sentenceFor(String(metadata.in_reply_to));
  const ends = ENDS.filter((key) => key in metadata);
  assert.equal(said, ends[0] === "finished_at" ? meant : meant.slice(0, said.length));
  assert.ok(ends.length === 1 || (ends.length === 0 && !settled), JSON.stringify(metadata));
}

async function untilIdle(client: Client, world: World): Promise<void> {
  for (;;) {
    const status = await persist(world, "GET", `/v1/sessions/${client.session}/status`);
    const { state, message } = status.body as { state: string; message?: string };
    assert.notEqual(state, "error", message);
    const queue = await persist(world, "GET", `/v1/sessions/${client.session}/queue`);
    const { entries } = queue.body as { entries: unknown[] };
    if (state === "idle" && entries.length === 0) return;
    await sleep(20);
  }
}

/**
 * What reached the provider: no message twice, none that was cancelled, each session in order, and
 * all but those whose turn had just begun when the host was killed.
 */
function checkSent(clients: readonly Client[], sent: readonly string[], run: KillRun): void {
  assert.equal(new Set(sent).size, sent.length, "a message was sent twice");
  for (const { accepted, cancelled } of clients) {
    const mine = sent.filter((id) => accepted.includes(id));
    assert.deepEqual(
      mine,
      accepted.filter((id) => mine.includes(id)),
    );
    assert.deepEqual(
      mine.filter((id) => cancelled.has(id)),
      [],
    );
    const unsent = accepted.length - cancelled.size - mine.length;
    assert.ok(unsent <= run.kills, `${unsent} were not sent, after ${run.kills} kills`);
  }
}

async function checkStore(home: string): Promise<void> {
  const store = await openSqliteStore({ path: join(home, "galley.db") });
  try {
    assert.deepEqual(await store.check(), []);
  } finally {
    await store.close();
  }
}
