/** The bash tool over a workspace of its own, for its tests. It tests nothing itself. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ToolContext, ToolOutput } from "@galley/turn";
import { findSandbox, type SandboxSearch } from "../sandbox/find-sandbox.ts";
import type { Files } from "../testing/temp-folder.ts";
import { bashTool } from "./bash.ts";
import { BASH_LIMITS } from "./bash-settings.ts";
import type { PermissionRule } from "./permission.ts";
import { scratchFolders } from "./scratch.ts";
import { placesIn } from "./test-places.ts";

export type BashGiven = {
  readonly network?: boolean;
  readonly read?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly names?: readonly string[];
  readonly processes?: number;
  readonly memoryMb?: number;
  readonly scratchBytes?: number;
  readonly rules?: readonly PermissionRule[];
  /** The host's folder is this one of the workspace. */
  readonly homeInside?: string;
  readonly sandbox?: SandboxSearch;
};

export async function bashIn(
  t: Parameters<typeof placesIn>[0],
  files: Files,
  given: BashGiven = {},
) {
  const here = await placesIn(t, files, {}, given.scratchBytes);
  const home = given.homeInside ? join(here.root, given.homeInside) : here.home;
  await mkdir(home, { recursive: true });
  const scratch = given.homeInside ? scratchFolders(home) : here.scratch;
  const { network = false, read = [], env = {}, names = [], rules = [], sandbox } = given;
  const { memoryMb = BASH_LIMITS.memoryMb, processes = BASH_LIMITS.processes } = given;
  const tool = bashTool({
    places: { ...here.places, scratch },
    home,
    settings: { read, network, limits: { memoryMb, processes }, env: names, from: env },
    findSandbox: sandbox === undefined ? findSandbox : async () => sandbox,
    rulesOf: () => rules,
  });
  const run = (input: object, over?: Partial<ToolContext>): Promise<ToolOutput> =>
    here.run(tool, input, over);
  return {
    ...here,
    home,
    tool,
    run,
    /** What the model reads; the reason when it was refused. */
    async bash(command: string, more: object = {}): Promise<string> {
      const output = await run({ command, ...more });
      return output.type === "error" ? output.error_text : String(output.data);
    },
  };
}
