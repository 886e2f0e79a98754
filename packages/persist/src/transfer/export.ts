/** A session as JSONL: the rows as they are, in an order that does not depend on chance. */
import type { SessionId, SessionRow } from "@galley/parts";
import { readObject } from "../json-text.ts";
import type { MessageWithParts } from "../port/messages.ts";
import type { LoweringRow, ManifestRow, RequestRow, SharedText } from "../port/records.ts";
import type { Store, Tables } from "../store.ts";
import { StoreError } from "../store-error.ts";
import { DIGEST_KEYS, type Line } from "./line.ts";

export type ExportOptions = {
  /** With the bytes of blobs and of requests. */
  readonly blobs?: boolean;
};

type Snapshot = {
  readonly session: SessionRow;
  readonly messages: readonly MessageWithParts[];
  readonly manifests: readonly ManifestRow[];
  readonly lowerings: readonly LoweringRow[];
  readonly requests: readonly RequestRow[];
  readonly texts: readonly SharedText[];
  readonly blobs: readonly string[];
};

/** Gives lines with their line ends. Rows are read at one moment, bytes as they are written out. */
export async function* exportSession(
  store: Store,
  id: SessionId,
  options: ExportOptions = {},
): AsyncGenerator<string, void, undefined> {
  const rows = await store.transact((tables) => snapshot(tables, id, options.blobs ?? false));
  yield print({ type: "session", data: rows.session, lines: countLines(rows) });
  for (const { message, parts } of rows.messages) {
    yield print({ type: "message", data: message });
    for (const part of parts) yield print({ type: "part", data: part });
  }
  for (const manifest of rows.manifests) yield print({ type: "manifest", data: manifest });
  for (const row of rows.lowerings) {
    yield print({ type: "trace", data: { kind: "lowering", ...row } });
  }
  for (const { digest, kind, body } of rows.texts) {
    yield print({ type: "trace", data: { kind: "system-prompt", digest, text_kind: kind, body } });
  }
  for (const row of rows.requests) {
    const body = options.blobs ? await store.requests.body(id, row.turn, row.round) : undefined;
    yield print({ type: "trace", data: { kind: "request", ...row, body: base64(body) } });
  }
  for (const content_id of rows.blobs) {
    const data = base64(await store.blobs.get(content_id));
    yield print({ type: "blob", data: { content_id, data } });
  }
}

async function snapshot(tables: Tables, id: SessionId, blobs: boolean): Promise<Snapshot> {
  const session = await tables.sessions.get(id);
  if (!session) throw StoreError.make("missing", { kind: "session", id });
  const messages = await tables.messages.all(id);
  return {
    session,
    messages,
    manifests: await tables.manifests.list(id),
    lowerings: await tables.lowerings.ofSession(id),
    requests: await tables.requests.list(id),
    texts: await textsOf(tables, messages),
    blobs: blobs ? await tables.blobs.heldBy(id) : [],
  };
}

async function textsOf(
  tables: Tables,
  messages: readonly MessageWithParts[],
): Promise<readonly SharedText[]> {
  const digests = new Set<string>();
  for (const { message } of messages) {
    const metadata = readObject(message.metadata_json, `the metadata of ${message.id}`);
    for (const key of DIGEST_KEYS) {
      const digest = metadata[key];
      if (typeof digest === "string") digests.add(digest);
    }
  }
  const texts = await Promise.all([...digests].map((one) => tables.systemPrompts.get(one)));
  return texts.filter((text) => text !== undefined);
}

function countLines(rows: Snapshot): number {
  const parts = rows.messages.reduce((sum, each) => sum + each.parts.length, 0);
  const { messages, manifests, lowerings, requests, texts, blobs } = rows;
  const groups = [messages, manifests, lowerings, requests, texts, blobs];
  return 1 + parts + groups.reduce((sum, group) => sum + group.length, 0);
}

const print = (line: Line) => `${JSON.stringify(line)}\n`;

const base64 = (bytes: Uint8Array | undefined) =>
  bytes ? Buffer.from(bytes).toString("base64") : null;
