/** One request over a real socket: what a provider, a proxy or a cable can do to it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { isGalleyError, type UiChunk } from "@galley/parts";
import { anthropicMessages } from "@galley/shape";
import { SendError, type SendInput, send } from "./send.ts";

const EVENTS = [
  '{"type":"message_start","message":{"id":"m","model":"x","usage":{"input_tokens":3}}}',
  '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
  '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hällo"}}',
  '{"type":"content_block_stop","index":0}',
  '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}',
  '{"type":"message_stop"}',
].map((data) => `data: ${data}\n\n`);

async function serving<T>(
  listener: RequestListener,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/messages`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const inputFor = (url: string, rest: Partial<SendInput> = {}): SendInput => ({
  endpoint: { method: "POST", url, headers: { "content-type": "application/json", "x-key": "k" } },
  body: new TextEncoder().encode('{"a":"é"}'),
  protocol: anthropicMessages,
  fetch,
  ...rest,
});

async function collect(input: SendInput, seen: (chunk: UiChunk) => void = () => {}) {
  const chunks: UiChunk[] = [];
  for await (const batch of send(input)) {
    chunks.push(...batch);
    batch.forEach(seen);
  }
  return chunks;
}

const readAll = async (request: IncomingMessage): Promise<Buffer> =>
  Buffer.concat(await request.toArray());
const begin = (response: ServerResponse, count: number): void => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of EVENTS.slice(0, count)) response.write(event);
};
const usage = { input: 3, output: 0, reasoning: 0, cache_read: 0, cache_write: 0 };
const about = { model: "x", response_id: "m" };

test("the bytes and headers that are given are the bytes and headers that arrive", async () => {
  const got: unknown[] = [];
  await serving(
    async (request, response) => {
      const body = await readAll(request);
      got.push(request.method, request.headers["x-key"], body.toString("utf8"));
      begin(response, EVENTS.length);
      response.end();
    },
    (url) => collect(inputFor(url)),
  );
  assert.deepEqual(got, ["POST", "k", '{"a":"é"}']);
});

test("an answer comes as chunks, to its end", async () => {
  const chunks = await serving(
    (_request, response) => {
      begin(response, EVENTS.length);
      response.end();
    },
    (url) => collect(inputFor(url)),
  );
  assert.deepEqual(
    chunks.map(({ type }) => type),
    ["start-step", "text-start", "text-delta", "text-end", "message-metadata", "finish-step"],
  );
});

test("a read that says nothing is an empty batch: a sign of life", async () => {
  const heard = Promise.withResolvers<void>();
  const sizes = await serving(
    async (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": still here\n\n");
      await heard.promise;
      response.end(EVENTS.join(""));
    },
    async (url) => {
      const counted: number[] = [];
      for await (const batch of send(inputFor(url))) {
        counted.push(batch.length);
        heard.resolve();
      }
      return counted;
    },
  );
  assert.equal(sizes[0], 0);
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    6,
  );
});

async function refusedWith(status: number, body: string, headers: Record<string, string> = {}) {
  return serving(
    (_request, response) => {
      response.writeHead(status, headers).end(body);
    },
    async (url) => {
      const error = await collect(inputFor(url)).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      assert.ok(SendError.is(error, "refused"), String(error));
      return error.data;
    },
  );
}

test("a refusal has the status and the provider's own sentence", async () => {
  const body = { type: "error", error: { type: "invalid_request_error", message: "too long" } };
  assert.deepEqual(await refusedWith(400, JSON.stringify(body)), {
    status: 400,
    reason: "too long",
  });
});

test("a page that is no error body is quoted at its beginning, an empty one by its status", async () => {
  const page = await refusedWith(502, `<html>${"x".repeat(500)}`);
  assert.equal(page.reason, `<html>${"x".repeat(194)}`);
  assert.deepEqual(await refusedWith(503, " \n"), { status: 503, reason: "Service Unavailable" });
});

const WAITS: readonly (readonly [Record<string, string>, number | undefined])[] = [
  [{ "retry-after": "2" }, 2000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after": "-1" }, 0],
  [{ "retry-after": "" }, undefined],
  [{ "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" }, undefined],
  [{ "retry-after": "9", "retry-after-ms": "120" }, 120],
  [{}, undefined],
];

for (const [headers, wait] of WAITS) {
  test(`${JSON.stringify(headers)} asks for ${wait ?? "no certain"} ms`, async () => {
    const data = await refusedWith(429, "{}", headers);
    assert.equal(data.retry_after_ms, wait);
  });
}

test("a refusal whose body breaks off is still a refusal", async () => {
  const error = await serving(
    (_request, response) => {
      response.writeHead(500, { "content-length": "1000" });
      response.write("half", () => response.destroy());
    },
    (url) =>
      collect(inputFor(url)).then(
        () => undefined,
        (reason: unknown) => reason,
      ),
  );
  assert.ok(SendError.is(error, "refused"), String(error));
  assert.deepEqual(error.data, { status: 500, reason: "Internal Server Error" });
});

test("a connection that breaks ends what was said, with its usage, and says that it broke", async () => {
  const chunks = await serving(
    (_request, response) => {
      begin(response, 3);
      setImmediate(() => response.destroy());
    },
    (url) => collect(inputFor(url)),
  );
  const [error] = chunks.splice(-1);
  assert.deepEqual(chunks.slice(2), [
    { type: "text-delta", id: "0", delta: "Hällo" },
    { type: "text-end", id: "0" },
    { type: "message-metadata", messageMetadata: { usage, ...about } },
  ]);
  assert.match(error?.type === "error" ? error.errorText : "", /^the connection broke: ./);
});

test("a stream that just ends early says that more is missing", async () => {
  const chunks = await serving(
    (_request, response) => {
      begin(response, 3);
      response.end();
    },
    (url) => collect(inputFor(url)),
  );
  assert.deepEqual(chunks.at(-1), {
    type: "error",
    errorText: "the stream ended before the answer was complete",
  });
});

test("a break after the answer's own end takes nothing away", async () => {
  const chunks = await serving(
    (_request, response) => {
      begin(response, EVENTS.length);
      setImmediate(() => response.destroy());
    },
    (url) => collect(inputFor(url)),
  );
  assert.deepEqual(chunks.at(-1), { type: "finish-step" });
});

test("an abort in the middle ends what was said and is no error", async () => {
  const controller = new AbortController();
  const chunks = await serving(
    (_request, response) => begin(response, 3),
    (url) =>
      collect(inputFor(url, { signal: controller.signal }), ({ type }) => {
        if (type === "text-delta") controller.abort();
      }),
  );
  assert.deepEqual(chunks.slice(3), [
    { type: "text-end", id: "0" },
    { type: "message-metadata", messageMetadata: { usage, ...about } },
    { type: "abort" },
  ]);
});

test("an abort before the first byte of the answer is an abort too", async () => {
  const controller = new AbortController();
  const chunks = await serving(
    () => controller.abort(),
    (url) => collect(inputFor(url, { signal: controller.signal })),
  );
  assert.deepEqual(chunks, [{ type: "abort" }]);
});

test("a caller that stops reading closes the connection", async () => {
  const closed = Promise.withResolvers<boolean>();
  const finished = await serving(
    (_request, response) => {
      begin(response, 3);
      response.on("close", () => closed.resolve(response.writableFinished));
    },
    async (url) => {
      for await (const batch of send(inputFor(url))) {
        if (batch.some(({ type }) => type === "text-delta")) break;
      }
      return closed.promise;
    },
  );
  assert.equal(finished, false);
});

test("nobody at the address is an error that names it", async () => {
  const gone = await serving(
    () => {},
    async (url) => url,
  );
  const error = await collect(inputFor(gone)).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(SendError.is(error, "unreachable") && isGalleyError(error));
  assert.equal(error.data.url, gone);
  assert.match(
    error.message,
    /^cannot reach http:\/\/127\.0\.0\.1:\d+\/v1\/messages: .*ECONNREFUSED/,
  );
});
