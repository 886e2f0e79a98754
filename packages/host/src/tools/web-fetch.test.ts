/** Real requests to servers on this machine: names and addresses are the test's own. */
import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { LookupFunction } from "node:net";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { placesIn } from "./test-places.ts";
import { webFetchTool } from "./web-fetch.ts";
import { PUBLIC_WEB, type Resolver, type WebLimits } from "./web-request.ts";

/** Every name is this machine, which is allowed for once. */
const HERE: Resolver = {
  lookup: ((_name, _options, back) =>
    back(null, [{ address: "127.0.0.1", family: 4 }])) as LookupFunction,
  isAllowed: (address) => address === "127.0.0.1",
};

const LIMITS: WebLimits = { bodyBytes: 5 * 1024 * 1024, timeMs: 20_000 };

type Given = {
  readonly resolver?: Resolver;
  readonly allowed?: readonly string[];
  readonly limits?: Partial<WebLimits>;
};

async function fetcher(t: TestContext, listener: RequestListener, given: Given = {}) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const here = await placesIn(t);
  const { resolver = HERE, allowed = [], limits = {} } = given;
  const tool = webFetchTool({
    scratch: here.scratch,
    resolver,
    limits: { ...LIMITS, ...limits },
    isAllowedHost: (_, host) => allowed.includes(host),
  });
  const get = (path: string, host = "a.test"): Promise<string> =>
    here.text(tool, { url: path.includes("://") ? path : `http://${host}:${port}${path}` });
  return { ...here, tool, get, port };
}

const html = { "content-type": "text/html; charset=utf-8" };

test("a page comes as text, with its title and absolute links", async (t) => {
  const { get, port } = await fetcher(t, (_, response) => {
    response.writeHead(200, html);
    response.end('<title>T</title><h1>Hi</h1><a href="/x">x</a>');
  });
  assert.equal(
    await get("/a"),
    `Page http://a.test:${port}/a (title: T):\n\`\`\`\n# Hi\n\n[x](http://a.test:${port}/x)\n\`\`\``,
  );
});

test("other text comes as it is, by its own charset, and unpacked", async (t) => {
  const { get, port } = await fetcher(t, ({ url }, response) => {
    if (url === "/json") {
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"a":1}');
    } else if (url === "/latin") {
      response.writeHead(200, { "content-type": "text/plain; charset=iso-8859-1" });
      response.end(Buffer.from([0xe9]));
    } else {
      response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" });
      response.end(gzipSync("packed"));
    }
  });
  const page = (path: string, text: string) =>
    `Page http://a.test:${port}${path}:\n\`\`\`\n${text}\n\`\`\``;
  assert.equal(await get("/json"), page("/json", '{"a":1}'));
  assert.equal(await get("/latin"), page("/latin", "é"));
  assert.equal(await get("/gzip"), page("/gzip", "packed"));
});

test("what is not text is kept for the tool that opens it", async (t) => {
  const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
  const { get } = await fetcher(t, (_, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    response.end(png);
  });
  assert.equal(
    await get("/dir/cat.png"),
    "[page: cat.png, image/png, 16 bytes; content not shown: not text; it is kept as scratch:output/call_1.png; the view_image tool shows it]",
  );
});

test("a long text is cut, and all of it is in a file", async (t) => {
  const here = await fetcher(t, (_, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    response.end("0123456789".repeat(30_000));
  });
  const url = `http://a.test:${here.port}/`;
  const output = await here.run(here.tool, { url });
  assert.deepEqual(output.metadata, { truncated: true, output_path: "scratch:output/call_1.txt" });
});

test("a body that is too large or packed to burst is cut at the bound", async (t) => {
  const { get } = await fetcher(
    t,
    (_, response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" });
      response.end(gzipSync(Buffer.alloc(50_000_000, "a")));
    },
    { limits: { bodyBytes: 1000 } },
  );
  const said = await get("/");
  assert.match(said, /only the first 1000 bytes were fetched/);
  assert.equal(said.match(/a{900,}/)?.[0].length, 1000);
});

test("a body without an end is cut too", async (t) => {
  const { get } = await fetcher(
    t,
    (_, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const more = (): unknown => response.write("a".repeat(1000)) && setImmediate(more);
      response.on("drain", more);
      more();
    },
    { limits: { bodyBytes: 1000 } },
  );
  assert.match(await get("/"), /only the first 1000 bytes were fetched/);
});

test("a private address is refused, as an address, as a name and after a redirect", async (t) => {
  let calls = 0;
  const listener: RequestListener = (_, response) => {
    calls += 1;
    response.end("in");
  };
  const closed = await fetcher(t, listener, { resolver: PUBLIC_WEB });
  const { port } = closed;
  const hosts = ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]"];
  for (const host of hosts) {
    const said = await closed.get(`http://${host}:${port}/`);
    assert.match(said, /its address is not a public one/, host);
  }
  const mixed: Resolver = {
    ...PUBLIC_WEB,
    lookup: ((_name, _options, back) =>
      back(null, [
        { address: "8.8.8.8", family: 4 },
        { address: "127.0.0.1", family: 4 },
      ])) as LookupFunction,
  };
  const rebound = await fetcher(t, listener, { resolver: mixed });
  assert.match(await rebound.get("/"), /its address is not a public one/);
  assert.equal(calls, 0);
  const away = await fetcher(
    t,
    (_, response) => {
      response.writeHead(302, { location: `http://169.254.169.254/latest` });
      response.end();
    },
    { allowed: ["169.254.169.254"] },
  );
  assert.match(await away.get("/"), /169\.254\.169\.254\/latest: its address is not a public one/);
});

test("a redirect is followed on its host, and elsewhere only where a rule allows it", async (t) => {
  const listener: RequestListener = ({ url, headers }, response) => {
    const port = headers.host?.split(":")[1];
    if (url === "/here") response.writeHead(301, { location: "/end" });
    else if (url === "/away") response.writeHead(302, { location: `http://b.test:${port}/end` });
    else if (url === "/loop") response.writeHead(302, { location: "/loop" });
    else if (url === "/file") response.writeHead(302, { location: "file:///etc/passwd" });
    else response.writeHead(200, { "content-type": "text/plain" });
    response.end(url === "/end" ? `end of ${headers.host?.split(":")[0]}` : "");
  };
  const { get, port } = await fetcher(t, listener);
  assert.match(await get("/here"), /end of a\.test/);
  assert.equal(
    await get("/away"),
    `http://a.test:${port}/away sends on to http://b.test:${port}/end: fetch that if it is wanted`,
  );
  assert.match(await get("/loop"), /it sends on more than 5 times/);
  assert.match(await get("/file"), /sends on to file:\/\/\/etc\/passwd/);
  const open = await fetcher(t, listener, { allowed: ["b.test"] });
  assert.match(await open.get("/away"), /end of b\.test/);
});

test("only pages of the web are fetched, and a failure is told", async (t) => {
  const { get } = await fetcher(
    t,
    ({ url }, response) => {
      if (url === "/hang") return;
      response.writeHead(404);
      response.end();
    },
    { limits: { timeMs: 300 } },
  );
  assert.equal(await get("file:///etc/passwd"), "cannot fetch: only http and https are fetched");
  assert.equal(await get("ftp://a.test/"), "cannot fetch: only http and https are fetched");
  assert.equal(await get("no://[address"), "cannot fetch: this is no address");
  assert.match(await get("http://u:p@a.test/"), /an address with a name or password is not/);
  assert.match(await get("/gone"), /answers with status 404/);
  assert.match(await get("/hang"), /no answer within 0\.3 seconds/);
});

test("a stop ends it", async (t) => {
  const stop = new AbortController();
  const { run, tool, port } = await fetcher(t, () => stop.abort());
  const output = await run(tool, { url: `http://a.test:${port}/` }, { signal: stop.signal });
  assert.deepEqual(output, { type: "error", error_text: "stopped before it was done" });
});

test("a rule is held against the host", async (t) => {
  const { tool } = await fetcher(t, () => undefined);
  assert.equal(tool.subject?.({ url: "https://User@EXAMPLE.com:8443/a" }), "example.com");
  assert.equal(tool.subject?.({ url: "no" }), "");
});
