/** Context on a real host: instructions, skills and pins as the model reads them, and their account. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { startRehearsal } from "@galley/rehearsal";
import { putPin, wholeManifests } from "@galley/turn";
import { createHost } from "../sessions/create-host.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { calibrationPath } from "./calibration-file.ts";

const FILES = {
  "AGENTS.md": "Write tests first.",
  "notes.txt": "plums",
  ".agents/skills/jam/SKILL.md": "---\nname: jam\ndescription: How jam is made\n---\nBoil it.\n",
};

async function setUp(t: TestContext) {
  const workspace = await tempFolder(t, FILES);
  const home = await tempFolder(t);
  const rehearsal = await startRehearsal({ script: () => ({ say: "Very well." }) });
  t.after(() => rehearsal.close());
  const warned: string[] = [];
  const host = await createHost({
    workspace,
    home,
    env: { GALLEY_MODEL: "rehearsal/default" },
    warn: (line) => warned.push(line),
    offline: { url: async () => rehearsal.url, close: async () => {} },
  });
  t.after(() => host.close(0));
  const { id } = await host.sessions.create({});
  async function send(text: string) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = host.sessions.listen(({ type }) => {
      if (type === "turn-finished") resolve();
    });
    await host.submit(id, { input: { text }, payload: { text } });
    await promise;
    stop();
    return JSON.parse(new TextDecoder().decode(rehearsal.received.at(-1)?.body));
  }
  return { host, id, send, workspace, home, warned };
}

/** The texts of each message of the user. */
const typed = (body: { messages: { role: string; content: { text?: string }[] }[] }): string[] =>
  body.messages
    .filter(({ role }) => role === "user")
    .map(({ content }) => content.map(({ text = "" }) => text).join("|"));

test("the project's instructions and skills are in the system text, and stay as they were", async (t) => {
  const { send, workspace } = await setUp(t);
  const system = JSON.stringify((await send("hello")).system);
  assert.match(system, /Write tests first\..*- jam: How jam is made.*Where you work/);
  await writeFile(join(workspace, "AGENTS.md"), "Something else.");
  assert.equal(JSON.stringify((await send("again")).system), system);
});

test("a pin is read for each turn, stands in the newest message alone, and costs what the manifest says", async (t) => {
  const { host, id, send, workspace, warned } = await setUp(t);
  const ref = { kind: "path", path: "notes.txt" } as const;
  await putPin(host.store, id, { id: "notes", ref }, 1);
  const first = typed(await send("one"));
  assert.equal(first.length, 1);
  assert.match(first[0] ?? "", /File notes\.txt \(pinned; as of this message\).*plums.*\|one$/s);
  await writeFile(join(workspace, "notes.txt"), "pears");
  const second = typed(await send("two"));
  assert.equal(second[0], "one");
  assert.match(second[1] ?? "", /pears.*\|two$/s);
  const [, { manifest } = assert.fail("two manifests")] = await wholeManifests(host.store, id);
  assert.deepEqual(
    manifest.pins?.map(({ id: pin, failed }) => [pin, failed]),
    [["notes", undefined]],
  );
  assert.deepEqual(
    manifest.blocks.map(({ type, part, outcome }) => [type, part, outcome]),
    [
      ["text", 0, "text"],
      ["step-start", 0, "resolved-out"],
      ["text", 1, "text"],
      ["text", 0, "text"],
    ],
  );
  assert.equal(manifest.changed?.why, "the pins stand in a newer message: this one lost them");
  const body = await host.store.requests.body(id, 2, 1);
  const before = await host.store.requests.body(id, 1, 1);
  const at = manifest.changed?.first_byte ?? 0;
  assert.deepEqual(body?.subarray(0, at), before?.subarray(0, at));
  assert.notEqual(body?.[at], before?.[at]);
  assert.deepEqual(warned, []);
});

test("a pin that is gone is a line in its place, and the turn goes on", async (t) => {
  const { host, id, send } = await setUp(t);
  await putPin(host.store, id, { id: "x", ref: { kind: "path", path: "../out.txt" } }, 1);
  const [only = ""] = typed(await send("one"));
  assert.match(only, /^\[file unavailable: \.\.\/out\.txt \(outside the workspace\)\]\|one$/);
  const [row] = await wholeManifests(host.store, id);
  assert.deepEqual(row?.manifest.failures, [{ pin: "x", why: "outside the workspace" }]);
});

test("what the provider counted is kept in the home for the next host", async (t) => {
  const { host, send, home } = await setUp(t);
  await send("one");
  await send("two");
  await host.close(0);
  const { models } = JSON.parse(await readFile(calibrationPath(home), "utf8"));
  assert.equal(models["rehearsal/default"].turns, 2);
});
