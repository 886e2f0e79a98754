/**
 * A host to talk to, for commands about sessions: the one that runs on the database, or else one in
 * this process for as long as the command takes. Either way the command speaks HTTP through the
 * typed client, so that there is one way in.
 *
 * A host in this process kicks no queues, and listens on loopback under the person's own token:
 * other commands find it like any host, and it stays until what they began has come to its end.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { SessionId } from "@galley/parts";
import { isLost } from "../client/client-error.ts";
import { type Client, createClient } from "../client/create-client.ts";
import type { Env, Settings } from "../config/settings.ts";
import { HostError } from "../host-error.ts";
import { createHost, type Host } from "../sessions/create-host.ts";
import { databasePath } from "../sessions/database-path.ts";
import { findHost } from "../sessions/host-lock.ts";
import { homeOf, type Io } from "./io.ts";
import {
  type CommonFlags,
  databaseOf,
  type ReadSettings,
  readSettings,
  userHomeOf,
} from "./open-pipeline.ts";
import { tokenOf } from "./token.ts";

export type Hosted = { readonly client: Client };

type Where = { readonly db: string; readonly home: string };

export type HostOptions = {
  /** Refuses before anything is opened here; a host that runs already checks for itself. */
  readonly check?: ((settings: Settings, env: Env) => void) | undefined;
  /** Whether the work may begin anew with another host when the one it had has gone. */
  readonly again?: (() => boolean) | undefined;
};

/** For work that only looks, and prints when it has seen everything. */
export const LOOKS_ONLY: HostOptions = { again: () => true };

export async function withHost<T>(
  flags: CommonFlags,
  io: Io,
  use: (hosted: Hosted) => Promise<T>,
  options: HostOptions = {},
): Promise<T> {
  const home = homeOf(io.env);
  const where = { home, db: await databasePath(databaseOf(flags, io), home) };
  for (let attempt = 1; ; attempt += 1) {
    const running = await runningHost(where, io);
    if (running) {
      try {
        return await use(running);
      } catch (error) {
        // The host of another command may close between two of our calls.
        if (attempt === TRIES || !isLost(error) || !options.again?.()) throw error;
        continue;
      }
    }
    const read = await readSettings(flags, io);
    options.check?.(read.settings, io.env);
    const host = await ownHost(read, where, io, attempt);
    if (host) return withOwnHost(host, where, io, use);
  }
}

const TRIES = 5;

/** A host that starts or closes has no address, or one that does not answer: it is waited for. */
const LOOKS = 100;
const LOOK_MS = 100;

async function runningHost({ db, home }: Where, io: Io): Promise<Hosted | undefined> {
  for (let look = 1; ; look += 1) {
    const state = await findHost(db);
    if (!state.runs) return undefined;
    const { address } = state;
    if (address && (await isReady(address.url))) {
      return { client: createClient({ url: address.url, token: await tokenOf(home, io.env) }) };
    }
    if (look === LOOKS) throw HostError.make("db_taken", { path: db, ...address });
    await sleep(LOOK_MS);
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`, { redirect: "error" })).ok;
  } catch {
    // Nobody answers there: it has gone, or is about to come.
    return false;
  }
}

/** Undefined when another process took the database in the meantime. */
async function ownHost(
  { workspace, settings }: ReadSettings,
  { db, home }: Where,
  io: Io,
  attempt: number,
): Promise<Host | undefined> {
  const userHome = userHomeOf(io.env);
  try {
    return await createHost({
      workspace,
      home,
      db,
      settings,
      env: io.env,
      warn: (line) => io.err(`galley: warning: ${line}`),
      cwd: io.cwd,
      attachFrom: "anywhere",
      ...(userHome !== undefined && { userHome }),
    });
  } catch (error) {
    if (attempt < TRIES && HostError.is(error, "db_taken")) return undefined;
    throw error;
  }
}

/** The person's own files come in whole: an export may hold many attachments. */
const OWN_BODY_BYTES = 512 * 1024 * 1024;

async function withOwnHost<T>(
  host: Host,
  { home }: Where,
  io: Io,
  use: (hosted: Hosted) => Promise<T>,
): Promise<T> {
  const rest = watchRest(host, io);
  try {
    const token = await tokenOf(home, io.env);
    const limits = { bodyBytes: OWN_BODY_BYTES };
    const { url } = await host.serve({ host: "127.0.0.1", port: 0, token, limits });
    const result = await use({ client: createClient({ url, token }) });
    await rest();
    return result;
  } finally {
    await host.close();
  }
}

/** Waits until nothing runs any more; an interrupt ends the waiting. */
function watchRest(host: Host, io: Io): () => Promise<void> {
  const working = new Set<SessionId>();
  let changed = () => {};
  host.sessions.listen((event) => {
    if (event.type !== "status-changed" && event.type !== "session-deleted") return;
    const state = event.type === "status-changed" ? event.status.state : "idle";
    if (state === "busy" || state === "retrying") working.add(event.session_id);
    else working.delete(event.session_id);
    changed();
  });
  return async () => {
    if (working.size === 0) return;
    io.err("galley: waiting for what else runs in this process; Ctrl-C leaves it");
    await new Promise<void>((done) => {
      const stop = io.onInterrupt(["SIGINT"], done);
      changed = () => {
        if (working.size > 0) return;
        stop();
        done();
      };
      changed();
    });
  };
}
