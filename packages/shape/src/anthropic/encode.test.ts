/** Blocks to Anthropic content blocks: form, order, frames and traces. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Origin, UserBlock } from "../block.ts";
import { encodeStep, encodeUser } from "./encode.ts";
import { anthropicMessages } from "./protocol.ts";

const user = (block: UserBlock, part: number | undefined = 0): unknown =>
  JSON.parse(encodeUser([{ part, block }])[0]?.json ?? "");

test("text, image and PDF have their native forms; a PDF keeps its name", () => {
  assert.deepEqual(user({ type: "text", text: "hi" }), { type: "text", text: "hi" });
  const image = { type: "media", mime: "image/png", base64: "AAAA", name: "a.png" } as const;
  assert.deepEqual(user(image), {
    type: "image",
    source: { type: "base64", media_type: "image/png", data: "AAAA" },
  });
  const pdf = { ...image, mime: "application/pdf", name: "a\nb.pdf" };
  assert.deepEqual(user(pdf), {
    type: "document",
    source: { type: "base64", media_type: "application/pdf", data: "AAAA" },
    title: "a\\u000ab.pdf",
  });
});

test("a title has at most 500 characters, and none where there is no name", () => {
  const pdf = { type: "media", mime: "application/pdf", base64: "AAAA" } as const;
  assert.equal((user({ ...pdf, name: "x".repeat(600) }) as { title: string }).title.length, 500);
  assert.equal(Object.hasOwn(user(pdf) as object, "title"), false);
  assert.equal(Object.hasOwn(user({ ...pdf, name: "" }) as object, "title"), false);
});

test("what is said and called stands in the assistant's message, results and media in the user's", () => {
  const items = encodeStep({
    blocks: [
      { part: 0, block: { type: "reasoning", text: "hm", signed: { signature: "sig" } } },
      { part: 1, block: { type: "text", text: "I read." } },
      { part: 2, block: { type: "tool-call", id: "c 1", name: "a.b", input: { x: 1 } } },
    ],
    results: [
      {
        part: 2,
        block: {
          type: "tool-result",
          id: "c 1",
          name: "a.b",
          content: [{ type: "text", text: "r" }],
          isError: true,
        },
      },
    ],
    hoisted: [{ part: 2, block: { type: "media", mime: "image/png", base64: "AAAA" } }],
  });
  assert.deepEqual(
    items.map(({ frame, markable, json, traces }) => [
      frame?.key,
      markable,
      JSON.parse(json).type,
      traces.map(({ part, start, end }) => [part, start, end === json.length]),
    ]),
    [
      ["assistant", false, "thinking", [[0, 0, true]]],
      ["assistant", true, "text", [[1, 0, true]]],
      ["assistant", true, "tool_use", [[2, 0, true]]],
      ["user", true, "tool_result", [[2, 0, true]]],
      ["user", true, "image", [[2, 0, true]]],
    ],
  );
  const [, , call, result] = items.map(({ json }) => JSON.parse(json));
  assert.equal(call.id, result.tool_use_id);
  assert.match(call.id, /^[A-Za-z0-9_-]+$/);
  assert.match(call.name, /^[A-Za-z0-9_-]+$/);
  assert.equal(result.is_error, true);
});

test("a result that is no error carries no flag", () => {
  const block = { type: "tool-result", id: "c", name: "r", content: [], isError: false } as const;
  const [item] = encodeStep({ blocks: [], results: [{ part: 0, block }], hoisted: [] });
  assert.deepEqual(JSON.parse(item?.json ?? ""), {
    type: "tool_result",
    tool_use_id: "c",
    content: [],
  });
});

const answer = (block: Parameters<typeof encodeStep>[0]["blocks"][number]["block"]): unknown =>
  JSON.parse(encodeStep({ blocks: [{ part: 0, block }], results: [], hoisted: [] })[0]?.json ?? "");

test("thinking goes back with its signature, redacted thinking with its data", () => {
  assert.deepEqual(answer({ type: "reasoning", text: "hm", signed: { signature: "s" } }), {
    type: "thinking",
    thinking: "hm",
    signature: "s",
  });
  assert.deepEqual(answer({ type: "reasoning", text: "", signed: { redactedData: "d" } }), {
    type: "redacted_thinking",
    data: "d",
  });
});

test("an input that is no object is kept under a key", () => {
  for (const input of ["text", 5, [1], null]) {
    assert.deepEqual(answer({ type: "tool-call", id: "c", name: "n", input }), {
      type: "tool_use",
      id: "c",
      name: "n",
      input: { value: input },
    });
  }
});

test("a block of our own has no trace", () => {
  const blocks: Origin<UserBlock>[] = [{ part: undefined, block: { type: "text", text: "x" } }];
  assert.deepEqual(encodeUser(blocks)[0]?.traces, []);
});

test("only a filled signature or filled data prove that reasoning is the provider's own", () => {
  const { signed } = anthropicMessages;
  assert.deepEqual(signed({ signature: "s" }), { signature: "s" });
  assert.deepEqual(signed({ redactedData: "d" }), { redactedData: "d" });
  for (const metadata of [{}, { signature: "" }, { signature: 1 }, { redactedData: "" }]) {
    assert.equal(signed(metadata), undefined);
  }
});
