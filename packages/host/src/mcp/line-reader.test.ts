import assert from "node:assert/strict";
import { test } from "node:test";
import { lineReader } from "./line-reader.ts";

const run = (most: number, chunks: readonly (string | Buffer)[]) => {
  const read = lineReader(most);
  const all = chunks.map((chunk) => read(Buffer.from(chunk)));
  return { lines: all.flatMap(({ lines }) => lines), isTooLong: all.at(-1)?.isTooLong };
};

test("lines come whole, however they are cut", () => {
  const whole = Buffer.from("grün\nb\n\nc");
  const bytes = [...whole].map((byte) => Buffer.from([byte]));
  assert.deepEqual(run(100, bytes), { lines: ["grün", "b", ""], isTooLong: false });
  assert.deepEqual(run(100, [whole, "d\n"]), { lines: ["grün", "b", "", "cd"], isTooLong: false });
});

test("a line over the limit ends the reading, and those before it are given", () => {
  assert.deepEqual(run(3, ["abc\nabcd", "e\nf\n"]), { lines: ["abc"], isTooLong: true });
});
