/**
 * The servers' prompts as commands of the catalogue. A server is started for them only when somebody
 * looks at the commands, or types a name that no other command has.
 */
import {
  type Catalogue,
  type CommandEntry,
  type Draft,
  type Finding,
  type Note,
  promptCommand,
} from "@galley/compose";
import type { UserPart } from "@galley/parts";
import { plainName } from "@galley/shape";
import type { McpServers } from "./mcp-servers.ts";
import type { McpFinding } from "./server-config.ts";

/** Nobody who types waits longer for a list; those that come later are in the next one. */
const PATIENCE_MS = 3_000;

export async function promptCommands(
  servers: Pick<McpServers, "prompts">,
): Promise<readonly CommandEntry[]> {
  const { prompts } = await servers.prompts();
  return prompts.map(({ server, prompt }) => promptCommand(server, prompt));
}

/** For a palette: what is there soon, and who is not. */
export async function promptsSoon(
  servers: Pick<McpServers, "prompts" | "findings">,
): Promise<{ readonly entries: readonly CommandEntry[]; readonly findings: readonly Finding[] }> {
  const { prompts, late } = await servers.prompts(PATIENCE_MS);
  const entries = prompts.map(({ server, prompt }) => promptCommand(server, prompt));
  const slow = late.map(({ name, file }) => ({ server: name, file, says: "it is still starting" }));
  return { entries, findings: [...servers.findings(), ...slow].map(asFinding) };
}

const asFinding = ({ server, file, says, mend }: McpFinding): Finding => ({
  file,
  line: 1,
  severity: "warning",
  says: `mcp.servers.${plainName(server)}: ${says}`,
  fix: mend ?? "wait, and look again",
});

/** Whether a name in the draft may be a prompt's: a command that nobody else knows. */
export const namesUnknown = ({ parts }: Draft, catalogue: Catalogue): boolean =>
  parts.some((part) =>
    namesIn(part).some((name) => NAME.test(name) && catalogue.find(name) === undefined),
  );

/** What a command may look like; `usr/bin` and `*` do not. */
const NAME = /^[^/*\s]+$/u;

function namesIn(part: Draft["parts"][number]): readonly string[] {
  if (part.type === "command") return [String(part.id).replace(/^\//, "")];
  if (part.type !== "typed" || !("text" in part)) return [];
  return [...String(part.text).matchAll(/^\/(\S+)/gm)].flatMap(([, name]) => name ?? []);
}

/** Of a command that went unknown because its server is away: the person hears of the server. */
export function whyNoPrompt(parts: readonly UserPart[], findings: readonly McpFinding[]): Note[] {
  return parts.flatMap((part, index) => {
    const isPrompt = part.type === "command" && String(part.id).startsWith("/mcp:");
    if (!isPrompt || part.outcome !== "pass-through") return [];
    return findings.map(({ server, says }) => ({
      code: "unknown-command" as const,
      message: `the MCP server ${plainName(server)} cannot be asked: ${says}`,
      part: index,
    }));
  });
}
