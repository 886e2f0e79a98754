import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { isGalleyError, type UserPart } from "@galley/parts";
import { startRehearsal } from "@galley/rehearsal";
import { tempFolder } from "../testing/temp-folder.ts";
import { createHost } from "./create-host.ts";

async function hostIn(t: TestContext) {
  const rehearsal = await startRehearsal({ script: () => ({ say: "x", delayMs: 60_000 }) });
  t.after(() => rehearsal.close());
  const host = await createHost({
    workspace: await tempFolder(t),
    home: await tempFolder(t, { "config.toml": "[limits]\nattachment_bytes = 1000\n" }),
    db: ":memory:",
    env: { GALLEY_MODEL: "rehearsal/default" },
    offline: { url: async () => rehearsal.url, close: async () => {} },
  });
  t.after(() => host.close(0));
  const { id } = await host.sessions.create({});
  return { host, id };
}

const attachment = (over: object): UserPart =>
  ({ type: "file-attachment", name: "a", mime: "text/plain", ...over }) as UserPart;

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: unknown) => (isGalleyError(error) ? error.code : error),
  );

test("an attachment over the limit is refused whatever way it comes, and nothing is kept of it", async (t) => {
  const { host, id } = await hostIn(t);
  const bytes = Buffer.alloc(1001, 65);
  const content_id = await host.store.blobs.put(bytes, 1);
  const large = attachment({ data: bytes.toString("base64") });
  const named = attachment({ content_id });
  const small = attachment({ data: bytes.subarray(1).toString("base64") });
  const inputs = [
    { parts: [large] },
    { parts: [named] },
    { draft: { parts: [large] } },
    { draft: { parts: [named] } },
  ];
  for (const input of inputs) {
    const sent = host.submit(id, { input: { text: "x", ...input }, payload: {} });
    assert.equal(await codeOf(sent), "host.too_large", JSON.stringify(Object.keys(input)));
  }
  const message = { role: "user" as const, parts: [large] };
  assert.equal(await codeOf(host.sessions.submit(id, { message })), "host.too_large");
  assert.deepEqual(await host.store.messages.all(id), []);
  const fits = host.submit(id, { input: { text: "x", parts: [small] }, payload: {} });
  assert.equal(await codeOf(fits), "done");
});

test("an attachment over the limit does not get into a message that waits", async (t) => {
  const { host, id } = await hostIn(t);
  await host.submit(id, { input: { text: "runs" }, payload: {} });
  await host.submit(id, { id: "msg_q", input: { text: "waits" }, payload: {} });
  const large = attachment({ data: Buffer.alloc(1001).toString("base64") });
  assert.equal(await codeOf(host.sessions.edit(id, "msg_q", [large])), "host.too_large");
  const [entry] = (await host.sessions.queue(id)).entries;
  assert.deepEqual(
    entry?.parts.map(({ type }) => type),
    ["text"],
  );
});
