/** From the flags that every command has to a pipeline that is ready to work. */
import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type Env, loadSettings, type Settings } from "../config/settings.ts";
import { HostError } from "../host-error.ts";
import { createPipeline, type PipelineInput } from "../pipeline/create-pipeline.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { reasonOf } from "../workspace/read-file.ts";
import { homeOf, type Io } from "./io.ts";

export type CommonFlags = {
  readonly workspace?: string;
  readonly config?: string;
  readonly model?: string;
  readonly db?: string;
};

export type Opened = {
  readonly pipeline: Pipeline;
  readonly settings: Settings;
  readonly home: string;
};

export type ReadSettings = {
  /** Absolute. */
  readonly workspace: string;
  readonly home: string;
  readonly settings: Settings;
};

export async function readSettings(flags: CommonFlags, io: Io): Promise<ReadSettings> {
  const workspace = await folderOf(flags.workspace, io.cwd);
  const home = homeOf(io.env);
  const settings = await loadSettings({
    workspace,
    home,
    env: io.env,
    configFile: flags.config === undefined ? undefined : resolve(io.cwd, flags.config),
    model: flags.model,
  });
  warn(settings.warnings, io);
  return { workspace, home, settings };
}

const warned = new WeakMap<Io, Set<string>>();

/** Each once, however often a command has to look. */
function warn(warnings: readonly string[], io: Io): void {
  const told = warned.get(io) ?? new Set();
  warned.set(io, told);
  for (const warning of warnings) {
    if (!told.has(warning)) io.err(`galley: warning: ${warning}`);
    told.add(warning);
  }
}

/** Not the account's: whoever clears the environment wants nothing of the person's in it. */
export const userHomeOf = (env: Env): string | undefined =>
  env.HOME || env.USERPROFILE || undefined;

/** `--db` as the person sees it; an address of another kind of store is told apart later. */
export const databaseOf = ({ db }: CommonFlags, { cwd }: Io): string | undefined =>
  db === undefined || db === ":memory:" || /^\w+:\/\//.test(db) ? db : resolve(cwd, db);

export async function openPipeline(
  flags: CommonFlags,
  io: Io,
  more: Pick<PipelineInput, "attachFrom" | "cwd"> = { attachFrom: "anywhere", cwd: io.cwd },
): Promise<Opened> {
  const { workspace, home, settings } = await readSettings(flags, io);
  const pipeline = createPipeline({
    workspace,
    home,
    config: settings,
    env: io.env,
    fetch,
    now: Date.now,
    random: randomBytes,
    warn: (line) => io.err(`galley: warning: ${line}`),
    userHome: userHomeOf(io.env),
    db: databaseOf(flags, io),
    ...more,
  });
  return { pipeline, settings, home };
}

async function folderOf(named: string | undefined, cwd: string): Promise<string> {
  const path = resolve(cwd, named ?? ".");
  const what = "workspace";
  try {
    if ((await stat(path)).isDirectory()) return path;
  } catch (error) {
    const reason = reasonOf(error).replace("no such file", "no such folder");
    throw HostError.make("unreadable", { what, path: named ?? path, reason }, { cause: error });
  }
  throw HostError.make("unreadable", { what, path: named ?? path, reason: "not a folder" });
}

/** Runs with a pipeline and ends it, whatever comes. */
export async function withPipeline<T>(
  flags: CommonFlags,
  io: Io,
  use: (opened: Opened) => Promise<T>,
): Promise<T> {
  const opened = await openPipeline(flags, io);
  try {
    return await use(opened);
  } finally {
    await opened.pipeline.close();
  }
}
