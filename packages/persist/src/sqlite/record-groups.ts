/** Lowerings, manifests, requests and shared texts on SQLite. */
import { keepable, readJson } from "../json-text.ts";
import type {
  LoweringRow,
  Lowerings,
  ManifestRow,
  Manifests,
  RequestRow,
  Requests,
  SharedText,
  SystemPrompts,
} from "../port/records.ts";
import { StoreError } from "../store-error.ts";
import { hold } from "./blob-refs.ts";
import type { Group } from "./group.ts";
import { sha256 } from "./sha256.ts";
import type { Sql } from "./sql.ts";

const LOWERING = "message_id, part, session_id, record_json, created_at";
const KEEP_LOWERING = `INSERT INTO lowerings (${LOWERING})
  SELECT id, :part, session_id, :record_json, :created_at FROM chat_messages
  WHERE id = :message_id AND session_id = :session_id
  ON CONFLICT DO NOTHING`;

export function loweringGroup(sql: Sql): Group<Lowerings> {
  const find = (message_id: string, part: number) =>
    sql.get<LoweringRow>(
      `SELECT ${LOWERING} FROM lowerings WHERE message_id = :message_id AND part = :part`,
      { message_id, part },
    );
  return {
    steps: {
      keep: (row) => {
        readJson(row.record_json, "a lowering record");
        if (sql.run(KEEP_LOWERING, row) > 0) {
          hold(sql, `${row.message_id}#${row.part}`, row.session_id, row.record_json);
        }
        const kept = find(row.message_id, row.part);
        if (!kept) throw StoreError.make("missing", { kind: "message", id: row.message_id });
        return kept;
      },
      ofMessage: (id) =>
        sql.all<LoweringRow>(
          `SELECT ${LOWERING} FROM lowerings WHERE message_id = :id ORDER BY part`,
          { id },
        ),
      ofSession: (id) =>
        sql.all<LoweringRow>(
          `SELECT ${LOWERING} FROM lowerings WHERE session_id = :id ORDER BY message_id, part`,
          { id },
        ),
    },
    modes: { keep: "write", ofMessage: "read", ofSession: "read" },
  };
}

const MANIFEST = ["session_id", "turn", "round", "message_id", "manifest_json", "created_at"];

export function manifestGroup(sql: Sql): Group<Manifests> {
  return {
    steps: {
      put: (row) => {
        readJson(row.manifest_json, "a manifest");
        sql.run(replace("manifests", MANIFEST), row);
      },
      list: (session, turn) =>
        sql.all<ManifestRow>(rounds("manifests", MANIFEST, turn), { session, turn: turn ?? null }),
      lastTurn: (session) =>
        sql.get<{ turn: number }>(
          "SELECT coalesce(max(turn), 0) AS turn FROM manifests WHERE session_id = :session",
          { session },
        )?.turn ?? 0,
    },
    modes: { put: "write", list: "read", lastTurn: "read" },
  };
}

const REQUEST = [
  "session_id",
  "turn",
  "round",
  "message_id",
  "model",
  "method",
  "url",
  "headers_json",
  "sha256",
  "size",
  "created_at",
] as const satisfies readonly (keyof RequestRow)[];

const BODY = `SELECT body FROM requests
  WHERE session_id = :session AND turn = :turn AND round = :round`;

export function requestGroup(sql: Sql): Group<Requests> {
  function write(row: RequestRow, body: Uint8Array | null) {
    readJson(row.headers_json, "a request's headers_json");
    sql.run(replace("requests", [...REQUEST, "body"]), { ...row, body });
  }
  return {
    steps: {
      put: ({ keep = "bytes", body, ...request }) => {
        const row = { ...request, sha256: sha256(body), size: body.length };
        write(row, keep === "bytes" ? body : null);
        return row;
      },
      list: (session, turn) =>
        sql.all<RequestRow>(rounds("requests", REQUEST, turn), { session, turn: turn ?? null }),
      body: (session, turn, round) =>
        sql.get<{ body: Uint8Array | null }>(BODY, { session, turn, round })?.body ?? undefined,
      restore: (row, body) => {
        if (body && sha256(body) !== row.sha256) {
          const issue = "its bytes do not have the hash that stands beside them";
          throw StoreError.make("invalid", { what: `request ${row.turn}.${row.round}`, issue });
        }
        write(row, body ?? null);
      },
    },
    modes: { put: "write", list: "read", body: "read", restore: "write" },
  };
}

export function systemPromptGroup(sql: Sql): Group<SystemPrompts> {
  return {
    steps: {
      keep: ({ kind, body, at }) => {
        const digest = sha256(keepable(body, "a system prompt"));
        sql.run(
          `INSERT INTO system_prompts (digest, kind, body, created_at)
            VALUES (:digest, :kind, :body, :at) ON CONFLICT DO NOTHING`,
          { digest, kind, body, at },
        );
        return digest;
      },
      get: (digest) =>
        sql.get<SharedText>(
          "SELECT digest, kind, body, created_at FROM system_prompts WHERE digest = :digest",
          { digest },
        ),
    },
    modes: { keep: "write", get: "read" },
  };
}

const replace = (table: string, columns: readonly string[]) =>
  `INSERT OR REPLACE INTO ${table} (${columns.join(", ")})
    VALUES (${columns.map((name) => `:${name}`).join(", ")})`;

const rounds = (table: string, columns: readonly string[], turn: number | undefined) =>
  `SELECT ${columns.join(", ")} FROM ${table} WHERE session_id = :session
    ${turn === undefined ? "" : "AND turn = :turn"} ORDER BY turn, round`;
