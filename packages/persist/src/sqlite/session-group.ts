/** Sessions on SQLite, and the counts that a session keeps of its messages. */
import type { SessionId, SessionRow } from "@galley/parts";
import { keepable, readJson, readObject, withMembers } from "../json-text.ts";
import type { NewSession, SessionPatch, Sessions } from "../port/sessions.ts";
import { StoreError } from "../store-error.ts";
import { hold, holdInstead, releaseSession } from "./blob-refs.ts";
import type { Group } from "./group.ts";
import { listSessions } from "./session-list.ts";
import type { Sql } from "./sql.ts";

export const SESSION_COLUMNS = [
  "id",
  "agent",
  "title",
  "workspace_root",
  "model_json",
  "parent_id",
  "parent_message_id",
  "permissions_json",
  "metadata_json",
  "prompt_tokens",
  "completion_tokens",
  "reasoning_tokens",
  "cache_read",
  "cache_write",
  "total_tokens",
  "cost_usd",
  "created_at",
  "updated_at",
  "archived_at",
] as const satisfies readonly (keyof SessionRow)[];

const SELECT = `SELECT ${SESSION_COLUMNS.join(", ")} FROM chat_sessions`;
const INSERT = `INSERT INTO chat_sessions (${SESSION_COLUMNS.join(", ")}, ephemeral)
  VALUES (${SESSION_COLUMNS.map((name) => `:${name}`).join(", ")}, :ephemeral)`;
const UPDATE = `UPDATE chat_sessions SET title = :title, model_json = :model_json,
  permissions_json = :permissions_json, metadata_json = :metadata_json, ephemeral = :ephemeral,
  archived_at = :archived_at, updated_at = :updated_at WHERE id = :id`;

export function sessionGroup(sql: Sql): Group<Sessions> {
  const find = (id: SessionId) => sql.get<SessionRow>(`${SELECT} WHERE id = :id`, { id });

  function insert(row: SessionRow) {
    if (find(row.id)) {
      throw StoreError.make("conflict", { id: row.id, detail: "is already a session" });
    }
    sql.run(INSERT, { ...columnsOf(row), ephemeral: checked(row) });
    hold(sql, ownerOf(row.id), row.id, row.metadata_json);
  }

  function change(id: SessionId, changes: Partial<SessionRow>): SessionRow {
    const row = find(id);
    if (!row) throw StoreError.make("missing", { kind: "session", id });
    const next = { ...row, ...changes };
    sql.run(UPDATE, { ...columnsOf(next), ephemeral: checked(next) });
    const texts = [row.metadata_json, next.metadata_json];
    if (texts.some(mayHoldBlobs)) holdInstead(sql, ownerOf(id), id, next.metadata_json);
    return next;
  }

  return {
    steps: {
      create: (session) => {
        const row = newRow(session);
        insert(row);
        return row;
      },
      get: find,
      list: (query) => listSessions(sql, SELECT, query),
      marked: (key) => marked(sql, key),
      patch: (id, patch) => change(id, changesOf(patch, find(id))),
      archive: (id, archived_at) => change(id, { archived_at }),
      delete: (id) =>
        releaseSession(sql, id, () => sql.run("DELETE FROM chat_sessions WHERE id = :id", { id })) >
        0,
      restore: insert,
    },
    modes: {
      create: "write",
      get: "read",
      list: "read",
      marked: "read",
      patch: "write",
      archive: "write",
      delete: "write",
      restore: "write",
    },
  };
}

/** Parts and records have ids of their own. */
const ownerOf = (id: SessionId): string => `session ${id}`;

/** Sessions are patched often, and few name any. */
const mayHoldBlobs = (metadata_json: string): boolean => metadata_json.includes('"sha256:');

/**
 * The text is searched first: few rows hold the key, and SQLite reads no JSON as deep as ours. A row
 * that cannot be read may hold it: whoever asked finds out, for this session alone.
 */
function marked(sql: Sql, key: string): SessionId[] {
  const text = `SELECT id, metadata_json FROM chat_sessions
    WHERE instr(metadata_json, :name) > 0 ORDER BY id`;
  return sql
    .all<{ id: SessionId; metadata_json: string }>(text, { name: JSON.stringify(key) })
    .filter(({ metadata_json }) => mayHold(metadata_json, key))
    .map(({ id }) => id);
}

function mayHold(text: string, key: string): boolean {
  try {
    return Object.hasOwn(readObject(text, "metadata_json"), key);
  } catch {
    // Broken: see above.
    return true;
  }
}

function newRow(session: NewSession): SessionRow {
  return {
    id: session.id,
    agent: session.agent,
    title: session.title ?? null,
    workspace_root: session.workspace_root ?? null,
    model_json: session.model_json ?? null,
    parent_id: session.parent_id ?? null,
    parent_message_id: session.parent_message_id ?? null,
    permissions_json: session.permissions_json ?? "[]",
    metadata_json: session.metadata_json ?? "{}",
    prompt_tokens: 0,
    completion_tokens: 0,
    reasoning_tokens: 0,
    cache_read: 0,
    cache_write: 0,
    total_tokens: 0,
    cost_usd: 0,
    created_at: session.at,
    updated_at: session.at,
    archived_at: null,
  };
}

function changesOf(patch: SessionPatch, row: SessionRow | undefined): Partial<SessionRow> {
  const { title, model_json, permissions_json, metadata } = patch;
  return {
    updated_at: patch.at,
    ...(title !== undefined && { title }),
    ...(model_json !== undefined && { model_json }),
    ...(permissions_json !== undefined && { permissions_json }),
    ...(metadata && row && { metadata_json: withMembers(row.metadata_json, metadata) }),
  };
}

/** Refuses what could not be read back as it came; gives the one fact that lists look for. */
function checked(row: SessionRow): 0 | 1 {
  for (const name of ["agent", "title", "workspace_root"] as const) {
    keepable(row[name] ?? "", `the session's ${name}`);
  }
  if (row.model_json !== null) readJson(row.model_json, "the session's model_json");
  readJson(row.permissions_json, "the session's permissions_json");
  return readObject(row.metadata_json, "the session's metadata_json").ephemeral === true ? 1 : 0;
}

/** A loose row may carry more than the table has. */
function columnsOf(row: SessionRow) {
  return Object.fromEntries(SESSION_COLUMNS.map((name) => [name, row[name]]));
}

const ROLL_UP = `UPDATE chat_sessions SET
  prompt_tokens = counts.input, completion_tokens = counts.output,
  reasoning_tokens = counts.reasoning, cache_read = counts.read, cache_write = counts.written,
  total_tokens = counts.input + counts.output + counts.reasoning + counts.read + counts.written,
  cost_usd = counts.cost, updated_at = max(updated_at, :at)
FROM (
  SELECT
    coalesce(sum(usage_input) FILTER (WHERE hidden_at IS NULL), 0) AS input,
    coalesce(sum(usage_output) FILTER (WHERE hidden_at IS NULL), 0) AS output,
    coalesce(sum(usage_reasoning) FILTER (WHERE hidden_at IS NULL), 0) AS reasoning,
    coalesce(sum(usage_cache_read) FILTER (WHERE hidden_at IS NULL), 0) AS read,
    coalesce(sum(usage_cache_write) FILTER (WHERE hidden_at IS NULL), 0) AS written,
    coalesce(sum(cost_usd), 0) AS cost
  FROM chat_messages WHERE session_id = :id AND role = 'assistant'
) AS counts WHERE id = :id`;

/** Tokens of the messages that are visible, and the money of all: hiding refunds nothing. */
export function rollUp(sql: Sql, id: SessionId, at: number): void {
  sql.run(ROLL_UP, { id, at });
}

export function touch(sql: Sql, id: SessionId, at: number): void {
  const text = "UPDATE chat_sessions SET updated_at = max(updated_at, :at) WHERE id = :id";
  if (sql.run(text, { id, at }) === 0) throw StoreError.make("missing", { kind: "session", id });
}
