/** What can go wrong in a store, whichever one it is: each sentence says what to do. */
import { defineErrors } from "@galley/parts";

type At = { readonly path: string; readonly detail: string };

export const StoreError = defineErrors("store", {
  full: (data: At) =>
    `there is no room left for ${data.path} (${data.detail}); nothing was written. Free some space and try again`,
  busy: (data: At & { readonly waited_ms: number }) =>
    `another process kept ${data.path} locked for ${data.waited_ms} ms; nothing was written. Try again, or end the other process`,
  corrupt: (data: At) =>
    `${data.path} is damaged (${data.detail}). Put it aside with its -wal file, restore a backup or import an export, and check the disk`,
  "read-only": (data: At) =>
    `${data.path} cannot be written (${data.detail}); nothing was written. Make the file and its folder writable, or name another one`,
  "cannot-open": (data: At) =>
    `${data.path} cannot be opened (${data.detail}). Check that its folder exists and that it is a file`,
  io: (data: At) =>
    `reading or writing ${data.path} failed (${data.detail}); nothing was written. Check the disk and try again`,
  "too-big": (data: At) =>
    `one value is larger than ${data.path} can hold (${data.detail}); nothing was written. Send less at once`,
  newer: (data: { path: string; found: number; known: number }) =>
    `${data.path} has version ${data.found}, and this program knows versions up to ${data.known}; nothing was written. Update the program, or name another file`,
  foreign: (data: { path: string }) =>
    `${data.path} is a database of another program; nothing was written. Name another file`,
  conflict: (data: { id: string; detail: string }) => `${data.id} ${data.detail}`,
  missing: (data: { kind: string; id: string }) => `there is no ${data.kind} ${data.id}`,
  invalid: (data: { what: string; issue: string }) => `${data.what}: ${data.issue}`,
  "not-restorable": (data: { id: string }) =>
    `rewind ${data.id} cannot be undone now: the message it went back to is itself hidden by a later rewind. Undo that one first`,
  "inside-transaction": (_data: Readonly<Record<string, never>>) =>
    "the store was called inside its own transaction, which would wait for itself: use the tables that the transaction is given",
  "transaction-over": (_data: Readonly<Record<string, never>>) =>
    "the tables of a transaction were used after it ended: await every call inside it",
  closed: (_data: Readonly<Record<string, never>>) => "the store is closed",
  "import-refused": (data: { line: number; issue: string }) =>
    `line ${data.line}: ${data.issue}. Nothing was imported`,
});
