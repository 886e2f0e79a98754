/** Rows of manifests: short where they can be, whole to whoever asks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Store } from "@galley/persist";
import { wholeManifests } from "./context-rows.ts";
import { calls, says, scripted, stage, tool } from "./scripted.ts";

const ROUNDS = 60;

function looping() {
  const rounds = Array.from({ length: ROUNDS - 1 }, (_, at) => calls([`c${at}`, "read"]));
  return { tools: [tool("read")], tries: [...rounds, says("Done.")] };
}

test("the rows of a long tool loop grow with what is new, and are whole when they are read", async (t) => {
  const { run, store, reported } = await stage(t, looping());
  await run();
  const rows = await store.manifests.list("ses_1");
  assert.equal(rows.length, ROUNDS);
  const whole = await wholeManifests(store, "ses_1");
  assert.deepEqual(
    whole.map(({ manifest }) => manifest.blocks.length),
    // The message, then a step and a call for each round before.
    Array.from({ length: ROUNDS }, (_, at) => 1 + 2 * at),
  );
  const size = (values: readonly unknown[]) =>
    values.reduce<number>((sum, each) => sum + JSON.stringify(each).length, 0);
  const kept = rows.reduce((sum, { manifest_json }) => sum + manifest_json.length, 0);
  assert.ok(kept * 3 < size(whole.map(({ manifest }) => manifest)), `${kept} characters`);
  for (const { manifest } of whole) {
    assert.equal("since" in manifest || "same" in manifest || "incomplete" in manifest, false);
    assert.ok(manifest.blocks.every(({ outcome }) => outcome === "text"));
  }
  assert.deepEqual(reported, []);
});

test("a turn that is asked for alone is put together with the rows before it", async (t) => {
  const { run, store } = await stage(t, { tries: [says("One."), says("Two."), says("Three.")] });
  await run(0, "turn_1");
  await run(0, "turn_2");
  await run(0, "turn_3");
  const rows = await store.manifests.list("ses_1", 3);
  assert.match(rows[0]?.manifest_json ?? "", /"since":\{"turn":2,"round":1\}/);
  const all = await wholeManifests(store, "ses_1");
  assert.deepEqual(await wholeManifests(store, "ses_1", 3), all.slice(2));
  assert.equal(all[2]?.manifest.turn_id, "turn_3");
});

test("a row whose base is gone says so and shows what it has", async (t) => {
  const { run, store } = await stage(t, { tries: [says("One."), says("Two."), says("Three.")] });
  for (const turn of ["turn_1", "turn_2", "turn_3"]) await run(0, turn);
  const without: Pick<Store, "manifests"> = {
    manifests: {
      ...store.manifests,
      list: async (session, turn) =>
        (await store.manifests.list(session, turn)).filter((row) => row.turn === 3),
    },
  };
  const [row] = await wholeManifests(without, "ses_1", 3);
  assert.equal(row?.manifest.incomplete, "the row that its beginning stands in is not stored here");
});

test("a row that the store did not take is nobody's base", async (t) => {
  const { run, store, deps, reported } = await stage(t, {
    tries: [says("One."), says("Two."), says("Three.")],
  });
  await run(0, "turn_1");
  const { transact } = store;
  const refusing: Store["transact"] = () => Promise.reject(new Error("no"));
  Object.assign(deps.store, { transact: refusing });
  await run(0, "turn_2");
  Object.assign(deps.store, { transact });
  assert.ok(reported.length > 0);
  await run(0, "turn_3");
  const whole = await wholeManifests(store, "ses_1");
  assert.deepEqual(
    whole.map(({ manifest }) => [manifest.turn_id, manifest.incomplete]),
    [
      ["turn_1", undefined],
      ["turn_3", undefined],
    ],
  );
});

test("a manifest says since which byte a request is another, also after a restart", async (t) => {
  const first = await stage(t, { tries: [says("One."), says("Two.")] });
  await first.run(0, "turn_1");
  const again = scripted([says("Again.")]);
  Object.assign(first.deps.models, { open: async () => again });
  await first.run(0, "turn_2");
  const [one, two] = await wholeManifests(first.store, "ses_1");
  assert.equal(one?.manifest.changed, undefined);
  assert.match(two?.manifest.changed?.why ?? "", /^something was appended/);
  const body = await first.store.requests.body("ses_1", 1, 1);
  // The bodies of these tests are JSON lists: they part where the first one ends.
  assert.equal(two?.manifest.changed?.first_byte, (body?.length ?? 0) - 1);
});
