import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryIo } from "../testing/memory-io.ts";
import { readBytes, readInput } from "./message-input.ts";

const read = (text: string, name = "standard input") =>
  readBytes(new TextEncoder().encode(text), name);

test("an object with a role or parts is a message, checked later", () => {
  const message = { role: "user", parts: [] };
  assert.deepEqual(read(JSON.stringify(message)), { kind: "message", value: message });
  assert.deepEqual(read('\ufeff {"parts": 3}'), { kind: "message", value: { parts: 3 } });
});

test("what is not JSON is plain text, to the last character", () => {
  for (const text of ["hello\n", " [link](x) ", "a { b", "\tindented", "- list"]) {
    assert.deepEqual(read(text), { kind: "text", text });
  }
});

const REFUSED: readonly (readonly [string, string, RegExp])[] = [
  ["a message that was cut off", '{"role":"user","parts":[', /is not JSON \(.*use --text$/],
  ["other JSON", '{"a":1}', /JSON but not a user message/],
  ["a number", "42", /JSON but not a user message/],
  ["a JSON string", '"hello"', /JSON but not a user message/],
  ["nothing", "", /it is empty$/],
  ["white space", " \n ", /it is empty$/],
];

for (const [what, text, message] of REFUSED) {
  test(`${what} is refused`, () => {
    assert.throws(() => read(text), { message });
  });
}

test("a file named .json must hold JSON", () => {
  assert.throws(() => read("hello", "a.json"), /a\.json is not a message: it is not JSON/);
});

test("standard input is not read past the bound", async () => {
  let taken = 0;
  async function* endless() {
    for (;;) {
      taken += 1;
      yield new Uint8Array(100);
    }
  }
  const io = { ...memoryIo(), stdin: endless };
  await assert.rejects(readInput("-", io, 1000), /standard input is larger than the 1000 bytes/);
  assert.equal(taken, 11);
});
