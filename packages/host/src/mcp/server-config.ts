/**
 * Which MCP servers are configured, and which of them may be started.
 *
 * A table is one file's word as a whole: keys of two files are never mixed, because a project that
 * could change one argument of the user's server could change what it runs. A project's own server
 * is code that came with a checkout, so it counts only in a project that the user trusts.
 */
import type { McpServerConfig } from "../config/schema.ts";
import type { Scope, Settings } from "../config/settings.ts";

export type McpServer = {
  readonly name: string;
  readonly scope: Scope;
  readonly file: string;
  readonly reached:
    | {
        readonly by: "command";
        readonly command: string;
        readonly args: readonly string[];
        readonly env: Readonly<Record<string, string>>;
      }
    | {
        readonly by: "url";
        readonly url: string;
        readonly headers: Readonly<Record<string, string>>;
      };
  /** Of a start and of each request. */
  readonly timeoutMs: number;
};

/** What somebody has to hear of a server. */
export type McpFinding = {
  readonly server: string;
  /** The configuration that names it. */
  readonly file: string;
  readonly says: string;
  readonly mend?: string;
};

export type ConfiguredServers = {
  /** In the order of their names' first appearance, the strongest file first. */
  readonly servers: readonly McpServer[];
  /** Those that are named and not to be started. */
  readonly findings: readonly McpFinding[];
};

export const MCP_TIMEOUT_MS = 30_000;

export function configuredServers({ layers, projectTrusted }: Settings): ConfiguredServers {
  const servers = new Map<string, McpServer | undefined>();
  const findings: McpFinding[] = [];
  for (const { scope, file, config } of layers) {
    for (const [name, table] of Object.entries(config.mcp?.servers ?? {})) {
      if (scope === "project" && !projectTrusted) findings.push(untrusted(name, file));
      else if (!servers.has(name)) servers.set(name, serverOf(name, scope, file, table));
    }
  }
  return { servers: [...servers.values()].filter((server) => server !== undefined), findings };
}

/** Undefined for one that is switched off, which also hides a weaker file's. */
function serverOf(
  name: string,
  scope: Scope,
  file: string,
  table: McpServerConfig,
): McpServer | undefined {
  if (table.enabled === false) return undefined;
  const { timeout_ms: timeoutMs = MCP_TIMEOUT_MS } = table;
  if ("command" in table) {
    const { command, args = [], env = {} } = table;
    return { name, scope, file, reached: { by: "command", command, args, env }, timeoutMs };
  }
  const { url, headers = {} } = table;
  return { name, scope, file, reached: { by: "url", url, headers }, timeoutMs };
}

const untrusted = (server: string, file: string): McpFinding => ({
  server,
  file,
  says: "it came with the project, which is not trusted: it is not started",
  mend: "if you trust it, add the folder to trusted_projects in your own config.toml",
});

/** What its configuration holds that nobody else is to read, out of a text. */
export function withoutSecrets(text: string, { reached }: McpServer): string {
  const values =
    reached.by === "command"
      ? Object.values(reached.env)
      : [...Object.values(reached.headers), ...secretsIn(new URL(reached.url))];
  return values
    .flatMap((value) => [value, ...value.split(/\s+/)])
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .toSorted((one, other) => other.length - one.length)
    .reduce((said, secret) => said.replaceAll(secret, "***"), text);
}

/** Shorter values are words that stand in many texts. */
const SHORTEST_SECRET = 8;

const secretsIn = ({ username, password, search, searchParams }: URL): readonly string[] => [
  username,
  password,
  search,
  ...searchParams.values(),
];
