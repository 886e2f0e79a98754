import assert from "node:assert/strict";
import { test } from "node:test";
import type { UiChunk } from "@galley/parts";
import { SendError } from "@galley/turn";
import { HostError } from "../host-error.ts";
import { pipelineIn } from "../testing/pipeline-in.ts";

const OPUS = "anthropic/claude-opus-5-5";
const env = { ANTHROPIC_API_KEY: "sk-1" };
const hello = { role: "user", parts: [{ type: "text", text: "hello" }] };

/** The clock and the dice of the tests give this one. */
const ID = "msg_18bcfe56800000000000000000";

const EVENTS = [
  { type: "message_start", message: { id: "m1", model: "x", usage: { input_tokens: 3 } } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi." } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
  { type: "message_stop" },
];
const sse = (events: readonly object[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

type Call = { readonly url: string; readonly init: RequestInit };

/** A provider that keeps what it was asked and gives one answer. */
function provider(answer: () => Response | Promise<Response>) {
  const calls: Call[] = [];
  const fetch: typeof globalThis.fetch = async (url, init = {}) => {
    calls.push({ url: String(url), init });
    return answer();
  };
  return { calls, fetch };
}

async function take(chunks: AsyncIterable<UiChunk>): Promise<UiChunk[]> {
  const taken: UiChunk[] = [];
  for await (const chunk of chunks) taken.push(chunk);
  return taken;
}

test("an answer is one message from start to finish, and the proof's bytes are what was sent", async (t) => {
  const { calls, fetch } = provider(() => new Response(sse(EVENTS)));
  const pipeline = await pipelineIn(t, { env, fetch });
  const chunks = await take(pipeline.send(hello, { model: OPUS }));
  assert.deepEqual(
    chunks.map(({ type }) => type),
    [
      "start",
      "start-step",
      "text-start",
      "text-delta",
      "text-end",
      "message-metadata",
      "finish-step",
      "finish",
    ],
  );
  assert.deepEqual(chunks[0], {
    type: "start",
    messageId: ID,
  });
  assert.deepEqual(chunks.at(-1), { type: "finish", finishReason: "stop" });
  const proof = await pipeline.proof(hello, { model: OPUS });
  const [call] = calls;
  assert.equal(new TextDecoder().decode(call?.init.body as Uint8Array), proof.body_text);
  assert.equal(call?.url, proof.request.url);
  assert.equal(new Headers(call?.init.headers).get("x-api-key"), "sk-1");
});

test("a redirect is not followed, for it would carry the key along", async (t) => {
  const { calls, fetch } = provider(() => new Response(null, { status: 307 }));
  const pipeline = await pipelineIn(t, { env, fetch });
  await assert.rejects(take(pipeline.send(hello, { model: OPUS })), (error) =>
    SendError.is(error, "refused"),
  );
  assert.equal(calls[0]?.init.redirect, "manual");
});

test("a refusal comes before the first chunk", async (t) => {
  const body = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
  const { fetch } = provider(() => new Response(JSON.stringify(body), { status: 529 }));
  const pipeline = await pipelineIn(t, { env, fetch });
  await assert.rejects(pipeline.send(hello, { model: OPUS })[Symbol.asyncIterator]().next(), {
    message: "the provider refused the request (529): Overloaded",
  });
});

test("an error in the middle is a chunk, and the finish says so", async (t) => {
  const broken = [...EVENTS.slice(0, 3), { type: "error", error: { message: "lost it" } }];
  const { fetch } = provider(() => new Response(sse(broken)));
  const chunks = await take((await pipelineIn(t, { env, fetch })).send(hello, { model: OPUS }));
  assert.deepEqual(chunks.slice(-2), [
    { type: "error", errorText: "lost it" },
    { type: "finish", finishReason: "error" },
  ]);
});

test("a stream that ends too early finishes as an error", async (t) => {
  const { fetch } = provider(() => new Response(sse(EVENTS.slice(0, 3))));
  const chunks = await take((await pipelineIn(t, { env, fetch })).send(hello, { model: OPUS }));
  assert.deepEqual(chunks.at(-1), { type: "finish", finishReason: "error" });
});

test("an abort before the answer begins ends the stream with an abort", async (t) => {
  const abort = new AbortController();
  const { fetch } = provider(async () => {
    abort.abort();
    throw new DOMException("aborted", "AbortError");
  });
  const options = { model: OPUS, signal: abort.signal };
  const chunks = await take((await pipelineIn(t, { env, fetch })).send(hello, options));
  assert.deepEqual(chunks, [{ type: "start", messageId: ID }, { type: "abort" }]);
});

test("what cannot fit is refused with the numbers, and nothing is sent", async (t) => {
  const { calls, fetch } = provider(() => new Response(sse(EVENTS)));
  const toml = '[models."anthropic/tiny"]\ncontext_window = 150\nmax_output = 50\n';
  const files = { ".agents/galley.toml": toml };
  const pipeline = await pipelineIn(t, { env, fetch, files });
  const long = { role: "user", parts: [{ type: "text", text: "word ".repeat(500) }] };
  await assert.rejects(take(pipeline.send(long, { model: "anthropic/tiny" })), (error) => {
    assert.ok(HostError.is(error, "over_limit"));
    assert.equal(error.data.limit, 100);
    assert.match(
      error.message,
      /^not sent to anthropic\/tiny \(window 150\): the request needs about \d+ tokens and 100 fit;/,
    );
    return true;
  });
  assert.equal((await pipeline.proof(long, { model: "anthropic/tiny" })).manifest.over_limit, true);
  assert.deepEqual(calls, []);
});

test("without its key nothing is sent", async (t) => {
  const { calls, fetch } = provider(() => new Response(sse(EVENTS)));
  const pipeline = await pipelineIn(t, { fetch });
  await assert.rejects(take(pipeline.send(hello, { model: OPUS })), /set ANTHROPIC_API_KEY/);
  assert.deepEqual(calls, []);
});
