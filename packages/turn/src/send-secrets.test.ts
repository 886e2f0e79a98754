/** What a provider, a proxy or a library repeats of a request, and how little of it is shown. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { isGalleyError, type UiChunk } from "@galley/parts";
import { anthropicMessages } from "@galley/shape";
import { SendError, send } from "./send.ts";

type Headers = Readonly<Record<string, string>>;

async function sentTo(listener: RequestListener, headers: Headers): Promise<UiChunk[]> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    return await sentBy(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, headers);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function sentBy(url: string, headers: Headers): Promise<UiChunk[]> {
  const endpoint = { method: "POST" as const, url, headers };
  const body = new TextEncoder().encode("{}");
  const chunks: UiChunk[] = [];
  for await (const batch of send({ endpoint, body, protocol: anthropicMessages, fetch })) {
    chunks.push(...batch);
  }
  return chunks;
}

const refusedWith = (reason: string) => (error: unknown) => {
  assert.ok(SendError.is(error, "refused"));
  assert.equal(error.data.reason, reason);
  return true;
};

test("a provider that repeats the key in its refusal does not get it printed", async () => {
  const key = "sk-secret-1234";
  const body = JSON.stringify({ error: { message: `bad key ${key}\u001b[31m` } });
  const sent = sentTo((_request, response) => response.writeHead(401).end(body), {
    "x-api-key": key,
    authorization: `Bearer ${key}`,
  });
  await assert.rejects(sent, refusedWith("bad key ***\\u001b[31m"));
});

test("a refusal quotes no header, whatever its name is", async () => {
  const sent = sentTo(
    ({ headers }, response) => {
      const message = `${headers["x-portal-pass"]} ${headers["cf-aig-authorization"]}`;
      response.writeHead(401).end(JSON.stringify({ error: { message } }));
    },
    { "x-portal-pass": "hunter2", "cf-aig-authorization": "hunter3" },
  );
  await assert.rejects(sent, refusedWith("*** ***"));
});

test("an error in the middle of a stream quotes no header", async () => {
  const start = { type: "message_start", message: { id: "m", model: "x", usage: {} } };
  const chunks = await sentTo(
    ({ headers }, response) => {
      const message = `you sent ${headers.authorization} and ${headers["x-pass"]}`;
      const events = [start, { type: "error", error: { message } }];
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
    },
    { authorization: "Bearer sk-abc", "x-pass": "hunter2" },
  );
  assert.deepEqual(
    chunks.flatMap((chunk) => ("errorText" in chunk ? [chunk.errorText] : [])),
    ["you sent Bearer *** and ***"],
  );
});

test("a page that is cut in the middle of a key shows no half of it", async () => {
  const page = `${"x".repeat(192)}hunter2secret`;
  const sent = sentTo((_request, response) => response.writeHead(502).end(page), {
    "x-pass": "hunter2secret",
  });
  await assert.rejects(sent, refusedWith(`${"x".repeat(192)}***`));
});

test("a header that cannot be sent is not quoted", async () => {
  await assert.rejects(sentBy("http://127.0.0.1:9/", { "x-pass": "hunter2\nsecret" }), (error) => {
    assert.ok(SendError.is(error, "unreachable") && isGalleyError(error));
    assert.doesNotMatch(`${error.message} ${String(error.cause)}`, /hunter2|secret/);
    return true;
  });
});
