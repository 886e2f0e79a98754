/** `galley session …`: sessions as they are kept; nothing here starts a turn. */
import type { SessionId } from "@galley/parts";
import { plainName } from "@galley/shape";
import type { SessionAnswer } from "../client/answers.ts";
import type { Client } from "../client/create-client.ts";
import { readExport } from "./import-input.ts";
import { type Io, json } from "./io.ts";
import type { CommonFlags } from "./open-pipeline.ts";
import { printSession, timeOf } from "./print-session.ts";
import { table } from "./table.ts";
import { LOOKS_ONLY, withHost } from "./with-host.ts";

type Json = CommonFlags & { readonly json?: boolean };

export type ListFlags = Json & { readonly all?: boolean; readonly limit?: number };

export function listSessions(flags: ListFlags, io: Io): Promise<number> {
  return withHost(
    flags,
    io,
    async ({ client }) => {
      const sessions = await pages(client, flags);
      await io.out(flags.json ? json(sessions) : table(HEAD, sessions.map(cells)));
      return 0;
    },
    LOOKS_ONLY,
  );
}

const MOST_IN_PAGE = 500;
const USUAL = 50;

async function pages(client: Client, { all, limit = USUAL }: ListFlags): Promise<SessionAnswer[]> {
  const found: SessionAnswer[] = [];
  let cursor: string | undefined;
  do {
    const asked = {
      limit: Math.min(limit - found.length, MOST_IN_PAGE),
      ...(cursor && { cursor }),
    };
    const hidden = { include_archived: all === true, include_ephemeral: all === true };
    const page = await client.sessions.list({ ...asked, ...hidden });
    found.push(...page.sessions);
    cursor = page.next_cursor;
  } while (cursor !== undefined && found.length < limit);
  return found;
}

const HEAD = ["session", "used", "model", "title"];

const cells = ({ id, updated_at, model, title, archived_at }: SessionAnswer): string[] => [
  id,
  timeOf(updated_at),
  plainName(model ?? "default"),
  `${plainName(title ?? "")}${archived_at === null ? "" : " (archived)"}`,
];

export function showSession(id: SessionId, flags: Json, io: Io): Promise<number> {
  return withHost(
    flags,
    io,
    async ({ client }) => {
      const session = await client.sessions.get(id);
      const [status, messages, queue] = await Promise.all([
        client.status(id),
        client.messages.list(id),
        client.queue.list(id),
      ]);
      if (flags.json) await io.out(json({ session, status, messages, queue }));
      else await printSession({ session, status, messages, queue }, io);
      return 0;
    },
    LOOKS_ONLY,
  );
}

export type ArchiveFlags = Json & { readonly undo?: boolean };

export function archiveSession(id: SessionId, flags: ArchiveFlags, io: Io): Promise<number> {
  return withHost(flags, io, async ({ client }) => {
    const session = await client.sessions.patch(id, { archived: !flags.undo });
    if (flags.json) await io.out(json(session));
    return 0;
  });
}

export function deleteSession(id: SessionId, flags: CommonFlags, io: Io): Promise<number> {
  return withHost(flags, io, async ({ client }) => {
    await client.sessions.delete(id);
    return 0;
  });
}

/** To the byte as it is kept, on a terminal too: it is read by programs. */
export function exportSession(id: SessionId, flags: CommonFlags, io: Io): Promise<number> {
  return withHost(flags, io, async ({ client }) => {
    for await (const line of client.export(id)) await io.out(line);
    return 0;
  });
}

export async function importSession(
  file: string | undefined,
  flags: Json,
  io: Io,
): Promise<number> {
  // Before a host is opened: a file that is not there leaves no database behind.
  const bytes = await readExport(file, io);
  return withHost(flags, io, async ({ client }) => {
    const session = await client.import(bytes);
    for (const note of session.notes ?? []) io.err(`galley: note: ${note}`);
    await io.out(flags.json ? json(session) : `${session.id}\n`);
    return 0;
  });
}
