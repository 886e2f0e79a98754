/** From the flags that every command has to a pipeline that is ready to work. */
import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { loadSettings, type Settings } from "../config/settings.ts";
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

export async function openPipeline(
  flags: CommonFlags,
  io: Io,
  more: Pick<PipelineInput, "attachFrom" | "cwd"> = { attachFrom: "anywhere", cwd: io.cwd },
): Promise<Opened> {
  const workspace = await folderOf(flags.workspace, io.cwd);
  const home = homeOf(io.env);
  const settings = await loadSettings({
    workspace,
    home,
    env: io.env,
    configFile: flags.config === undefined ? undefined : resolve(io.cwd, flags.config),
    model: flags.model,
  });
  const warn = (line: string) => io.err(`galley: warning: ${line}`);
  for (const warning of settings.warnings) warn(warning);
  const pipeline = createPipeline({
    workspace,
    home,
    config: settings,
    env: io.env,
    fetch,
    now: Date.now,
    random: randomBytes,
    warn,
    // Not the account's: whoever clears the environment wants nothing of the person's in it.
    userHome: io.env.HOME || io.env.USERPROFILE || undefined,
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
