/**
 * A host: one database, one workspace, and everything that brings its sessions to life. It wires
 * the pieces together and owns none of them.
 */
import { mkdir } from "node:fs/promises";
import { idMinter, isGalleyError } from "@galley/parts";
import { openSqliteStore, type Store, type Tables } from "@galley/persist";
import type { LiveSessions } from "@galley/turn";
import type { Settings } from "../config/settings.ts";
import { calibrationPath, openCalibrationFile } from "../context/calibration-file.ts";
import { HostError } from "../host-error.ts";
import type { SessionBackend } from "../http/session-backend.ts";
import { createMcpServers, type McpServers } from "../mcp/mcp-servers.ts";
import { createPipeline, type PipelineInput } from "../pipeline/create-pipeline.ts";
import { defaultName, profileOf } from "../pipeline/models.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { type Rehearsing, rehearsing } from "../pipeline/rehearse.ts";
import { openTelemetry } from "../telemetry/open-telemetry.ts";
import { keepOwn } from "../workspace/own-files.ts";
import { databasePath, isForgotten, ownFiles } from "./database-path.ts";
import { endAll } from "./end-all.ts";
import { type HostInput, type WholeInput, wholeInput } from "./host-input.ts";
import { type HostLock, takeHostLock } from "./host-lock.ts";
import { hostTools } from "./host-tools.ts";
import { choiceOf } from "./model-name.ts";
import { type Served, type ServeInput, serving } from "./serve.ts";
import { createSubmit, type Submit } from "./submit.ts";
import { blobSweeper } from "./sweep-blobs.ts";
import { wireSessions } from "./wire-sessions.ts";
import { openWorkspaces, type Workspaces } from "./workspaces.ts";

export interface Host {
  readonly sessions: LiveSessions;
  readonly store: Store;
  readonly pipeline: Pipeline;
  readonly settings: Settings;
  readonly submit: Submit;
  /** What the routes of sessions are given. */
  readonly backend: SessionBackend;
  /** Closes what a dead process left running and goes on with the queues; called once. */
  start(): Promise<void>;
  /** Listens, and tells others on this machine where. */
  serve(input: ServeInput): Promise<Served>;
  /** Takes nothing more, waits so long for what runs, and ends everything; the second call waits too. */
  close(grace_ms?: number): Promise<void>;
}

const GRACE_MS = 5_000;

export async function createHost(input: HostInput): Promise<Host> {
  await mkdir(input.home, { recursive: true, mode: 0o700 });
  const path = await databasePath(input.db, input.home);
  const whole = await wholeInput(input);
  // Known before they are opened: whoever opened one meanwhile would end the locks on it.
  const forgetOwn = keepOwn(await ownFiles(path, input.home));
  let lock: HostLock | undefined;
  let store: Store | undefined;
  const end = async () => {
    await endAll([async () => store?.close(), async () => lock?.release()]);
    forgetOwn();
  };
  try {
    lock = isForgotten(path) ? undefined : await takeHostLock(path);
    store = await openSqliteStore({ path });
    const fence = await fenced(store, whole);
    return hostOver({ store, lock, fence, forgetOwn }, whole);
  } catch (error) {
    await end();
    throw error;
  }
}

/**
 * The lock is the kernel's, and can be lost without a word; what is written in the database cannot.
 * Whoever took it last begins turns, and everybody else finds that out before they begin one.
 */
async function fenced(store: Store, input: WholeInput): Promise<Held["fence"]> {
  const id = Buffer.from(input.random(16)).toString("hex");
  await store.queue.take(id, input.now());
  return async (tx) => {
    if ((await tx.queue.holder()) !== id) throw HostError.make("superseded", {});
  };
}

/** What a host has of its database. */
type Held = {
  readonly store: Store;
  readonly lock: HostLock | undefined;
  fence(tx: Tables): Promise<void>;
  forgetOwn(): void;
};

function hostOver({ store, lock, fence, forgetOwn }: Held, input: WholeInput): Host {
  const offline = input.offline ?? rehearsing();
  const mcp = createMcpServers(input);
  const report = (error: unknown): void => input.warn(sayError(error));
  const calibrations = openCalibrationFile({ path: calibrationPath(input.home), report });
  const workspaces = workspacesOf({ ...input, calibrations }, offline, mcp);
  const telemetry = openTelemetry(input);
  const tools = hostTools(store, input, mcp, () => sessions);
  const { tracer } = telemetry;
  const pieces = { store, workspaces, offline, tracer, report, fence, calibrations, ...tools };
  const sessions = wireSessions(pieces, input);
  const sweeper = blobSweeper({ store, report, now: () => input.now() });
  const backend = backendOf(store, sessions, workspaces, input);
  const server = serving({
    pipeline: workspaces.own,
    sessions: backend,
    lock,
    bodyBytes: input.settings.limits.message_bytes,
    warn: (line) => input.warn(line),
  });
  const close = (grace_ms: number): Promise<void> =>
    endAll([
      async () => sweeper.stop(),
      // Both take nothing more from here on, and each waits for what runs in it.
      () => Promise.all([server.close(), sessions.close(grace_ms)]),
      () => store.close(),
      () => workspaces.close(),
      () => calibrations.close(),
      () => mcp.close(),
      async () => (input.offline === undefined ? offline.close() : undefined),
      () => telemetry.close(),
      async () => lock?.release(),
      async () => forgetOwn(),
    ]);
  let closed: Promise<void> | undefined;
  return {
    sessions,
    store,
    backend,
    pipeline: workspaces.own,
    settings: input.settings,
    submit: backend.submit,
    async start() {
      await sessions.start();
      await sweeper.start();
    },
    serve: (at) => server.serve(at),
    close(grace_ms = GRACE_MS) {
      closed ??= close(grace_ms);
      return closed;
    },
  };
}

type Calibrated = Pick<PipelineInput, "calibrations">;

function workspacesOf(
  input: WholeInput & Calibrated,
  offline: Rehearsing,
  mcp: McpServers,
): Workspaces {
  const open = (workspace: string): Pipeline =>
    createPipeline({ ...input, workspace, config: input.settings, offline, mcp });
  const { workspace: root, attachFrom: reach } = input;
  return openWorkspaces({ root, reach, own: open(root), open });
}

function backendOf(
  store: Store,
  live: LiveSessions,
  workspaces: Workspaces,
  input: WholeInput,
): SessionBackend {
  const { settings, env } = input;
  const modelOf: SessionBackend["modelOf"] = (name) => {
    profileOf(name, settings);
    return choiceOf(name);
  };
  const now = (): number => input.now();
  const submit = createSubmit({
    store,
    live,
    settings,
    now,
    modelOf,
    mint: idMinter(input),
    defaultModel: () => choiceOf(defaultName(settings, env)),
    pipelineOf: ({ workspace_root }) => workspaces.pipelineOf(workspace_root),
  });
  return { store, live, submit, modelOf, now };
}

function sayError(error: unknown): string {
  if (isGalleyError(error)) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
