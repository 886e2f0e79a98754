/** Real servers over the test server's process, for tests. They test nothing themselves. */
import assert from "node:assert/strict";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Tool, ToolOutput } from "@galley/turn";
import { loadSettings, type Settings } from "../../config/settings.ts";
import { type Files, tempFolder } from "../../testing/temp-folder.ts";
import { scratchFolders } from "../../tools/scratch.ts";
import { sessionIn } from "../../tools/test-places.ts";
import { createMcpServers, type McpServers } from "../mcp-servers.ts";

type Cleaner = Parameters<typeof tempFolder>[0];

const SERVER = fileURLToPath(new URL("./server.ts", import.meta.url));

/** A table of the configuration that starts the test server. */
export function serverTable(name: string, args: readonly string[] = [], more = ""): string {
  const command = JSON.stringify(process.execPath);
  return `[mcp.servers.${JSON.stringify(name)}]\ncommand = ${command}\nargs = ${JSON.stringify([SERVER, ...args])}\n${more}\n`;
}

/** Settings of a user who configured it. */
export async function settingsWith(t: Cleaner, toml: string, project: Files = {}) {
  const workspace = await tempFolder(t, project);
  const home = await tempFolder(t, { "config.toml": toml });
  return { workspace, home, settings: await loadSettings({ workspace, home, env: {} }) };
}

export type TestServers = {
  readonly servers: McpServers;
  readonly settings: Settings;
  readonly workspace: string;
  readonly home: string;
  readonly warned: string[];
  /** Sets the clock on. */
  pass(ms: number): void;
};

export async function serversWith(t: Cleaner, toml: string): Promise<TestServers> {
  const { workspace, home, settings } = await settingsWith(t, toml);
  const warned: string[] = [];
  let now = 1_700_000_000_000;
  const servers = createMcpServers({
    settings,
    workspace,
    env: { PATH: process.env.PATH, ANTHROPIC_API_KEY: "sk-secret-of-the-host" },
    fetch,
    now: () => now,
    warn: (line) => warned.push(line),
  });
  t.after(() => servers.close());
  const pass = (ms: number): void => {
    now += ms;
  };
  return { servers, settings, workspace, home, warned, pass };
}

/** The same, with a session that calls their tools. */
export async function callingWith(t: Cleaner, toml = serverTable("test")) {
  const made = await serversWith(t, toml);
  const scratch = scratchFolders(made.home);
  const toolsNow = () => made.servers.tools(scratch);
  async function call(name: string, input: unknown = {}, signal = new AbortController().signal) {
    const tool = (await toolsNow()).find(({ definition }) => definition.name === name);
    assert.ok(tool, name);
    const session = sessionIn(made.workspace);
    return tool.run(input, { session, message_id: "msg_1", tool_call_id: `call_${name}`, signal });
  }
  return { ...made, scratch, toolsNow, call };
}

export const namesOf = (tools: readonly Tool[]): string[] =>
  tools.map(({ definition }) => definition.name);

export const textOutput = (text: string): ToolOutput => ({
  type: "output",
  data: { content: [{ type: "text", text }] },
});

export const errorOf = (output: ToolOutput): string =>
  output.type === "error" ? output.error_text : assert.fail(JSON.stringify(output));

type Item = { readonly type: string; readonly text: string };

export const contentOf = (output: ToolOutput): readonly Item[] =>
  output.type === "output"
    ? (output.data as { content: readonly Item[] }).content
    : assert.fail(output.error_text);
