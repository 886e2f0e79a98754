/** Checks one line of an export by itself: its shape, and that nothing in it would be left behind. */
import { ContentId, MessageRow, PartRow, SessionRow } from "@galley/parts";
import { readObject } from "../json-text.ts";
import { isDeeper } from "./json-depth.ts";
import type { BlobRow, Line, TraceRow } from "./line.ts";

/** A finding about a line, turned into the refusal of the whole file by whoever knows its number. */
export class LineFault extends Error {}

type Json = Readonly<Record<string, unknown>>;
type Kind = "text" | "int" | "text?" | "int?";
type Fields = Readonly<Record<string, Kind>>;

const MESSAGE_EXTRAS: Fields = {
  hidden_by: "text?",
  hidden_base: "text?",
  queue_order: "int?",
  canceled_at: "int?",
  disposition: "text?",
  payload_sha256: "text?",
};
const ROUND: Fields = { session_id: "text", turn: "int", round: "int", message_id: "text?" };
const MANIFEST: Fields = { ...ROUND, manifest_json: "text", created_at: "int" };
const LOWERING: Fields = {
  message_id: "text",
  part: "int",
  session_id: "text",
  record_json: "text",
  created_at: "int",
};
const REQUEST: Fields = {
  ...ROUND,
  model: "text",
  method: "text",
  url: "text",
  headers_json: "text",
  sha256: "text",
  size: "int",
  created_at: "int",
  body: "text?",
};
const TEXT: Fields = { digest: "text", text_kind: "text", body: "text" };
const TRACES: ReadonlyMap<unknown, Fields> = new Map([
  ["lowering", LOWERING],
  ["request", REQUEST],
  ["system-prompt", TEXT],
]);
const BLOB: Fields = { content_id: "text", data: "text?" };

export function readLine(text: string): Line {
  const line = readObject(text, "the line");
  const { type } = line;
  const data = objectIn(line, "data");
  only(line, type === "session" ? ["type", "data", "lines"] : ["type", "data"]);
  switch (type) {
    case "session":
      return { type, data: row(SessionRow, data, {}), lines: countIn(line) };
    case "message":
      // Exports of other programs have no columns for our queue: absent is null.
      return { type, data: row(MessageRow, { ...nulls(MESSAGE_EXTRAS), ...data }, MESSAGE_EXTRAS) };
    case "part":
      return { type, data: row(PartRow, data, {}) };
    case "manifest":
      return { type, data: fields(data, MANIFEST) };
    case "trace":
      return { type, data: readTrace(data) };
    case "blob":
      return { type, data: readBlob(data) };
    default:
      throw new LineFault(`${JSON.stringify(type) ?? "no type"} is not a type of line`);
  }
}

function readTrace(data: Json): TraceRow {
  const wanted = TRACES.get(data.kind);
  if (!wanted)
    throw new LineFault(`${JSON.stringify(data.kind) ?? "no kind"} is not a kind of trace`);
  return fields(data, { kind: "text", ...wanted });
}

function readBlob(data: Json): BlobRow {
  const blob: BlobRow = fields(data, BLOB);
  if (!ContentId.safeParse(blob.content_id).success) {
    throw new LineFault("content_id is not sha256: and 64 hex digits");
  }
  return blob;
}

interface RowSchema<T> {
  readonly shape: object;
  safeParse(
    data: unknown,
  ):
    | { success: true; data: unknown }
    | { success: false; error: { issues: readonly { path: PropertyKey[]; message: string }[] } };
  readonly _output: T;
}

/** The row as it came: the schema describes and does not transform. */
function row<T, Row extends T>(schema: RowSchema<T>, data: Json, extras: Fields): Row {
  const result = schema.safeParse(data);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new LineFault(`${issue?.path.join(".")}: ${issue?.message}`);
  }
  const names = Object.keys(schema.shape);
  only(data, [...names, ...Object.keys(extras)]);
  check(data, extras);
  bounded(data);
  return data as Row;
}

function fields<T>(data: Json, wanted: Fields): T {
  only(data, Object.keys(wanted));
  check(data, wanted);
  bounded(data);
  return data as T;
}

/** Numbers that are counted on from, and numbers that are added up: both leave room for more. */
const ORDERS = new Set(["seq", "queue_order", "index", "turn", "round", "part"]);
const MOST_ORDER = 2 ** 40;
const MOST_NUMBER = 2 ** 50;
/** Deeper than anything that a program means, and no deeper than every reader can go. */
const MOST_LEVELS = 1000;

function bounded(data: Json): void {
  for (const [name, value] of Object.entries(data)) {
    if (typeof value === "number") {
      const most = ORDERS.has(name) ? MOST_ORDER : MOST_NUMBER;
      if (!(Math.abs(value) <= most)) throw new LineFault(`${name} is more than ${most}`);
    } else if (
      typeof value === "string" &&
      name.endsWith("_json") &&
      isDeeper(value, MOST_LEVELS)
    ) {
      throw new LineFault(`${name} nests more than ${MOST_LEVELS} levels deep`);
    }
  }
}

function check(data: Json, wanted: Fields): void {
  for (const [name, kind] of Object.entries(wanted)) {
    const value = data[name];
    if (kind.endsWith("?") && value === null) continue;
    const right = kind.startsWith("text") ? typeof value === "string" : Number.isSafeInteger(value);
    if (!right)
      throw new LineFault(`${name} is not ${kind.startsWith("text") ? "text" : "a whole number"}`);
  }
}

function only(data: Json, names: readonly string[]): void {
  const unknown = Object.keys(data).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new LineFault(`${unknown} has no place here, and would be lost; a newer program wrote it`);
}

function objectIn(line: Json, name: string): Json {
  const value = line[name];
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Json;
  throw new LineFault(`${name} is not an object`);
}

/** 0 where the file does not say. */
function countIn(line: Json): number {
  if (line.lines === undefined) return 0;
  if (Number.isSafeInteger(line.lines)) return line.lines as number;
  throw new LineFault("lines is not a whole number");
}

const nulls = (names: Fields) => Object.fromEntries(Object.keys(names).map((name) => [name, null]));
