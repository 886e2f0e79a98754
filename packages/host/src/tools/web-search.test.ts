import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import { type TestContext, test } from "node:test";
import type { WebSearchConfig } from "../config/schema.ts";
import { placesIn } from "./test-places.ts";
import { type WebSearchPieces, webSearchTool } from "./web-search.ts";

async function searcher(
  t: TestContext,
  listener: RequestListener,
  over: Partial<WebSearchConfig> = {},
  calls = 0,
) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const stored = Array.from({ length: calls }, () => ({ type: "tool-web_search" }));
  const tool = webSearchTool({
    config: { url: `http://127.0.0.1:${port}/s?q={query}&format=json`, ...over },
    env: { KEY: "s3cret" },
    fetch,
    store: { parts: { toolCalls: async () => stored } } as unknown as WebSearchPieces["store"],
  });
  const here = await placesIn(t);
  return { tool, run: (input: object) => here.run(tool, input) };
}

const RESULTS = [
  { title: "One", url: "https://a.example.com", content: "about one", more: 1 },
  { title: 2, url: "https://b.example.com" },
];

test("results come with title, address and extract", async (t) => {
  const asked: string[] = [];
  const { run, tool } = await searcher(t, ({ url }, response) => {
    asked.push(url ?? "");
    response.end(JSON.stringify({ results: RESULTS }));
  });
  assert.deepEqual(await run({ query: "a & b/ü" }), {
    type: "output",
    data: {
      results: [
        { title: "One", url: "https://a.example.com", snippet: "about one" },
        { title: "", url: "https://b.example.com", snippet: "" },
      ],
    },
  });
  assert.deepEqual(asked, ["/s?q=a%20%26%20b%2F%C3%BC&format=json"]);
  const one = await run({ query: "a", max_results: 1 });
  assert.deepEqual(one.metadata, { truncated: true });
  assert.equal(tool.subject?.({ query: "a" }), "127.0.0.1");
});

test("where the parts of an answer are is configuration, and so is the key's header", async (t) => {
  const headers: unknown[] = [];
  const { run } = await searcher(
    t,
    (request, response) => {
      headers.push(request.headers["x-token"]);
      response.end(JSON.stringify({ web: { list: [{ n: { "a/b": "T" }, l: "u", d: "s" }] } }));
    },
    {
      api_key_env: "KEY",
      api_key_header: "X-Token",
      results: "/web/list",
      title: "/n/a~1b",
      link: "/l",
      snippet: "/d",
    },
  );
  assert.deepEqual(await run({ query: "a" }), {
    type: "output",
    data: { results: [{ title: "T", url: "u", snippet: "s" }] },
  });
  assert.deepEqual(headers, ["s3cret"]);
});

test("a search that does not work says why, without the key", async (t) => {
  const error = async (
    listener: RequestListener,
    over: Partial<WebSearchConfig> = {},
    calls = 0,
  ) => {
    const output = await (await searcher(t, listener, over, calls)).run({ query: "a" });
    return output.type === "error" ? output.error_text : "";
  };
  const say =
    (status: number, body: string): RequestListener =>
    (_, response) => {
      response.writeHead(status);
      response.end(body);
    };
  assert.equal(await error(say(500, "")), "the search answers with status 500");
  assert.equal(await error(say(200, "{}")), "the search's answer has no list at /results");
  assert.match(await error(say(200, "<html>")), /^the search failed: Unexpected token/);
  const away: RequestListener = ({ url }, response) => {
    if (url?.startsWith("/s")) response.writeHead(302, { location: "/elsewhere" });
    response.end('{"results":[]}');
  };
  assert.match(await error(away), /^the search failed/);
  assert.match(await error(say(200, `"${"a".repeat(3_000_000)}"`)), /more than 2097152 bytes/);
  assert.equal(
    await error(say(200, "{}"), { api_key_env: "NONE" }),
    "the search has no key: NONE is not set",
  );
  assert.equal(
    await error(say(200, '{"results":[]}'), {}, 25),
    "this session has searched 25 times, and that is the most",
  );
});
