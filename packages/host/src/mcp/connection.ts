/**
 * One server from first use to last: started when it is first needed, started again after it broke
 * when it is needed and has had its rest, and never by a clock of its own.
 *
 * Only the first start is waited for by whoever lists; a server that broke keeps no turn waiting,
 * and what it offered stays listed, so that a call to it is told why it cannot be made.
 */
import { setTimeout as wait } from "node:timers/promises";
import { type Asked, notAsked } from "./asked.ts";
import { type Listing, listAll, NOTHING_LISTED } from "./listing.ts";
import type { ClientEvents, McpClient, OpenedClient } from "./open-client.ts";
import type { McpServer } from "./server-config.ts";

export type ConnectionInput = {
  readonly server: McpServer;
  open(server: McpServer, events: ClientEvents, signal: AbortSignal): Promise<OpenedClient>;
  /** Epoch ms. */
  now(): number;
  /** Told once for each thing that goes wrong. */
  report(says: string): void;
  readonly soonMs?: number;
};

export interface Connection {
  readonly server: McpServer;
  /**
   * What it offers, as far as is known. Its first start is waited for: `whole` to its end, else as
   * long as a turn may be kept waiting.
   */
  listing(waits?: "whole"): Promise<Listing>;
  ask(
    method: string,
    params: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<Asked>;
  /** Why it cannot be used now; undefined when it can, or was not needed yet. */
  problem(): string | undefined;
  close(): Promise<void>;
}

type State =
  | { readonly is: "idle" }
  | {
      readonly is: "starting";
      readonly done: Promise<void>;
      /** Of the first start: done, or long enough. */
      readonly soon: Promise<void> | undefined;
    }
  | { readonly is: "up"; readonly client: McpClient }
  | { readonly is: "down"; readonly reason: string; readonly at: number }
  | { readonly is: "closed" };

/** After the first failure, the second, and so on; the last holds for all later ones. */
const REST_MS = [1_000, 2_000, 5_000, 15_000, 60_000];
/** How long a turn waits for a server that it has not needed before. */
const SOON_MS = 10_000;
/** For a server that let a request pass: whether it is there at all. */
const PING_MS = 5_000;

export function createConnection(input: ConnectionInput): Connection {
  const { server, open, now, report, soonMs = SOON_MS } = input;
  let state: State = { is: "idle" };
  let failures = 0;
  let known: Listing = NOTHING_LISTED;
  let isStale = false;
  let told: ReadonlySet<string> = new Set();
  const endings = new Set<Promise<void>>();
  const stopping = new AbortController();

  function fail(reason: string): void {
    if (state.is === "closed") return;
    failures += 1;
    state = { is: "down", reason, at: now() };
    report(reason);
  }

  /** Closes without anybody waiting, except for the one who closes the whole. */
  function drop(client: McpClient): void {
    const ending = client.close().catch((error: unknown) => report(`it cannot be ended: ${error}`));
    endings.add(ending);
    void ending.finally(() => endings.delete(ending));
  }

  function start(): Extract<State, { is: "starting" }> {
    const isFirst = state.is === "idle";
    const done = startOnce();
    const starting = { is: "starting", done, soon: isFirst ? soonOf(done) : undefined } as const;
    state = starting;
    return starting;
  }

  async function soonOf(done: Promise<void>): Promise<void> {
    const clock = new AbortController();
    const late = wait(soonMs, true, clock).catch(() => false);
    const isLate = await Promise.race([done.then(() => false), late]);
    clock.abort();
    if (isLate) report("it takes long to start: what it offers is there when it has started");
  }

  async function startOnce(): Promise<void> {
    // Not before the state says that it starts.
    await Promise.resolve();
    let mine: McpClient | undefined;
    const events: ClientEvents = {
      gone: (reason) => {
        if (state.is === "up" && state.client === mine) fail(reason);
      },
      changed: () => {
        isStale = true;
      },
    };
    const opened = await open(server, events, stopping.signal);
    if (!opened.ok) return fail(opened.reason);
    mine = opened.client;
    const { client } = opened;
    const reason = await list(client);
    if (state.is === "closed") return drop(client);
    if (reason === undefined) {
      state = { is: "up", client };
      failures = 0;
    } else {
      fail(reason);
      drop(client);
    }
  }

  /** The reason when it cannot be listed. */
  async function list(client: McpClient): Promise<string | undefined> {
    isStale = false;
    const ask = (method: string, params: Readonly<Record<string, unknown>>) =>
      client.ask(method, params, server.timeoutMs, stopping.signal);
    const listed = await listAll(ask, client.offers);
    if (!listed.ok) return listed.reason;
    known = listed.listing;
    for (const each of known.left.filter((left) => !told.has(left))) report(each);
    told = new Set(known.left);
    return undefined;
  }

  const isRested = ({ at }: { readonly at: number }): boolean =>
    now() - at >= (REST_MS[Math.min(failures, REST_MS.length) - 1] ?? 0);

  function failUp(client: McpClient, reason: string): void {
    if (state.is !== "up" || state.client !== client) return;
    fail(reason);
    drop(client);
  }

  async function afterSilence(client: McpClient): Promise<void> {
    const answer = await client.ask("ping", {}, Math.min(PING_MS, server.timeoutMs));
    if (!answer.ok && answer.code === "timeout") failUp(client, "it does not answer any more");
  }

  /** The client to ask, started if need be; undefined when there is none. */
  async function client(): Promise<McpClient | undefined> {
    if (state.is === "idle" || (state.is === "down" && isRested(state))) await start().done;
    else if (state.is === "starting") await state.done;
    return state.is === "up" ? state.client : undefined;
  }

  const problem = (): string | undefined => {
    if (state.is === "closed") return "the host is ending";
    return state.is === "down" ? state.reason : undefined;
  };

  return {
    server,
    problem,
    async listing(waits) {
      const starting = state.is === "idle" ? start() : state;
      if (starting.is === "starting") {
        await (waits === "whole" && starting.soon ? starting.done : starting.soon);
      } else if (state.is === "down" && isRested(state)) start();
      else if (state.is === "up" && isStale) {
        const { client: current } = state;
        const reason = await list(current);
        if (reason !== undefined) failUp(current, reason);
      }
      return known;
    },
    async ask(method, params, signal) {
      const found = await client();
      if (signal?.aborted) return notAsked("stopped", "it was stopped");
      if (!found) return notAsked("unavailable", problem() ?? "it is not there");
      const asked = await found.ask(method, params, server.timeoutMs, signal);
      if (asked.ok) return asked;
      if (asked.code === "gone") failUp(found, asked.reason);
      if (asked.code === "timeout") void afterSilence(found);
      return asked;
    },
    async close() {
      const last = state;
      state = { is: "closed" };
      stopping.abort();
      if (last.is === "starting") await last.done;
      if (last.is === "up") drop(last.client);
      await Promise.all(endings);
    },
  };
}
