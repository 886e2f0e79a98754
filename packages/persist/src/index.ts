/** The public surface of `persist`: the port of a store, the embedded one, export and import. */
export { withMembers } from "./json-text.ts";
export type { BlobInfo, Blobs } from "./port/blobs.ts";
export type {
  Admission,
  Admitted,
  Disposition,
  Ending,
  HistoryQuery,
  Messages,
  MessageWithParts,
  NewMessage,
  NewPart,
  Parts,
  PartWrite,
  Rewind,
  StoredMessage,
  Unrewind,
} from "./port/messages.ts";
export type { Queue, QueueEdit, QueueMove } from "./port/queue.ts";
export type {
  LoweringRow,
  Lowerings,
  ManifestRow,
  Manifests,
  NewRequest,
  RequestRow,
  Requests,
  SharedText,
  SystemPrompts,
} from "./port/records.ts";
export type {
  NewSession,
  SessionPage,
  SessionPatch,
  SessionQuery,
  Sessions,
} from "./port/sessions.ts";
export { openSqliteStore, type SqliteOptions } from "./sqlite/open.ts";
export type { Store, Tables } from "./store.ts";
export { StoreError } from "./store-error.ts";
export { type ExportOptions, exportSession } from "./transfer/export.ts";
export {
  type ImportedFile,
  type ImportOptions,
  importSession,
  type Receipt,
} from "./transfer/import.ts";
export type { BlobRow, Line, TraceRow } from "./transfer/line.ts";
