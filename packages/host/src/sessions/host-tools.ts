/** The tools that this host gives its sessions, and what they leave on the disk. */
import type { SessionId, SessionRow } from "@galley/parts";
import type { Store } from "@galley/persist";
import type { LiveSessions, ToolBox } from "@galley/turn";
import { toolSettings } from "../config/tool-settings.ts";
import type { McpServers } from "../mcp/mcp-servers.ts";
import { scratchFolders } from "../tools/scratch.ts";
import { createToolBox } from "../tools/toolbox.ts";
import type { WholeInput } from "./host-input.ts";
import { subagentsOn } from "./subagents.ts";

export type HostTools = {
  readonly tools: ToolBox;
  /** Why a skill cannot be loaded; undefined when it can. */
  skillProblem(session: SessionRow, name: string): Promise<string | undefined>;
  /** After a session is deleted. */
  forget(session: SessionId): Promise<void>;
};

export function hostTools(
  store: Store,
  input: WholeInput,
  mcp: McpServers,
  live: () => LiveSessions,
): HostTools {
  const { home, workspace, userHome, headless = false } = input;
  const forgetFiles = (session: SessionId): Promise<void> => scratchFolders(home).remove(session);
  if (input.tools) {
    // Whether an embedder's tools load skills, and which, nobody here can know.
    const skillProblem = async () => "this host loads no skills";
    return { tools: input.tools, skillProblem, forget: forgetFiles };
  }
  const settings = toolSettings(input.settings, input.env);
  for (const note of settings.notes) input.warn(note);
  const { beforeTool, fetch } = input;
  const tools = createToolBox({
    store,
    home,
    workspace,
    userHome,
    headless,
    settings,
    beforeTool,
    fetch,
    mcp,
    subagents: subagentsOn(store, input, live),
  });
  return {
    tools,
    skillProblem: (session, name) => tools.skillProblem(session, name),
    async forget(session) {
      tools.forget(session);
      await forgetFiles(session);
    },
  };
}
