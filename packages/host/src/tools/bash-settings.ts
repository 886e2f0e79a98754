/** What a person has set for commands, and the environment that a command is given. */
import type { Env } from "../config/settings.ts";
import type { RunLimits, Sandbox } from "../sandbox/sandbox.ts";
import { contains } from "../workspace/roots.ts";

export type BashSettings = {
  /** Folders beside the system's own that a command may read; absolute. */
  readonly read: readonly string[];
  readonly network: boolean;
  readonly limits: Pick<RunLimits, "memoryMb" | "processes">;
  /** Names of variables that are handed on. */
  readonly env: readonly string[];
  /** Where they are looked up. */
  readonly from: Env;
};

export const BASH_LIMITS: BashSettings["limits"] = { memoryMb: 4096, processes: 1024 };

export const NO_BASH_SETTINGS: BashSettings = {
  read: [],
  network: false,
  limits: BASH_LIMITS,
  env: [],
  from: {},
};

const SYSTEM_PATH = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

/** Nothing of the host's own goes along unless it was named: its variables hold keys. */
export function commandEnv(
  { read, env, from }: BashSettings,
  { isContained }: Pick<Sandbox, "isContained">,
): Readonly<Record<string, string>> {
  const pick = (names: readonly string[]): Record<string, string> =>
    Object.fromEntries(
      names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])),
    );
  // Outside a sandbox it is the person's own shell, in their own home.
  const own = isContained ? {} : pick(["HOME", "USER", "LOGNAME", "TMPDIR"]);
  const places = (from.PATH ?? "").split(":").filter((place) => place.startsWith("/"));
  const reachable = isContained
    ? places.filter((place) => read.some((folder) => contains(folder, place)))
    : places;
  return {
    LANG: "C.UTF-8",
    TERM: "dumb",
    NO_COLOR: "1",
    ...own,
    ...pick(env),
    PATH: [...new Set([...reachable, ...SYSTEM_PATH])].join(":"),
  };
}
