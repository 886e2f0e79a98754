/**
 * What a message is before any model hears of it: kept, in a file that another process can read.
 * The model's side looks, so that no order inside the host can make it true by accident.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createHost, type Host } from "@galley/host";
import type { UserPart } from "@galley/parts";
import { verifies } from "./verifies.ts";

type Kept = { readonly id: string; readonly type: string; readonly data_json: string };

const PARTS = `SELECT m.id, p.type, p.data_json FROM chat_messages m
  JOIN chat_parts p ON p.message_id = m.id WHERE m.role = 'user' ORDER BY m.id, p."index"`;

/** What another process would read in the file. */
function keptIn(file: string): readonly Kept[] {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return db.prepare(PARTS).all() as unknown as Kept[];
  } finally {
    db.close();
  }
}

/** A model that looks into the database at the first byte of a request, and then refuses it. */
async function watchingModel(look: () => void) {
  const server = createServer((request, response) => {
    look();
    request.resume().on("end", () => response.writeHead(400).end("{}"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function sendToWatcher(parts: readonly UserPart[]) {
  const home = await mkdtemp(join(tmpdir(), "galley-persist-"));
  const file = join(home, "galley.db");
  const seen: (readonly Kept[])[] = [];
  const model = await watchingModel(() => seen.push(keptIn(file)));
  try {
    return { seen, ...(await sendIn(home, model.url, parts)) };
  } finally {
    await model.close();
    await rm(home, { recursive: true });
  }
}

async function sendIn(home: string, model: string, parts: readonly UserPart[]) {
  const offline = { url: async () => model, close: async () => {} };
  const env = { GALLEY_MODEL: "rehearsal/default" };
  const host = await createHost({ workspace: home, home, env, offline });
  try {
    const { id } = await host.sessions.create({});
    const ended = turnEnd(host);
    const { message_id } = await host.submit(id, { input: { parts }, payload: { parts } });
    await ended;
    const held = await host.store.blobs.heldBy(id);
    const bytes = await Promise.all(held.map((each) => host.store.blobs.get(each)));
    return { message_id, bytes };
  } finally {
    await host.close(0);
  }
}

function turnEnd({ sessions }: Host): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  sessions.listen(({ type }) => {
    if (type === "turn-finished") resolve();
  });
  return promise;
}

verifies(
  "compositor/persist/before-model",
  "the message is in the file when the model receives the first byte",
  async () => {
    const part = { type: "text", text: "keep this" } as const;
    const { message_id, seen } = await sendToWatcher([part]);
    assert.deepEqual(
      seen.map((rows) => rows.map((row) => ({ ...row }))),
      [[{ id: message_id, type: "text", data_json: JSON.stringify(part) }]],
    );
  },
);

verifies(
  "compositor/attachments/blob-threshold",
  "an attachment over 1 MB leaves its row for a blob, and one below it stays",
  async () => {
    const attached = (size: number): UserPart => ({
      type: "file-attachment",
      name: `${size}.bin`,
      mime: "application/octet-stream",
      data: Buffer.alloc(size).toString("base64"),
    });
    const MB = 1024 * 1024;
    const { seen, bytes } = await sendToWatcher([attached(MB), attached(MB + 1)]);
    const [small, large] = (seen[0] ?? []).map(
      ({ data_json }) => JSON.parse(data_json) as Record<string, unknown>,
    );
    assert.equal(String(small?.data).length, Math.ceil(MB / 3) * 4);
    assert.equal(small?.content_id, undefined);
    assert.equal(large?.data, undefined);
    assert.match(String(large?.content_id), /^sha256:[0-9a-f]{64}$/);
    assert.deepEqual(
      bytes.map((each) => each?.length),
      [MB + 1],
    );
  },
);
