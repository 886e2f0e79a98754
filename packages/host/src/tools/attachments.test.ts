import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { openSqliteStore, type Store } from "@galley/persist";
import { storedAttachments } from "./attachments.ts";

type After = { after(work: () => Promise<void>): void };

async function storeWith(t: After): Promise<Store> {
  const store = await openSqliteStore({ path: ":memory:" });
  t.after(() => store.close());
  for (const id of ["ses_1", "ses_2"]) await store.sessions.create({ id, agent: "a", at: 1 });
  return store;
}

let minted = 0;
async function said(store: Store, session_id: string, ...parts: object[]): Promise<void> {
  minted += 1;
  await store.messages.admit({
    id: `msg_${minted}`,
    session_id,
    metadata_json: "{}",
    parts: parts.map((part, nth) => ({
      id: `prt_${minted}_${nth}`,
      data_json: JSON.stringify(part),
    })),
    disposition: "fired",
    at: minted,
  });
}

const attached = (name: string, text: string) => ({
  type: "file-attachment",
  name,
  mime: "text/plain",
  data: btoa(text),
});
const found = async (store: Store, session: string, name: string): Promise<string> => {
  const result = await storedAttachments(store).find(session, name);
  return result.ok ? Buffer.from(result.value).toString() : `(${result.reason})`;
};

test("an attachment is found by its name, the newest first, also inside a command", async (t) => {
  const store = await storeWith(t);
  await said(store, "ses_1", attached("a.txt", "old"), attached("a.txt", "newer"));
  assert.equal(await found(store, "ses_1", "a.txt"), "newer");
  const expansion = [attached("a.txt", "newest"), attached("b\u202e.txt", "b")];
  await said(store, "ses_1", { type: "command", id: "/x", outcome: "expanded", expansion });
  assert.equal(await found(store, "ses_1", "a.txt"), "newest");
  assert.equal(await found(store, "ses_1", "b\\u202e.txt"), "b");
});

test("an old attachment is found behind many messages", async (t) => {
  const store = await storeWith(t);
  await said(store, "ses_1", attached("old.txt", "old"));
  for (let nth = 0; nth < 120; nth += 1) await said(store, "ses_1", { type: "text", text: "x" });
  assert.equal(await found(store, "ses_1", "old.txt"), "old");
  assert.equal(await found(store, "ses_1", "none.txt"), "(no such attachment)");
});

test("bytes in a blob are found by name and by id, and only by the session that holds them", async (t) => {
  const store = await storeWith(t);
  const bytes = Buffer.from("large");
  const content_id = await store.blobs.put(bytes, 1);
  assert.equal(content_id, `sha256:${createHash("sha256").update(bytes).digest("hex")}`);
  const part = { type: "file-attachment", name: "big.bin", mime: "text/plain", content_id };
  await said(store, "ses_1", part);
  assert.equal(await found(store, "ses_1", "big.bin"), "large");
  assert.equal(await found(store, "ses_1", content_id), "large");
  assert.equal(await found(store, "ses_2", content_id), "(no such attachment in this session)");
  assert.equal(await found(store, "ses_2", "big.bin"), "(no such attachment)");
});

test("an attachment that came without bytes says so", async (t) => {
  const store = await storeWith(t);
  await said(store, "ses_1", { type: "file-attachment", name: "a", mime: "text/plain" });
  assert.equal(await found(store, "ses_1", "a"), "(it came without its bytes)");
});
