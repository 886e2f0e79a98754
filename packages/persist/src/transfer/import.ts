/**
 * Takes an export back: all of it or nothing.
 *
 * Each line is checked by itself and against those before it. The first that does not hold ends the
 * import with its number, and the transaction leaves the store as it was.
 */
import { isGalleyError, type SessionId } from "@galley/parts";
import { readObject } from "../json-text.ts";
import type { StoredMessage } from "../port/messages.ts";
import type { Store, Tables } from "../store.ts";
import { StoreError } from "../store-error.ts";
import type { BlobRow, Line, TraceRow } from "./line.ts";
import { LineFault, readLine } from "./read-line.ts";

type Place = {
  session?: { readonly id: SessionId; readonly created_at: number; readonly lines: number };
  message?: StoredMessage;
  /** Whether messages may still come. */
  records: boolean;
  seq: number;
  index: number;
};

/** Gives the id of the session. */
export async function importSession(store: Store, text: string): Promise<SessionId> {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return store.transact(async (tables) => {
    const place: Place = { records: false, seq: 0, index: -1 };
    for (const [at, line] of lines.entries()) {
      await numbered(at + 1, () => take(tables, place, readLine(line)));
    }
    return numbered(lines.length + 1, async () => finish(place, lines.length));
  });
}

const OF_THE_FILE = new Set(["store.invalid", "store.conflict", "store.missing"]);

async function numbered<T>(line: number, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (cause) {
    // A full disk is not the fault of a line, and is told as it is.
    const faulty =
      cause instanceof LineFault || (isGalleyError(cause) && OF_THE_FILE.has(cause.code));
    if (!faulty) throw cause;
    throw StoreError.make("import-refused", { line, issue: (cause as Error).message }, { cause });
  }
}

function finish({ session }: Place, found: number): SessionId {
  if (!session) throw new LineFault("the file is empty");
  if (session.lines !== 0 && session.lines !== found) {
    throw new LineFault(`the file was written with ${session.lines} lines and has ${found}`);
  }
  return session.id;
}

async function take(tables: Tables, place: Place, line: Line): Promise<void> {
  if (line.type === "session") {
    must(!place.session, "a file holds one session");
    place.session = { id: line.data.id, created_at: line.data.created_at, lines: line.lines };
    return tables.sessions.restore(line.data);
  }
  const { session } = place;
  if (!session) throw new LineFault("the first line is not a session");
  if ("session_id" in line.data) {
    must(line.data.session_id === session.id, `session_id is not ${session.id}`);
  }
  if (line.type === "message" || line.type === "part") return takeRow(tables, place, line);
  place.records = true;
  if (line.type === "manifest") return tables.manifests.put(line.data);
  if (line.type === "trace") return takeTrace(tables, line.data, session.created_at);
  return takeBlob(tables, line.data, session.created_at);
}

async function takeRow(
  tables: Tables,
  place: Place,
  line: Extract<Line, { type: "message" | "part" }>,
): Promise<void> {
  must(!place.records, `a ${line.type} comes before manifests, traces and blobs`);
  if (line.type === "message") {
    const { seq, queue_order, canceled_at } = line.data;
    must(seq === null || seq > place.seq, "seq does not grow from message to message");
    const placed = [seq, queue_order, canceled_at].filter((each) => each !== null).length;
    must(placed === 1, "a message has fired, waits or is cancelled: one of the three");
    Object.assign(place, { message: line.data, seq: seq ?? Infinity, index: -1 });
    return tables.messages.restore(line.data);
  }
  const part = line.data;
  must(part.message_id === place.message?.id, "the part does not follow its message");
  must(part.index > place.index, "index does not grow from part to part");
  const { type } = readObject(part.data_json, `part ${part.id}`);
  must(type === part.type, "type is not the type in data_json");
  place.index = part.index;
  return tables.parts.restore(part);
}

async function takeTrace(tables: Tables, trace: TraceRow, at: number): Promise<void> {
  if (trace.kind === "lowering") {
    const { kind: _, ...row } = trace;
    await tables.lowerings.keep(row);
  } else if (trace.kind === "request") {
    const { kind: _, body, ...row } = trace;
    await tables.requests.restore(row, body === null ? undefined : bytesOf(body));
  } else {
    const { digest, text_kind: kind, body } = trace;
    const kept = await tables.systemPrompts.keep({ kind, body, at });
    must(kept === digest, "digest is not the hash of body");
  }
}

async function takeBlob(tables: Tables, blob: BlobRow, at: number): Promise<void> {
  if (blob.data === null) return;
  const content_id = await tables.blobs.put(bytesOf(blob.data), at);
  must(content_id === blob.content_id, "content_id is not the hash of data");
}

function bytesOf(base64: string): Uint8Array {
  const bytes = Buffer.from(base64, "base64");
  must(bytes.toString("base64") === base64, "the bytes are not base64");
  return bytes;
}

function must(holds: boolean, issue: string): asserts holds {
  if (!holds) throw new LineFault(issue);
}
