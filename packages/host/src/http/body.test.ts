/** How much of a body is read before it is refused. */
import assert from "node:assert/strict";
import { IncomingMessage, request } from "node:http";
import { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import fc from "fast-check";
import { readJson } from "./body.ts";
import { nestingMeter } from "./nesting.ts";
import { HttpError } from "./problem.ts";
import { AUTHORIZED, serverFor } from "./test-server.ts";

test("a declared size over the limit is refused before a byte of it is read", async (t) => {
  const { url } = await serverFor(t, { limits: { bodyBytes: 100 } });
  const headers = { ...AUTHORIZED, "content-length": "101" };
  const outgoing = request(`${url}/v1/proof`, { method: "POST", headers, agent: false });
  outgoing.flushHeaders();
  const status = await new Promise((resolve, reject) => {
    outgoing.once("response", ({ statusCode }) => resolve(statusCode)).once("error", reject);
  });
  outgoing.destroy();
  assert.equal(status, 413);
});

test("a body without a declared size is refused while it is still arriving", async (t) => {
  const { url } = await serverFor(t, { limits: { bodyBytes: 100 } });
  const options = { method: "POST", headers: AUTHORIZED, agent: false };
  const outgoing = request(`${url}/v1/proof`, options);
  const answered = new Promise<{ status: number | undefined; code: unknown }>((resolve, reject) => {
    outgoing.once("error", reject).once("response", (answer) => {
      text(answer).then(
        (body) => resolve({ status: answer.statusCode, code: JSON.parse(body).code }),
        reject,
      );
    });
  });
  outgoing.write(`{"text":"${"a".repeat(200)}`);
  // The body is not ended: the answer comes all the same.
  assert.deepEqual(await answered, { status: 413, code: "http.too_large" });
  outgoing.destroy();
});

test("an upload far over the limit still gets to read why it was refused", async (t) => {
  const { call } = await serverFor(t, { limits: { bodyBytes: 1000 } });
  const body = new Uint8Array(8 * 1024 * 1024).fill(0x20);
  const headers = { ...AUTHORIZED, "transfer-encoding": "chunked" };
  const answer = await call("/v1/proof", { method: "POST", headers, body });
  assert.equal(answer.status, 413);
});

test("whoever goes on sending after the refusal is cut off", async (t) => {
  const { url } = await serverFor(t, { limits: { bodyBytes: 1000 } });
  const outgoing = request(`${url}/v1/proof`, {
    method: "POST",
    headers: AUTHORIZED,
    agent: false,
  });
  const ended = new Promise((resolve) => {
    outgoing.once("error", resolve).once("close", resolve);
  });
  const more = new Uint8Array(64 * 1024).fill(0x20);
  const goOn = () => {
    if (!outgoing.destroyed) outgoing.write(more, () => setImmediate(goOn));
  };
  goOn();
  await ended;
});

test("a body of exactly the limit is taken", async (t) => {
  const body = JSON.stringify({ text: "hi" });
  const { call } = await serverFor(t, { limits: { bodyBytes: body.length } });
  const answer = await call("/v1/compose", { method: "POST", headers: AUTHORIZED, body });
  assert.equal(answer.status, 200);
});

test("a body that is cut off is told from one that cannot be read", async () => {
  const incoming = new IncomingMessage(new Socket());
  incoming.headers["content-type"] = "application/json";
  const read = readJson(incoming, 100);
  incoming.push('{"text":');
  incoming.destroy(new Error("aborted"));
  await assert.rejects(read, (error: unknown) => HttpError.is(error, "incomplete"));
});

const bytes = (source: string): Uint8Array => new TextEncoder().encode(source);

test("depth counts open brackets of both kinds and forgets the closed ones", () => {
  assert.equal(nestingMeter(2).push(bytes("[{}]")), true);
  assert.equal(nestingMeter(1).push(bytes("[{}]")), false);
  assert.equal(nestingMeter(1).push(bytes("[],{},[],{}")), true);
});

test("brackets inside strings do not count, whatever is escaped there", () => {
  assert.equal(nestingMeter(1).push(bytes('["[[[\\"{{{\\\\"]')), true);
  assert.equal(nestingMeter(1).push(bytes('["\\\\",[]]')), false);
});

test("the meter agrees with a parser on any JSON, however it is cut", () => {
  const depthOf = (value: unknown): number =>
    typeof value === "object" && value !== null
      ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
      : 0;
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, where) => {
      const all = bytes(json);
      const cut = where % (all.length + 1);
      const within = (limit: number) => {
        const meter = nestingMeter(limit);
        return meter.push(all.subarray(0, cut)) && meter.push(all.subarray(cut));
      };
      const depth = depthOf(JSON.parse(json));
      assert.deepEqual([within(depth), depth > 0 && within(depth - 1)], [true, false]);
    }),
  );
});

test("a string that is cut between chunks stays a string", () => {
  const meter = nestingMeter(1);
  assert.deepEqual(
    ['["a\\', '"[[', '"', "]", "[", "["].map((chunk) => meter.push(bytes(chunk))),
    [true, true, true, true, true, false],
  );
});
