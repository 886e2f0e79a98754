/**
 * All configuration that counts here, with where each value came from.
 *
 * Order: flag, environment, project file, user file, built-in. The layers stay apart, because a
 * project file comes with a checkout: what it says is followed, except where that would hand out a
 * key or run code, which takes a word from the user.
 */
import { realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { HostError } from "../host-error.ts";
import { type ReadConfig, readConfig } from "./read-config.ts";
import { type Config, DEFAULT_LIMITS } from "./schema.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** `chosen`: named on the command line, so by the user. */
export type Scope = "chosen" | "project" | "user";
export type Layer = { readonly scope: Scope; readonly file: string; readonly config: Config };

export type Settings = {
  /** Full name; undefined when nobody chose one. */
  readonly model: string | undefined;
  /** The strongest first. */
  readonly layers: readonly Layer[];
  readonly warnings: readonly string[];
  readonly looked: readonly { readonly file: string; readonly found: boolean }[];
  readonly projectTrusted: boolean;
  readonly limits: { readonly attachment_bytes: number; readonly message_bytes: number };
};

export type SettingsInput = {
  readonly workspace: string;
  readonly home: string;
  /** Instead of the project's and the user's file. */
  readonly configFile?: string | undefined;
  readonly model?: string | undefined;
  readonly env: Env;
};

export async function loadSettings(input: SettingsInput): Promise<Settings> {
  const read = await Promise.all(
    filesOf(input).map(async (each) => ({ ...each, read: await readConfig(each.file) })),
  );
  if (input.configFile !== undefined && !read[0]?.read) {
    const path = input.configFile;
    throw HostError.make("unreadable", { what: "configuration", path, reason: "no such file" });
  }
  const layers = read.flatMap(({ scope, file, read: found }) =>
    found ? [{ scope, file, config: found.config }] : [],
  );
  const first = <T>(pick: (config: Config) => T | undefined): T | undefined =>
    layers.map(({ config }) => pick(config)).find((value) => value !== undefined);
  return {
    model: input.model ?? (input.env.GALLEY_MODEL || undefined) ?? first(({ model }) => model),
    layers,
    warnings: read.flatMap(({ scope, file, read: found }) =>
      found ? warningsOf(scope, file, found) : [],
    ),
    looked: read.map(({ file, read: found }) => ({ file, found: found !== undefined })),
    projectTrusted: await isTrusted(input.workspace, layers),
    limits: {
      attachment_bytes:
        first(({ limits }) => limits?.attachment_bytes) ?? DEFAULT_LIMITS.attachment_bytes,
      message_bytes: first(({ limits }) => limits?.message_bytes) ?? DEFAULT_LIMITS.message_bytes,
    },
  };
}

function filesOf(
  input: SettingsInput,
): readonly { readonly scope: Scope; readonly file: string }[] {
  if (input.configFile !== undefined) return [{ scope: "chosen", file: resolve(input.configFile) }];
  return [
    { scope: "project", file: join(input.workspace, ".agents", "galley.toml") },
    { scope: "user", file: join(input.home, "config.toml") },
  ];
}

function warningsOf(scope: Scope, file: string, { config, warnings }: ReadConfig): string[] {
  if (scope !== "project" || config.trusted_projects === undefined) return [...warnings];
  return [...warnings, `${file}: trusted_projects counts only in your own configuration`];
}

async function isTrusted(workspace: string, layers: readonly Layer[]): Promise<boolean> {
  const trusted = layers.flatMap(({ scope, config }) =>
    scope === "project" ? [] : (config.trusted_projects ?? []),
  );
  if (trusted.length === 0) return false;
  const real = await realpath(workspace);
  return trusted.some((folder) => {
    const named = resolve(folder);
    return named === real || named === resolve(workspace);
  });
}

export type Sourced<T> = {
  readonly value: T;
  /** `env` for a variable, `built-in` for what we know ourselves. */
  readonly scope: Scope | "env" | "built-in";
  readonly file?: string;
};

/** The strongest layer's word on one thing, and whose word it is. */
export function pickSetting<T>(
  { layers }: Settings,
  pick: (config: Config) => T | undefined,
): Sourced<T> | undefined {
  for (const { scope, file, config } of layers) {
    const value = pick(config);
    if (value !== undefined) return { value, scope, file };
  }
  return undefined;
}

/** Tables by name; where both files have one, its keys are the stronger file's before the weaker's. */
export function mergeTables<T extends object>(
  { layers }: Settings,
  pick: (config: Config) => Readonly<Record<string, T>> | undefined,
): Readonly<Record<string, T>> {
  const merged = new Map<string, T>();
  for (const { config } of layers.toReversed()) {
    for (const [name, table] of Object.entries(pick(config) ?? {})) {
      merged.set(name, { ...merged.get(name), ...table });
    }
  }
  return Object.fromEntries(merged);
}
