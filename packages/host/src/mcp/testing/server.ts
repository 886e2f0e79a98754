/**
 * A real MCP server for tests, run as a process: `node server.ts [MODE] [NUMBER]`. It offers tools
 * and prompts, and misbehaves when it is told to, at its start by its mode or at a call by a tool.
 */
import { spawn } from "node:child_process";
import process from "node:process";
import { Server } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { CALLS, PROMPTS, promptMessages, TOOLS } from "./offers.ts";

const [mode = "good", number = "0"] = process.argv.slice(2);

if (mode === "crash") {
  process.stderr.write("no configuration at /etc/nowhere\n");
  process.exit(3);
}
if (mode === "garbage") process.stdout.write("Starting up…\nListening on port 80\n");
if (mode === "flood")
  setInterval(() => process.stdout.write("noise ".repeat(10_000).concat("\n")), 1);
if (mode === "endless") process.stdout.write("x".repeat(17 * 1024 * 1024));
if (mode === "hang" || mode === "garbage" || mode === "flood" || mode === "endless") {
  process.stdin.resume();
  // Deaf to the end of its input and to the first signal.
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 1_000);
} else {
  await serve();
}

async function serve(): Promise<void> {
  const many = Array.from({ length: Number(number) }, (_, nth) => ({
    name: `tool_${nth}`,
    description: `Does the thing number ${nth}.`,
    inputSchema: { type: "object" as const },
  }));
  const offered = mode === "starter" ? [held()] : mode === "many" ? many : TOOLS;
  let isChanged = false;
  const capabilities = { tools: { listChanged: true }, prompts: { listChanged: true } };
  const server = new Server({ name: "test", version: "1" }, { capabilities });
  // Lists as they are: the registering server would mend what a broken one says.
  server.fallbackRequestHandler = async ({ method, params = {} }) => {
    switch (method) {
      case "tools/list":
        return pageOf([...offered, ...(isChanged ? [LATE] : [])], params);
      case "tools/call": {
        if (params.name === "change") {
          isChanged = true;
          await server.sendToolListChanged();
        }
        const call = CALLS[String(params.name)];
        return call
          ? await call((params.arguments ?? {}) as Record<string, unknown>)
          : said(params);
      }
      case "prompts/list":
        return { prompts: mode === "many" ? [] : PROMPTS };
      case "prompts/get":
        return promptMessages(params);
      default:
        throw new Error(`no method ${method}`);
    }
  };
  await server.connect(new StdioServerTransport());
}

/** As under a package runner: a child holds the pipes and is deaf. A tool's name tells which. */
function held() {
  const code = "process.on('SIGTERM',()=>{});setInterval(()=>{},1000)";
  const { pid } = spawn(process.execPath, ["-e", code], { stdio: "inherit" });
  return { name: `child_${pid}`, inputSchema: { type: "object" as const } };
}

const LATE = { name: "late", description: "Came later.", inputSchema: { type: "object" as const } };
const PAGE = 1_000;

function pageOf(tools: readonly object[], { cursor }: Record<string, unknown>) {
  const from = Number(cursor ?? 0);
  const next = from + PAGE;
  return {
    tools: tools.slice(from, next),
    ...(next < tools.length && { nextCursor: String(next) }),
  };
}

const said = (params: object) => ({ content: [{ type: "text", text: JSON.stringify(params) }] });
