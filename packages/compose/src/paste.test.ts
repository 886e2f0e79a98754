import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeBase64 } from "@galley/parts";
import { createCatalogue } from "./command/catalogue.ts";
import { composeMessage } from "./compose.ts";
import type { DraftPart } from "./draft.ts";
import { LAW_CATALOGUE, lawHost } from "./laws.ts";
import { PASTE_CHARS, toBase64 } from "./paste.ts";

async function partsOf(...parts: DraftPart[]) {
  const composed = await composeMessage({ parts }, LAW_CATALOGUE, lawHost({ shell: [] }));
  assert.ok(composed.ok);
  return composed;
}

test("a small paste reads on as text and is not searched", async () => {
  const pasted = "/compact\n@src/a.ts";
  const { message } = await partsOf(
    { type: "typed", text: "why: " },
    { type: "pasted", text: pasted },
  );
  assert.deepEqual(message.parts, [
    { type: "text", text: "why: " },
    { type: "text", text: pasted, source: "paste" },
  ]);
});

test("a paste that could be nothing but words joins the sentence", async () => {
  const { message } = await partsOf(
    { type: "typed", text: "why is " },
    { type: "pasted", text: "fooBar" },
    { type: "typed", text: " slow?" },
  );
  assert.deepEqual(message.parts, [{ type: "text", text: "why is fooBar slow?" }]);
});

test("a large paste is an attached text file, numbered and named", async () => {
  const text = "é".repeat(PASTE_CHARS + 1);
  const { message } = await partsOf(
    { type: "pasted", text },
    { type: "pasted", text, name: "log.txt" },
    { type: "pasted", text },
  );
  assert.deepEqual(
    message.parts.map(({ name }) => name),
    ["pasted text 1.txt", "log.txt", "pasted text 3.txt"],
  );
  const [first] = message.parts;
  assert.deepEqual(
    { ...first, data: undefined },
    {
      type: "file-attachment",
      name: "pasted text 1.txt",
      mime: "text/plain",
      size: 8002,
      data: undefined,
      source: "paste",
    },
  );
  assert.equal(new TextDecoder().decode(decodeBase64(String(first?.data))), text);
});

test("the longest small paste is still text", async () => {
  const { message } = await partsOf({ type: "pasted", text: "x".repeat(PASTE_CHARS) });
  assert.equal(message.parts[0]?.type, "text");
});

test("half a surrogate pair in a large paste is mended, and said so", async () => {
  const { notes } = await partsOf({ type: "pasted", text: `${"x".repeat(PASTE_CHARS)}\ud800` });
  assert.equal(notes[0]?.code, "mended-text");
});

test("a paste behind a command's name is its argument, line breaks and all", async () => {
  const { message } = await partsOf(
    { type: "typed", text: "/probe " },
    { type: "pasted", text: "Error: x\n  at y\n" },
    { type: "typed", text: "and then" },
  );
  const [command, rest] = message.parts;
  assert.deepEqual(command?.args, { raw: "Error: x\n  at y", argv: ["Error:", "x", "at", "y"] });
  assert.deepEqual(rest, { type: "text", text: "\nand then" });
});

test("a pasted entity is a reference to it", async () => {
  const { message } = await partsOf({
    type: "pasted-entity",
    id: "node-7",
    source: "canvas",
    payload: { name: "Icon" },
    emitted_at: 5,
  });
  assert.deepEqual(message.parts, [
    {
      type: "editor-context",
      kind: "ref",
      source: "canvas",
      payload: { name: "Icon", id: "node-7" },
      emitted_at: 5,
    },
  ]);
});

test("a paste alone is a message, with no catalogue at all", async () => {
  const host = { kindOf: async () => undefined };
  const draft = { parts: [{ type: "pasted", text: "/compact" } as const] };
  const composed = await composeMessage(draft, createCatalogue([]), host);
  assert.ok(composed.ok && composed.turn);
});

test("base64 of many bytes is that of all of them", () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
  assert.deepEqual(decodeBase64(toBase64(bytes)), bytes);
});
