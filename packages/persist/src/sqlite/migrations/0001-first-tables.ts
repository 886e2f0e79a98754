/** Version 1: the tables of a session, of what its turns leave behind, of memory and of skills. */
import type { Migration } from "../migrate.ts";

const SESSIONS = `
CREATE TABLE chat_sessions (
  id TEXT PRIMARY KEY NOT NULL,
  agent TEXT NOT NULL,
  title TEXT,
  workspace_root TEXT,
  model_json TEXT,
  parent_id TEXT,
  parent_message_id TEXT,
  permissions_json TEXT NOT NULL DEFAULT '[]',
  metadata_json TEXT NOT NULL DEFAULT '{}',
  prompt_tokens INTEGER NOT NULL DEFAULT 0,
  completion_tokens INTEGER NOT NULL DEFAULT 0,
  reasoning_tokens INTEGER NOT NULL DEFAULT 0,
  cache_read INTEGER NOT NULL DEFAULT 0,
  cache_write INTEGER NOT NULL DEFAULT 0,
  total_tokens INTEGER NOT NULL DEFAULT 0,
  cost_usd REAL NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  archived_at INTEGER,
  ephemeral INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX chat_sessions_recent ON chat_sessions (updated_at, id);
CREATE INDEX chat_sessions_shown ON chat_sessions (updated_at, id)
  WHERE archived_at IS NULL AND ephemeral = 0;
CREATE INDEX chat_sessions_workspace ON chat_sessions (workspace_root, updated_at, id);
CREATE INDEX chat_sessions_parent ON chat_sessions (parent_id, updated_at, id);
`;

const MESSAGES = `
CREATE TABLE chat_messages (
  id TEXT PRIMARY KEY NOT NULL,
  session_id TEXT NOT NULL REFERENCES chat_sessions (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'system')),
  seq INTEGER,
  metadata_json TEXT NOT NULL DEFAULT '{}',
  hidden_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  hidden_by TEXT,
  hidden_base TEXT,
  queue_order INTEGER,
  canceled_at INTEGER,
  disposition TEXT CHECK (disposition IN ('fired', 'queued', 'settled')),
  payload_sha256 TEXT,
  usage_input INTEGER NOT NULL DEFAULT 0,
  usage_output INTEGER NOT NULL DEFAULT 0,
  usage_reasoning INTEGER NOT NULL DEFAULT 0,
  usage_cache_read INTEGER NOT NULL DEFAULT 0,
  usage_cache_write INTEGER NOT NULL DEFAULT 0,
  cost_usd REAL NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX chat_messages_order ON chat_messages (session_id, seq);
CREATE UNIQUE INDEX chat_messages_queue ON chat_messages (session_id, queue_order)
  WHERE queue_order IS NOT NULL;
CREATE INDEX chat_messages_hidden ON chat_messages (session_id, hidden_by)
  WHERE hidden_by IS NOT NULL;
CREATE INDEX chat_messages_usage ON chat_messages (
  session_id, hidden_at, usage_input, usage_output, usage_reasoning, usage_cache_read,
  usage_cache_write, cost_usd
) WHERE role = 'assistant';

CREATE TABLE chat_parts (
  id TEXT PRIMARY KEY NOT NULL,
  message_id TEXT NOT NULL REFERENCES chat_messages (id) ON DELETE CASCADE,
  session_id TEXT NOT NULL,
  "index" INTEGER NOT NULL,
  type TEXT NOT NULL,
  data_json TEXT NOT NULL,
  tool_call_id TEXT,
  tool_state TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX chat_parts_order ON chat_parts (message_id, "index");
CREATE UNIQUE INDEX chat_parts_call ON chat_parts (message_id, tool_call_id)
  WHERE tool_call_id IS NOT NULL;
CREATE INDEX chat_parts_session ON chat_parts (session_id, tool_state);
`;

const BLOBS = `
CREATE TABLE blobs (
  content_id TEXT PRIMARY KEY NOT NULL,
  size INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  unclaimed INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE blob_refs (
  owner TEXT NOT NULL,
  content_id TEXT NOT NULL,
  session_id TEXT NOT NULL REFERENCES chat_sessions (id) ON DELETE CASCADE,
  PRIMARY KEY (owner, content_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_refs_content ON blob_refs (content_id);
CREATE INDEX blob_refs_session ON blob_refs (session_id, content_id);
`;

const RECORDS = `
CREATE TABLE system_prompts (
  digest TEXT PRIMARY KEY NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('system', 'tools', 'permissions')),
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE lowerings (
  message_id TEXT NOT NULL REFERENCES chat_messages (id) ON DELETE CASCADE,
  part INTEGER NOT NULL,
  session_id TEXT NOT NULL,
  record_json TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (message_id, part)
) STRICT;
CREATE INDEX lowerings_session ON lowerings (session_id);
CREATE TABLE manifests (
  session_id TEXT NOT NULL REFERENCES chat_sessions (id) ON DELETE CASCADE,
  turn INTEGER NOT NULL,
  round INTEGER NOT NULL,
  message_id TEXT,
  manifest_json TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (session_id, turn, round)
) STRICT;
CREATE TABLE requests (
  session_id TEXT NOT NULL REFERENCES chat_sessions (id) ON DELETE CASCADE,
  turn INTEGER NOT NULL,
  round INTEGER NOT NULL,
  message_id TEXT,
  model TEXT NOT NULL,
  method TEXT NOT NULL,
  url TEXT NOT NULL,
  headers_json TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  size INTEGER NOT NULL,
  body BLOB,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (session_id, turn, round)
) STRICT;
`;

const LATER = `
CREATE TABLE memories (
  scope TEXT NOT NULL CHECK (scope IN ('user', 'project')),
  project TEXT NOT NULL DEFAULT '',
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  type TEXT,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (scope, project, name)
) STRICT;
CREATE TABLE skills (
  name TEXT PRIMARY KEY NOT NULL,
  version INTEGER NOT NULL,
  description TEXT NOT NULL,
  skill_json TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE TABLE skill_artifacts (
  skill TEXT NOT NULL REFERENCES skills (name) ON DELETE CASCADE,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  kind TEXT NOT NULL,
  artifact_json TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (skill, id, version)
) STRICT;
CREATE TABLE skill_invocations (
  id TEXT PRIMARY KEY NOT NULL,
  session_id TEXT REFERENCES chat_sessions (id) ON DELETE CASCADE,
  message_id TEXT,
  skill TEXT NOT NULL,
  version INTEGER NOT NULL,
  invocation_json TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX skill_invocations_session ON skill_invocations (session_id);
`;

export const firstTables: Migration = {
  version: 1,
  up: (db) => db.exec([SESSIONS, MESSAGES, BLOBS, RECORDS, LATER].join("")),
};
