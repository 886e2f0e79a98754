/** What the calls do with a message, in every way it may be said; and what they stream. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { AUTHORIZED, serverFor, type TestServer } from "./test-server.ts";

const MESSAGE = { role: "user", parts: [{ type: "text", text: "hi" }] };

test("compose answers with the message, and unknown fields of parts are kept", async (t) => {
  const { post } = await serverFor(t);
  const parts = [{ type: "x-future", colour: "red" }];
  const { status, body, headers } = await post("/v1/compose", {
    text: "hi",
    refs: ["a.ts:1-2"],
    parts,
  });
  assert.equal(status, 200);
  assert.equal(headers["cache-control"], "no-store");
  assert.deepEqual(JSON.parse(body), {
    role: "user",
    metadata: { schema_version: 1 },
    parts: [
      { type: "text", text: "hi" },
      { type: "file-ref", ref: { kind: "path", path: "a.ts:1-2" } },
      { type: "x-future", colour: "red" },
    ],
  });
});

test("a proof is asked for with a message, a message beside options, or words", async (t) => {
  const { post } = await serverFor(t);
  const said = async (body: unknown) => {
    const { provider, model, body_text, stages } = JSON.parse((await post("/v1/proof", body)).body);
    return [provider, model, JSON.parse(body_text).messages[0].parts, stages];
  };
  const parts = MESSAGE.parts;
  assert.deepEqual(await said(MESSAGE), ["anthropic", "claude-opus-5-5", parts, undefined]);
  assert.deepEqual(await said({ message: MESSAGE, model: "gemini/x" }), [
    "gemini",
    "x",
    parts,
    undefined,
  ]);
  assert.deepEqual(await said({ text: "hi", model: "openai/y" }), [
    "openai",
    "y",
    parts,
    undefined,
  ]);
});

test("all gives one proof for each built-in provider", async (t) => {
  const { post } = await serverFor(t);
  const proofs = JSON.parse((await post("/v1/proof", { message: MESSAGE, all: true })).body);
  assert.deepEqual(
    proofs.map(({ provider }: { provider: string }) => provider),
    ["anthropic", "openai", "openai-chat", "gemini"],
  );
});

test("a stage is answered alone; of several models each with its name", async (t) => {
  const { post } = await serverFor(t);
  const one = await post("/v1/proof", { message: MESSAGE, stage: "persisted" });
  assert.deepEqual(JSON.parse(one.body), MESSAGE);
  const all = await post("/v1/proof", { message: MESSAGE, stage: "persisted", all: true });
  assert.deepEqual(JSON.parse(all.body)[3], {
    provider: "gemini",
    model: "default",
    stage: "persisted",
    made: MESSAGE,
  });
});

test("models are listed in the wire's spelling", async (t) => {
  const { call } = await serverFor(t);
  const { models } = JSON.parse((await call("/v1/models", { headers: AUTHORIZED })).body);
  const offline = models.find(({ name }: { name: string }) => name === "rehearsal/default");
  assert.equal(offline.context_window, 200_000);
  assert.equal(offline.max_output, 8192);
});

test("an answer is streamed as one chunk a data line and a closing mark", async (t) => {
  const { post } = await serverFor(t);
  const { status, headers, body } = await post("/v1/try", { message: MESSAGE });
  assert.equal(status, 200);
  assert.equal(headers["content-type"], "text/event-stream");
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.equal(
    body,
    [
      'data: {"type":"start"}',
      'data: {"type":"text-start","id":"0"}',
      'data: {"type":"text-delta","id":"0","delta":"hi"}',
      'data: {"type":"text-end","id":"0"}',
      'data: {"type":"finish"}',
      "data: [DONE]",
      "",
    ].join("\n\n"),
  );
});

test("a refusal before the first chunk is a problem document, not a stream", async (t) => {
  const { post } = await serverFor(t);
  const { status, body } = await post("/v1/try", { text: "refuse" });
  assert.deepEqual([status, JSON.parse(body).code], [422, "small.no_key"]);
});

test("a failure in the middle is a chunk, and whoever runs the server hears of it", async (t) => {
  const { post, printed } = await serverFor(t);
  const { body } = await post("/v1/try", { text: "break" });
  assert.deepEqual(body.split("\n\n").slice(-3), [
    'data: {"type":"error","errorText":"Something broke inside Galley."}',
    "data: [DONE]",
    "",
  ]);
  assert.deepEqual(printed, ["galley: a request failed: TypeError: a pipe burst"]);
});

/** A stream that is under way: its first bytes have arrived. */
async function startWaiting({ url }: TestServer): Promise<IncomingMessage> {
  const outgoing = request(`${url}/v1/try`, { method: "POST", headers: AUTHORIZED, agent: false });
  outgoing.end(JSON.stringify({ text: "wait" }));
  const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
  assert.equal(answer.statusCode, 200);
  return answer;
}

test("a caller who goes away aborts the send", async (t) => {
  const server = await serverFor(t);
  (await startWaiting(server)).destroy();
  await server.pipeline.aborted;
});

test("closing lets an answer finish, and ends one that will not", async (t) => {
  const server = await serverFor(t, { limits: { graceMs: 20 } });
  const answer = await startWaiting(server);
  const closed = server.close();
  const said = await text(answer);
  assert.deepEqual(said.split("\n\n").slice(-3), ['data: {"type":"abort"}', "data: [DONE]", ""]);
  await closed;
  await assert.rejects(server.call("/healthz"), { code: "ECONNREFUSED" });
});

test("closing twice is closing once", async (t) => {
  const { close } = await serverFor(t);
  assert.equal(close(), close());
  await close();
});
