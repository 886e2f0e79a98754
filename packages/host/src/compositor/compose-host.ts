/**
 * What composing may ask of this host about a workspace. It looks and does nothing: without `act`
 * and `shell`, host actions are recorded as not run and shell slots are placeholders.
 */
import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type {
  ComposeHost,
  ContextMention,
  MentionKind,
  MentionTarget,
  PathKind,
} from "@galley/compose";
import type { McpServers } from "../mcp/mcp-servers.ts";
import { reasonOf } from "../workspace/read-file.ts";
import { contains, resolveInside } from "../workspace/roots.ts";
import type { Samples } from "./context-samples.ts";
import type { Skill } from "./skill-files.ts";

/** What only the one who embeds the host knows: symbols, nodes, and kinds of its own. */
export interface MentionRegistry {
  /** Kinds and context tokens beyond those that every host has. */
  readonly adds?: {
    readonly kinds?: readonly MentionKind[];
    readonly contexts?: readonly ContextMention[];
  };
  find(kind: string, value: string): Promise<MentionTarget | undefined>;
  /** For a palette; nothing is offered when it is absent. */
  search?(query: string, limit: number): Promise<readonly MentionTarget[]>;
}

export type ComposeHostInput = {
  readonly workspace: string;
  readonly skills: readonly Skill[];
  readonly samples: Pick<Samples, "contextOf">;
  readonly registry?: MentionRegistry | undefined;
  readonly mcp?: Pick<McpServers, "prompt"> | undefined;
};

export function composeHost({
  workspace,
  skills,
  samples,
  registry,
  mcp,
}: ComposeHostInput): ComposeHost {
  return {
    kindOf: (path) => kindInside(workspace, path),
    async mention(kind, value) {
      if (kind !== "skill") return registry?.find(kind, value);
      const skill = skills.find(({ name }) => name === value);
      return skill && { kind, name: skill.name };
    },
    context: async (token) => samples.contextOf(token),
    ...(mcp && { mcpPrompt: (server, prompt, args) => mcp.prompt(server, prompt, args) }),
  };
}

/** Files here are the kernel's answers, devices or worse, also where the workspace is the root. */
const NEVER = ["/proc", "/sys", "/dev"];

/** A regular file or a directory inside the workspace, by a path from it; else undefined. */
export async function kindInside(workspace: string, path: string): Promise<PathKind | undefined> {
  // As it is typed, so it is stored: a message does not carry where the workspace lies.
  if (path === "" || isAbsolute(path)) return undefined;
  const inside = await resolveInside(workspace, path);
  if (!inside.ok || NEVER.some((folder) => contains(folder, inside.real))) return undefined;
  try {
    const stats = await stat(inside.real);
    if (stats.isDirectory()) return "directory";
    return stats.isFile() && !path.endsWith("/") ? "file" : undefined;
  } catch (error) {
    // Gone since it was resolved, or not to be looked at: nothing to be read either way.
    reasonOf(error);
    return undefined;
  }
}
