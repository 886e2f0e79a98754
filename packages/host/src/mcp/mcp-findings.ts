/** What the doctor says of MCP servers: which are there, what they offer, what keeps them away. */
import { plainName } from "@galley/shape";
import type { Finding } from "../pipeline/pipeline.ts";
import type { LookedAt, McpServers } from "./mcp-servers.ts";
import type { McpFinding } from "./server-config.ts";

/** Starts every server that may be started: whether one works is known only then. */
export async function mcpFindings(servers: McpServers): Promise<readonly Finding[]> {
  const looked = await servers.look();
  const working = looked.filter(({ problem }) => problem === undefined);
  return [...servers.findings().map(trouble), ...working.flatMap(report)];
}

const nameOf = (server: string): string => `mcp ${plainName(server)}`;

const trouble = ({ server, says, mend }: McpFinding): Finding => ({
  name: nameOf(server),
  status: "warning",
  says,
  ...(mend !== undefined && { mend }),
});

function report({ server, listing }: LookedAt): Finding[] {
  const { tools, prompts, left } = listing;
  const name = nameOf(server.name);
  return [
    { name, status: "ok", says: `answers: ${tools.length} tools, ${prompts.length} prompts` },
    ...left.map((says): Finding => ({ name, status: "warning", says })),
  ];
}
