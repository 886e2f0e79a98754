/**
 * Takes an export back: all of it or nothing.
 *
 * Each line is checked by itself and against those before it, before anything is written. The first
 * that does not hold ends the import with its number, and the transaction leaves the store as it
 * was. A large file is taken slice by slice: in between, everybody else in the process is heard.
 */
import { setImmediate } from "node:timers/promises";
import { isGalleyError, type PartRow, type SessionId, type SessionRow } from "@galley/parts";
import { readJson, readObject, withMembers } from "../json-text.ts";
import type { StoredMessage } from "../port/messages.ts";
import type { SessionPatch } from "../port/sessions.ts";
import type { Store, Tables } from "../store.ts";
import { StoreError } from "../store-error.ts";
import type { BlobRow, Line, TraceRow } from "./line.ts";
import { LineFault, readLine } from "./read-line.ts";

/** What a file says of a session, when all of it has been read and nothing of it is stored. */
export type ImportedFile = {
  readonly session: SessionRow;
  readonly messages: readonly StoredMessage[];
  readonly parts: readonly PartRow[];
};

/** What of the session's row is stored otherwise than the file says. */
export type Receipt = Pick<SessionPatch, "permissions_json" | "metadata">;

export type ImportOptions = {
  /** Asked in the transaction, before anything is written; without it all is as the file says. */
  receive?(file: ImportedFile, tables: Tables): Promise<Receipt>;
};

type Place = {
  session?: { readonly id: SessionId; readonly created_at: number; readonly lines: number };
  message?: StoredMessage;
  /** Whether messages may still come. */
  records: boolean;
  seq: number;
  index: number;
};

/** Gives the id of the session. */
export async function importSession(
  store: Store,
  text: string,
  options: ImportOptions = {},
): Promise<SessionId> {
  const { lines, id, created_at } = await readAll(text);
  return store.transact(async (tables) => {
    const receipt = (await options.receive?.(fileOf(lines), tables)) ?? {};
    await inSlices(lines, (line) => {
      if (line.type !== "session") return take(tables, line, created_at);
      return tables.sessions.restore(received(line.data, receipt));
    });
    return id;
  });
}

function received(session: SessionRow, { permissions_json, metadata = {} }: Receipt): SessionRow {
  return {
    ...session,
    ...(permissions_json !== undefined && { permissions_json }),
    ...(Object.keys(metadata).length > 0 && {
      metadata_json: withMembers(session.metadata_json, metadata),
    }),
  };
}

async function readAll(text: string) {
  const texts = text.split("\n");
  if (texts.at(-1) === "") texts.pop();
  const place: Place = { records: false, seq: 0, index: -1 };
  const lines: Line[] = [];
  await inSlices(texts, async (each) => {
    const line = readLine(each);
    check(place, line);
    lines.push(line);
  });
  const { id, created_at } = await numbered(texts.length + 1, async () =>
    finish(place, texts.length),
  );
  return { lines, id, created_at };
}

function fileOf(lines: readonly Line[]): ImportedFile {
  const of = <T extends Line["type"]>(type: T) =>
    lines.filter((line): line is Extract<Line, { type: T }> => line.type === type);
  const [first] = of("session");
  if (!first) throw new TypeError("a file that was read has a session");
  const messages = of("message").map(({ data }) => data);
  return { session: first.data, messages, parts: of("part").map(({ data }) => data) };
}

/** A moment's work, for rows as they usually are. */
const SLICE = 200;

async function inSlices<T>(all: readonly T[], step: (each: T) => Promise<void>): Promise<void> {
  for (const [at, each] of all.entries()) {
    if (at % SLICE === SLICE - 1) await setImmediate();
    await numbered(at + 1, () => step(each));
  }
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

function finish({ session }: Place, found: number): NonNullable<Place["session"]> {
  if (!session) throw new LineFault("the file is empty");
  if (session.lines !== 0 && session.lines !== found) {
    throw new LineFault(`the file was written with ${session.lines} lines and has ${found}`);
  }
  return session;
}

function check(place: Place, line: Line): void {
  if (line.type === "session") {
    must(!place.session, "a file holds one session");
    place.session = { id: line.data.id, created_at: line.data.created_at, lines: line.lines };
    readObject(line.data.metadata_json, "the session's metadata_json");
    readJson(line.data.permissions_json, "the session's permissions_json");
    return;
  }
  const { session } = place;
  if (!session) throw new LineFault("the first line is not a session");
  if ("session_id" in line.data) {
    must(line.data.session_id === session.id, `session_id is not ${session.id}`);
  }
  if (line.type === "message" || line.type === "part") checkRow(place, line);
  else place.records = true;
}

function checkRow(place: Place, line: Extract<Line, { type: "message" | "part" }>): void {
  must(!place.records, `a ${line.type} comes before manifests, traces and blobs`);
  if (line.type === "message") {
    const { seq, queue_order, canceled_at } = line.data;
    must(seq === null || seq > place.seq, "seq does not grow from message to message");
    const placed = [seq, queue_order, canceled_at].filter((each) => each !== null).length;
    must(placed === 1, "a message has fired, waits or is cancelled: one of the three");
    Object.assign(place, { message: line.data, seq: seq ?? Infinity, index: -1 });
    return;
  }
  const part = line.data;
  must(part.message_id === place.message?.id, "the part does not follow its message");
  must(part.index > place.index, "index does not grow from part to part");
  const { type } = readObject(part.data_json, `part ${part.id}`);
  must(type === part.type, "type is not the type in data_json");
  place.index = part.index;
}

type Row = Exclude<Line, { type: "session" }>;

async function take(tables: Tables, line: Row, at: number): Promise<void> {
  switch (line.type) {
    case "message":
      return tables.messages.restore(line.data);
    case "part":
      return tables.parts.restore(line.data);
    case "manifest":
      return tables.manifests.put(line.data);
    case "trace":
      return takeTrace(tables, line.data, at);
    case "blob":
      return takeBlob(tables, line.data, at);
  }
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
