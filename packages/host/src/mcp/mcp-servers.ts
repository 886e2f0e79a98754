/**
 * The MCP servers of a host: their tools, their prompts, what is wrong with them. Nothing is started
 * before somebody needs it, and everything is ended with the host.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { ListedPrompt, PromptMessage, PromptResult } from "@galley/compose";
import { plainName } from "@galley/shape";
import type { Tool } from "@galley/turn";
import type { Env, Settings } from "../config/settings.ts";
import type { Scratch } from "../tools/scratch.ts";
import { type Connection, createConnection } from "./connection.ts";
import { isJson } from "./foreign-schema.ts";
import type { Listing } from "./listing.ts";
import { mcpTool } from "./mcp-tool.ts";
import { openClient } from "./open-client.ts";
import { configuredServers, type McpFinding, type McpServer } from "./server-config.ts";

export type McpServersInput = {
  readonly settings: Settings;
  /** Where servers of ours run. */
  readonly workspace: string;
  readonly env: Env;
  readonly fetch: typeof fetch;
  /** Epoch ms. */
  now(): number;
  /** Told, a line at a time, what goes wrong with a server. */
  warn(line: string): void;
};

export type ServerPrompts = {
  readonly prompts: readonly ServerPrompt[];
  /** Those that nobody waited for any longer. */
  readonly late: readonly McpServer[];
};

export type ServerPrompt = { readonly server: string; readonly prompt: ListedPrompt };

/** A server that may be started, after its first start. */
export type LookedAt = {
  readonly server: McpServer;
  readonly listing: Listing;
  readonly problem: string | undefined;
};

export interface McpServers {
  /** By server, then by name; the same array while nothing changes. */
  tools(scratch: Scratch): Promise<readonly Tool[]>;
  /** Of every server, or of those that are there within a time. */
  prompts(patienceMs?: number): Promise<ServerPrompts>;
  prompt(
    server: string,
    prompt: string,
    args: Readonly<Record<string, string>>,
  ): Promise<PromptResult>;
  /** Starts those that were not needed yet. */
  look(): Promise<readonly LookedAt[]>;
  /** Of servers that cannot be used as they are configured; starts nothing. */
  findings(): readonly McpFinding[];
  close(): Promise<void>;
}

export function createMcpServers(input: McpServersInput): McpServers {
  const { servers, findings: refused } = configuredServers(input.settings);
  const connections = servers.map((server) => connectionTo(server, input));
  const looked = (waits?: "whole"): Promise<readonly Looked[]> =>
    Promise.all(
      connections.map(async (connection) => ({
        connection,
        listing: await connection.listing(waits),
      })),
    );
  const toolsOf = toolMaker((line) => input.warn(line));
  return {
    tools: async (scratch) => toolsOf(await looked(), scratch),
    async prompts(patienceMs) {
      const all = await Promise.all(connections.map((each) => promptsOf(each, patienceMs)));
      return {
        prompts: all.flatMap((listed) => listed ?? []),
        late: servers.filter((_, nth) => all[nth] === undefined),
      };
    },
    async prompt(name, prompt, args) {
      const connection = connections.find(({ server }) => server.name === name);
      if (!connection) return { ok: false, code: "no-server", message: "it is not configured" };
      const asked = await connection.ask("prompts/get", { name: prompt, arguments: args });
      if (!asked.ok) return { ok: false, code: asked.code, message: asked.reason };
      return promptResult(asked.value.messages);
    },
    async look() {
      return (await looked("whole")).map(({ connection, listing }) => ({
        server: connection.server,
        listing,
        problem: connection.problem(),
      }));
    },
    findings: () => [...refused, ...connections.flatMap(findingsOf)],
    async close() {
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}

/** Undefined when it took too long. */
async function promptsOf(
  connection: Connection,
  patienceMs: number | undefined,
): Promise<readonly ServerPrompt[] | undefined> {
  const clock = new AbortController();
  const listed = connection.listing("whole");
  const listing = await (patienceMs === undefined
    ? listed
    : Promise.race([listed, wait(patienceMs, undefined, clock).catch(() => undefined)]));
  clock.abort();
  return listing?.prompts.map((prompt) => ({ server: connection.server.name, prompt }));
}

type Looked = { readonly connection: Connection; readonly listing: Listing };

function connectionTo(server: McpServer, input: McpServersInput): Connection {
  const { workspace: cwd, env, fetch } = input;
  return createConnection({
    server,
    open: (each, events, signal) => openClient(each, { cwd, env, fetch }, events, signal),
    now: () => input.now(),
    report: (says) => input.warn(`the MCP server ${plainName(server.name)}: ${says}`),
  });
}

function findingsOf(connection: Connection): McpFinding[] {
  const { name: server, file } = connection.server;
  const says = connection.problem();
  return says === undefined ? [] : [{ server, file, says, mend: "mend or remove its table" }];
}

/** What is listed the same gives the same tools, so that nobody has to compare them. */
function toolMaker(warn: (line: string) => void) {
  let last: { readonly of: readonly Looked[]; readonly tools: readonly Tool[] } | undefined;
  return (all: readonly Looked[], scratch: Scratch): readonly Tool[] => {
    const isSame = last?.of.every(({ listing }, nth) => listing === all[nth]?.listing);
    if (last !== undefined && isSame) return last.tools;
    const byName = new Map<string, Tool>();
    for (const { connection, listing } of all) {
      for (const listed of listing.tools.toSorted(byNameOrder)) {
        const tool = mcpTool(connection, listed, scratch);
        const { name } = tool.definition;
        if (!byName.has(name)) byName.set(name, tool);
        else warn(`two MCP tools come to the name ${name}: the first is used`);
      }
    }
    last = { of: all, tools: [...byName.values()] };
    return last.tools;
  };
}

const byNameOrder = ({ name: one }: { name: string }, { name: other }: { name: string }): number =>
  one < other ? -1 : one > other ? 1 : 0;

function promptResult(messages: unknown): PromptResult {
  if (!Array.isArray(messages) || messages.length === 0 || !messages.every(isJson)) {
    return { ok: false, code: "refused", message: "its answer holds no messages" };
  }
  return {
    ok: true,
    messages: messages.map(
      ({ role, content }): PromptMessage => ({
        role: role === "assistant" ? role : "user",
        content,
      }),
    ),
  };
}
