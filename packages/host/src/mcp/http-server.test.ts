/** Servers that are reached by an address. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { getRequestListener } from "@hono/node-server";
import { Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { callingWith, errorOf, namesOf, textOutput } from "./testing/servers-in.ts";

type Cleaner = Parameters<typeof callingWith>[0];
type Handler = (request: Request) => Promise<Response>;

async function serving(t: Cleaner, handle: Handler): Promise<string> {
  const server = createServer(getRequestListener(handle));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function mcpHandler(t: Cleaner): Promise<Handler> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => "session-1",
  });
  const server = new Server({ name: "web", version: "1" }, { capabilities: { tools: {} } });
  server.fallbackRequestHandler = async ({ method, params = {} }) => {
    if (method === "tools/list")
      return { tools: [{ name: "echo", inputSchema: { type: "object" } }] };
    if (params.name !== "echo") throw new Error(`no ${method}`);
    return { content: [{ type: "text", text: JSON.stringify(params.arguments) }] };
  };
  await server.connect(transport);
  t.after(() => server.close());
  return (request) => transport.handleRequest(request);
}

const table = (url: string, more = ""): string =>
  `[mcp.servers.web]\nurl = ${JSON.stringify(url)}\nheaders = { Authorization = "Bearer key-123456" }\n${more}\n`;

test("a server at an address gets its headers, and its tools are called", async (t) => {
  const keys = new Set<string | null>();
  const handle = await mcpHandler(t);
  const url = await serving(t, async (request) => {
    keys.add(request.headers.get("authorization"));
    return handle(request);
  });
  const { toolsNow, call } = await callingWith(t, table(`${url}/mcp`));
  assert.deepEqual(namesOf(await toolsNow()), ["mcp__web__echo"]);
  assert.deepEqual(await call("mcp__web__echo", { a: 1 }), textOutput('{"a":1}'));
  assert.deepEqual([...keys], ["Bearer key-123456"]);
});

const ANSWERS: readonly (readonly [string, () => Response, RegExp])[] = [
  [
    "401",
    () => new Response("who?", { status: 401 }),
    /^it wants a login \(401\): give it an Authorization header/,
  ],
  ["500", () => new Response("key-123456 is bad", { status: 500 }), /\*\*\* is bad \(500\)$/],
  ["no JSON", () => new Response("<html>", { headers: { "content-type": "text/html" } }), /html/],
  [
    "an answer without an end",
    () =>
      new Response("x".repeat(33 * 1024 * 1024), {
        headers: { "content-type": "application/json" },
      }),
    /more than 33554432 bytes/,
  ],
];

for (const [name, answer, says] of ANSWERS) {
  test(`a server that answers with ${name} is a finding`, async (t) => {
    const url = await serving(t, async () => answer());
    const { servers, toolsNow } = await callingWith(t, table(url));
    assert.deepEqual(await toolsNow(), []);
    const [finding] = servers.findings();
    assert.match(finding?.says ?? "", says);
    assert.doesNotMatch(finding?.says ?? "", /key-123456/);
  });
}

test("a redirect to another place does not get the headers", async (t) => {
  let isReached = false;
  const other = await serving(t, async () => {
    isReached = true;
    return new Response("");
  });
  const url = await serving(t, async () => Response.redirect(other, 307));
  const { servers, toolsNow } = await callingWith(t, table(url));
  assert.deepEqual(await toolsNow(), []);
  assert.equal(servers.findings().length, 1);
  assert.equal(isReached, false);
});

test("a server that goes away is told in the call, and asked again after its rest", async (t) => {
  let handle = await mcpHandler(t);
  let isAway = false;
  const url = await serving(t, (request) =>
    isAway ? Promise.resolve(new Response("", { status: 503 })) : handle(request),
  );
  const { call, toolsNow, pass } = await callingWith(t, table(url));
  await toolsNow();
  isAway = true;
  assert.match(errorOf(await call("mcp__web__echo")), /^the MCP server web broke at echo: /);
  assert.match(errorOf(await call("mcp__web__echo")), /^the MCP server web is not available/);
  isAway = false;
  handle = await mcpHandler(t);
  pass(1_000);
  assert.deepEqual(await call("mcp__web__echo", {}), textOutput("{}"));
});
