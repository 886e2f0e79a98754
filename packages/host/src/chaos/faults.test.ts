/** A disk, a file or a clock that fails: what a client sees, and that it goes on by itself. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { HostEvent, SessionId } from "@galley/parts";
import type { Step } from "@galley/rehearsal";
import { ClientError } from "../client/client-error.ts";
import { type Client, createClient } from "../client/create-client.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { damageLastPage, fillUp, lockedByAnother, smallDisk } from "./broken-place.ts";
import { startHost, TOKEN } from "./host-process.ts";
import { answerTo, gates, idOf, marked, startMarkedModel } from "./marked-model.ts";
import { isEnd, lookOn, type Onlooker } from "./onlooker.ts";
import { serveHost } from "./served-host.ts";

/** What never comes is a failure, and not a run without an end. */
const LONGEST = { timeout: 120_000 };

const NO_ROOT = "mounting a disk needs root on Linux";

const submit = (client: Client, id: SessionId, mark: string, text = "") =>
  client.messages.submit(id, { id: idOf(mark), text: text + marked(mark) });

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "done",
    (error: unknown) => {
      if (!ClientError.is(error, "problem")) throw error;
      return `${error.data.status} ${error.data.code}`;
    },
  );

const isIn =
  (state: string) =>
  (event: HostEvent): boolean =>
    event.type === "status-changed" && event.status.state === state;

/** Marks in the order in which they fired, each with its whole answer behind it. */
async function checkAnswered(client: Client, id: SessionId, marks: readonly string[]) {
  const rows = await client.messages.list(id);
  const users = rows.filter(({ role }) => role === "user").map((row) => row.id);
  assert.deepEqual(users, marks.map(idOf));
  const answers = rows.filter(({ role }) => role === "assistant");
  const texts = answers.map(({ parts }) => parts.map(({ text }) => text ?? "").join(""));
  assert.deepEqual(texts, marks.map(answerTo));
}

async function gatedHost(t: TestContext, home?: string) {
  const { gate, open, arrived } = gates();
  const model = await startMarkedModel(t, { gate });
  const served = await serveHost(t, model, home === undefined ? {} : { home });
  const { id } = await createClient(served).sessions.create({});
  const seen = await lookOn(t, served, id);
  /** Lets them through one after the other. */
  const answer = async (marks: readonly string[]) => {
    for (const mark of marks) open(await arrived([mark]));
  };
  return { model, served, id, seen, client: seen.client, open, arrived, answer };
}

test(
  "on a full disk messages are refused, those accepted wait, and room lets them go on",
  LONGEST,
  async (t) => {
    const disk = smallDisk(t, "3m");
    if (!disk) return t.skip(NO_ROOT);
    const { served, model, id, seen, client, open, arrived, answer } = await gatedHost(
      t,
      disk.folder,
    );
    const accepted: string[] = [];
    for (let refusal = "done"; refusal === "done"; ) {
      const mark = `m${accepted.length}`;
      refusal = await codeOf(submit(client, id, mark, "x".repeat(100_000)));
      if (refusal === "done") accepted.push(mark);
      else assert.equal(refusal, "507 store.full");
    }
    assert.ok(accepted.length > 2);
    await arrived(["m0"]);
    fillUp(disk.folder);
    open("m0");
    await seen.nth(isIn("error"), 0);
    const { state, message } = await client.status(id);
    assert.equal(state, "error");
    assert.match(message ?? "", /^there is no room left for .* Free some space and try again$/);
    assert.equal((await client.queue.list(id)).entries.length, accepted.length - 1);
    disk.remount("size=64m");
    await answer(accepted.slice(1));
    await seen.nth(isEnd, accepted.length - 1);
    await checkAnswered(client, id, accepted);
    assert.deepEqual(model.asked, accepted);
    assert.deepEqual(await client.status(id), { state: "idle" });
    assert.deepEqual(await served.host.store.check(), []);
    await served.host.close(0);
  },
);

const LOCKED =
  /^another process kept .* locked for \d+ ms; nothing was written\. Try again, or end the other process$/;

test(
  "while another process has the database, nothing is accepted or lost; then it goes on",
  LONGEST,
  async (t) => {
    const { served, model, id, seen, client, open, arrived, answer } = await gatedHost(t);
    for (const mark of ["one", "two"]) await submit(client, id, mark);
    await arrived(["one"]);
    const unlock = await lockedByAnother(t, join(served.home, "galley.db"));
    open("one");
    assert.equal(await codeOf(submit(client, id, "three")), "503 store.busy");
    await seen.nth(isIn("error"), 0);
    assert.match((await client.status(id)).message ?? "", LOCKED);
    await unlock();
    await answer(["two"]);
    await seen.nth(isEnd, 1);
    assert.equal((await submit(client, id, "three")).disposition, "fired");
    await answer(["three"]);
    await seen.nth(isEnd, 2);
    await checkAnswered(client, id, ["one", "two", "three"]);
    assert.deepEqual(model.asked, ["one", "two", "three"]);
  },
);

test(
  "a host that starts while the database is locked says so; the next start goes on",
  LONGEST,
  async (t) => {
    const first = await gatedHost(t);
    const { id, model, answer } = first;
    for (const mark of ["one", "two"]) await submit(first.client, id, mark);
    await first.arrived(["one"]);
    await first.served.host.close(0);
    const { home } = first.served;
    const unlock = await lockedByAnother(t, join(home, "galley.db"));
    await assert.rejects(serveHost(t, model, { home }), { message: LOCKED });
    await unlock();
    const again = await serveHost(t, model, { home });
    const seen = await lookOn(t, again, id);
    await answer(["two"]);
    await seen.nth(isEnd, 0);
    const rows = await seen.client.messages.list(id);
    const users = rows.filter(({ role }) => role === "user").map((row) => row.id);
    assert.deepEqual(users, ["msg_one", "msg_two"]);
    assert.deepEqual(await seen.client.status(id), { state: "idle" });
  },
);

test(
  "a read-only disk is refused at the start in one line; writable again, it goes on",
  LONGEST,
  async (t) => {
    const disk = smallDisk(t, "32m");
    if (!disk) return t.skip(NO_ROOT);
    const model = await startMarkedModel(t, { answer: (mark) => pause(mark) });
    const place = { home: disk.folder, workspace: await tempFolder(t), provider: model.url };
    const first = await startHost(place);
    const client = createClient({ url: first.url, token: TOKEN });
    const { id } = await client.sessions.create({});
    for (const mark of ["slow", "two"]) await submit(client, id, mark);
    await first.kill("SIGKILL");
    disk.remount("ro");
    await assert.rejects(startHost(place), {
      message: new RegExp(
        `^the host did not come up: galley: ${join(disk.folder, "galley.db")} cannot be written \\(EROFS: .*\\); nothing was written\\. Make the file and its folder writable, or name another one\\n$`,
      ),
    });
    disk.remount("rw");
    const host = await startHost(place);
    t.after(() => host.kill("SIGKILL"));
    const seen = await lookOn(t, { url: host.url, token: TOKEN }, id);
    for await (const _ of seen.client.follow(id, idOf("two")));
    const rows = await seen.client.messages.list(id);
    assert.deepEqual(
      rows.filter(({ role }) => role === "user").map((row) => row.id),
      ["msg_slow", "msg_two"],
    );
    assert.equal(host.said(), "");
  },
);

/** The first one is still running when its host is killed. */
const pause = (mark: string): Step => (mark === "slow" ? { fault: { hang: true } } : {});

async function threeSessions(t: TestContext) {
  const model = await startMarkedModel(t);
  const home = await tempFolder(t);
  const place = { home, workspace: home, provider: model.url };
  const host = await startHost(place);
  const client = createClient({ url: host.url, token: TOKEN });
  const sessions: SessionId[] = [];
  for (const name of ["a", "b", "c"]) {
    const { id } = await client.sessions.create({});
    sessions.push(id);
    await submit(client, id, name);
    for await (const _ of client.follow(id, idOf(name), { fired: true }));
  }
  return { place, host, sessions, path: join(home, "galley.db") };
}

test("a damaged last page is healed from the log of a host that was killed", LONGEST, async (t) => {
  const { place, host, sessions, path } = await threeSessions(t);
  await host.kill("SIGKILL");
  damageLastPage(path);
  const again = await startHost(place);
  t.after(() => again.kill("SIGKILL"));
  const client = createClient({ url: again.url, token: TOKEN });
  for (const [index, id] of sessions.entries()) {
    await checkAnswered(client, id, [["a", "b", "c"][index] ?? ""]);
  }
  assert.equal(again.said(), "");
});

test(
  "a damaged last page that no log heals is told at the start; the rest is served",
  LONGEST,
  async (t) => {
    const { place, host, sessions, path } = await threeSessions(t);
    await host.kill("SIGTERM");
    damageLastPage(path);
    const again = await startHost(place);
    t.after(() => again.kill("SIGKILL"));
    const client = createClient({ url: again.url, token: TOKEN });
    await again.says(/is damaged.*export it, put the file aside, and import it into a new one/);
    const found = await Promise.all(sessions.map((id) => codeOf(client.messages.list(id))));
    assert.ok(found.includes("done"), found.join());
    assert.deepEqual(
      found.filter((each) => each !== "done" && each !== "500 store.corrupt"),
      [],
    );
  },
);

test(
  "a clock that is set back an hour changes no order, and loses nothing at a restart",
  LONGEST,
  async (t) => {
    const { gate, open, arrived } = gates();
    const model = await startMarkedModel(t, { gate });
    let ahead_ms = 3_600_000;
    const now = () => Date.now() + ahead_ms;
    const first = await serveHost(t, model, { now });
    const { id } = await createClient(first).sessions.create({});
    const client = createClient(first);
    for (const mark of ["one", "two"]) await submit(client, id, mark);
    ahead_ms = 0;
    for (const mark of ["three", "four"]) await submit(client, id, mark);
    const queue = async (from: Client) => (await from.queue.list(id)).entries.map((row) => row.id);
    assert.deepEqual(await queue(client), ["msg_two", "msg_three", "msg_four"]);
    await arrived(["one"]);
    await first.host.close(0);
    const again = await serveHost(t, model, { now, home: first.home });
    const seen: Onlooker = await lookOn(t, again, id);
    await submit(seen.client, id, "five");
    for (const mark of ["two", "three", "four", "five"]) open(await arrived([mark]));
    await seen.nth(isEnd, 3);
    const rows = await seen.client.messages.list(id);
    assert.deepEqual(
      rows.filter(({ role }) => role === "user").map((row) => row.id),
      ["one", "two", "three", "four", "five"].map(idOf),
    );
    assert.deepEqual(model.asked, ["two", "three", "four", "five"]);
  },
);
