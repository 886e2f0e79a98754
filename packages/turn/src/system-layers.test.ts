import assert from "node:assert/strict";
import { test } from "node:test";
import { BEGIN, delta, END, stage } from "./scripted.ts";
import { systemLayers } from "./system-layers.ts";

const AGENT = [{ id: "agent", text: "be kind" }];

test("layers are frozen while the first answer is still being written", async (t) => {
  const seen: unknown[] = [];
  const world = await stage(t, {
    tries: [
      async function* () {
        yield [...BEGIN, delta("Hi")];
        for (let turns = 0; turns < 100; turns += 1) {
          await new Promise((resolve) => setImmediate(resolve));
        }
        const row = await world.store.sessions.get("ses_1");
        seen.push(typeof JSON.parse(row?.metadata_json ?? "{}").system_prompt);
        yield END("stop");
      },
    ],
  });
  await world.run();
  assert.deepEqual(seen, ["string"]);
});

test("a session whose frozen text is gone asks anew and freezes again", async (t) => {
  const { store, deps } = await stage(t);
  const lost = { system_prompt: "0".repeat(64) };
  const session = await store.sessions.patch("ses_1", { metadata: lost, at: 2 });
  const { layers, freeze } = await systemLayers(session, deps);
  assert.deepEqual(layers, AGENT);
  const digest = await freeze();
  const row = await store.sessions.get("ses_1");
  assert.equal(JSON.parse(row?.metadata_json ?? "{}").system_prompt, digest);
  assert.equal((await store.systemPrompts.get(digest))?.kind, "system");
});

test("what stands in a session's metadata beside the digest is left alone", async (t) => {
  const { store, deps } = await stage(t);
  const session = await store.sessions.patch("ses_1", { metadata: { run: { a: 1 } }, at: 2 });
  await (await systemLayers(session, deps)).freeze();
  const row = await store.sessions.get("ses_1");
  assert.deepEqual(JSON.parse(row?.metadata_json ?? "{}").run, { a: 1 });
});
