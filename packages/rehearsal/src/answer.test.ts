/** Faults and pauses, in every protocol, without sockets. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answer } from "./answer.ts";
import type { ProtocolId } from "./protocol.ts";
import type { Fault } from "./script.ts";
import { hearing, smallest } from "./trial.ts";

const IDS = ["anthropic-messages", "openai-responses", "openai-chat", "gemini-generate"] as const;
const reply = (protocol: ProtocolId, fault: Fault, stream = true) =>
  answer(smallest(protocol, stream), { say: ["a", "b"], fault }, { number: 1 });
const errorOf = (frames: readonly string[]) => JSON.parse(frames.join("")).error;

test("a rate limit has the provider's words and says when to come back", () => {
  const limited = (protocol: ProtocolId) => {
    const { status, headers, frames } = reply(protocol, { status: 429, retryAfterSeconds: 7 });
    const { type, status: code } = errorOf(frames);
    return [status, headers["retry-after"], type ?? code];
  };
  assert.deepEqual(IDS.map(limited), [
    [429, "7", "rate_limit_error"],
    [429, "7", "requests"],
    [429, "7", "requests"],
    [429, "7", "RESOURCE_EXHAUSTED"],
  ]);
});

test("Gemini repeats the wait in the details of the error", () => {
  const { frames } = reply("gemini-generate", { status: 429, retryAfterSeconds: 7 });
  assert.deepEqual(errorOf(frames).details, [
    { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "7s" },
  ]);
});

test("a server that fails has the provider's type for it", () => {
  const failed = (protocol: ProtocolId) =>
    ([500, 503, 529] as const).map((status) => {
      const sent = reply(protocol, { status });
      const { type, status: code } = errorOf(sent.frames);
      return [sent.status, type ?? code].join(" ");
    });
  assert.deepEqual(IDS.map(failed), [
    ["500 api_error", "503 api_error", "529 overloaded_error"],
    ["500 server_error", "503 server_error", "529 server_error"],
    ["500 server_error", "503 server_error", "529 server_error"],
    ["500 INTERNAL", "503 UNAVAILABLE", "529 UNAVAILABLE"],
  ]);
});

for (const protocol of IDS) {
  const whole = answer(smallest(protocol, true), { say: ["a", "b"] }, { number: 1 });

  test(`${protocol}: a cut stream breaks after its events`, () => {
    const { frames, ending } = reply(protocol, { cutAfterEvents: 2 });
    assert.deepEqual([frames, ending], [whole.frames.slice(0, 2), "cut"]);
  });

  test(`${protocol}: a malformed event is not JSON, and its neighbours are`, () => {
    const { frames, ending } = reply(protocol, { malformedEventAt: 1 });
    const isJson = (frame: string) => {
      try {
        return typeof JSON.parse(frame.slice(frame.indexOf("data: ") + 6)) === "object";
      } catch (error) {
        assert.ok(error instanceof SyntaxError);
        return false;
      }
    };
    assert.deepEqual(frames.slice(0, 3).map(isJson), [true, false, true]);
    assert.deepEqual([frames.length, ending], [whole.frames.length, "close"]);
  });

  test(`${protocol}: an error event ends the stream`, () => {
    const { frames, ending } = reply(protocol, { errorEventAt: 2 });
    assert.deepEqual(frames.slice(0, 2), whole.frames.slice(0, 2));
    assert.deepEqual([frames.length, ending], [3, "close"]);
    assert.match(frames[2] ?? "", /"error"/);
  });

  test(`${protocol}: a hang sends nothing, or as many events as it is told`, () => {
    const silent = reply(protocol, { hang: true });
    assert.deepEqual([silent.frames, silent.ending, silent.withHeaders], [[], "hang", false]);
    const late = reply(protocol, { hang: true, afterEvents: 1 });
    assert.deepEqual([late.frames, late.withHeaders], [whole.frames.slice(0, 1), true]);
  });

  test(`${protocol}: whole answers have the same faults`, () => {
    const json = answer(smallest(protocol), { say: ["a", "b"] }, { number: 1 }).frames.join("");
    const cut = reply(protocol, { cutAfterEvents: 1 }, false);
    assert.deepEqual([json.startsWith(cut.frames.join("")), cut.ending], [true, "cut"]);
    assert.throws(() =>
      JSON.parse(reply(protocol, { malformedEventAt: 0 }, false).frames.join("")),
    );
    assert.equal(reply(protocol, { errorEventAt: 0 }, false).status, 500);
    assert.equal(reply(protocol, { hang: true }, false).ending, "hang");
  });
}

test("the error events are the providers' own", () => {
  const event = (protocol: ProtocolId) => reply(protocol, { errorEventAt: 0 }).frames[0];
  assert.deepEqual(IDS.map(event), [
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
    'event: error\ndata: {"type":"error","code":"server_error","message":"The server had an error while processing your request. Sorry about that!","param":null,"sequence_number":0}\n\n',
    'data: {"error":{"message":"The server had an error while processing your request. Sorry about that!","type":"server_error","param":null,"code":null}}\n\n',
    'data: {"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}\n\n',
  ]);
});

test("a Gemini stream without alt=sse is one JSON array", () => {
  const heard = hearing(
    "gemini-generate",
    { contents: [{ parts: [{ text: "hi" }] }] },
    { target: { model: "default", stream: true } },
  );
  const { frames, headers } = answer(heard, { say: ["a", "b"] }, { number: 1 });
  assert.equal(JSON.parse(frames.join("")).length, 3);
  assert.equal(headers["content-type"], "application/json");
});

test("pauses are described, usage is overridden number by number", () => {
  const step = { say: "abcd", delayMs: 5, chunkDelayMs: 2, usage: { output: 99 } };
  const { delayMs, chunkDelayMs, frames } = answer(smallest("openai-chat"), step, { number: 1 });
  const { usage } = JSON.parse(frames.join(""));
  assert.deepEqual(
    [delayMs, chunkDelayMs, usage.prompt_tokens, usage.completion_tokens],
    [5, 2, 1, 99],
  );
});

test("a text is cut at words and joins to itself again", () => {
  const text = "  Two words,\nand 🙂 more ";
  const { frames } = answer(smallest("openai-chat", true), { say: text }, { number: 1 });
  const pieces = frames
    .filter((frame) => !frame.includes("[DONE]"))
    .map((frame) => JSON.parse(frame.slice(6)).choices[0].delta.content ?? "");
  assert.equal(pieces.join(""), text);
  assert.equal(pieces.filter(Boolean).length, 5);
});
