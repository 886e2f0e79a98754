/** What a host is made of, for whoever embeds one, and what stands where nothing was said. */
import { randomBytes } from "node:crypto";
import { DEFAULT_TURN_LIMITS, type ToolBox, type Tracer, type TurnLimits } from "@galley/turn";
import type { MentionRegistry } from "../compositor/compose-host.ts";
import { type Env, loadSettings, type Settings } from "../config/settings.ts";
import type { Rehearsing } from "../pipeline/rehearse.ts";
import type { BeforeTool } from "../tools/toolbox.ts";

export type HostInput = {
  /** Absolute: the folder that sessions work in. */
  readonly workspace: string;
  /** Absolute: holds the database, the token and the scratch folders. */
  readonly home: string;
  /** A file or `:memory:`; `galley.db` in `home` when absent. */
  readonly db?: string | undefined;
  /** Read from the workspace and the home folder when absent. */
  readonly settings?: Settings;
  /** Where keys and addresses are looked up; nothing of the process's own when absent. */
  readonly env?: Env;
  readonly fetch?: typeof fetch;
  /** Epoch ms. */
  readonly now?: () => number;
  readonly random?: (count: number) => Uint8Array;
  /** Told, a line at a time, what went wrong beside everything else. */
  readonly warn?: (line: string) => void;
  readonly limits?: Partial<TurnLimits>;
  readonly tracer?: Tracer;
  /** Nobody is there to be asked: what would ask is refused. */
  readonly headless?: boolean;
  /** A subagent may ask the person, in its own session; otherwise what it asks is refused. */
  readonly subagentsMayAsk?: boolean;
  /** The person's own folder, for their commands and skills; without it there are none. */
  readonly userHome?: string | undefined;
  /** Where the person is; the workspace when absent. */
  readonly cwd?: string;
  /** `anywhere` where whoever names a file is the one whose files they are. */
  readonly attachFrom?: "anywhere" | "workspace";
  readonly mentions?: MentionRegistry;
  /** Asked before every call of the kit's own tools; what it says counts before any rule but an agent's denial. */
  readonly beforeTool?: BeforeTool;
  /** Instead of the kit's own tools. */
  readonly tools?: ToolBox;
  /** Instead of the offline model that is built in; its owner ends it. */
  readonly offline?: Rehearsing;
};

/** With everything that has a default. */
export type WholeInput = HostInput & {
  readonly settings: Settings;
  readonly env: Env;
  readonly fetch: typeof fetch;
  now(): number;
  random(count: number): Uint8Array;
  warn(line: string): void;
  readonly limits: TurnLimits;
  readonly attachFrom: "anywhere" | "workspace";
};

export async function wholeInput(input: HostInput): Promise<WholeInput> {
  const { workspace, home, env = {}, warn = () => undefined } = input;
  const settings = input.settings ?? (await loadSettings({ workspace, home, env }));
  // Whoever brings settings of their own has told.
  if (input.settings === undefined) for (const line of settings.warnings) warn(line);
  return {
    ...input,
    env,
    settings,
    fetch: input.fetch ?? fetch,
    now: input.now ?? Date.now,
    random: input.random ?? randomBytes,
    warn,
    limits: { ...DEFAULT_TURN_LIMITS, ...input.limits },
    attachFrom: input.attachFrom ?? "workspace",
  };
}
