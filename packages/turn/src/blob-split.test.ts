import assert from "node:assert/strict";
import { test } from "node:test";
import type { UserPart } from "@galley/parts";
import { inlineBytes, splitBlobs } from "./blob-split.ts";

const MB = 1024 * 1024;

const attachment = (bytes: number, name = "f"): Extract<UserPart, { type: "file-attachment" }> => ({
  type: "file-attachment",
  name,
  mime: "application/octet-stream",
  data: Buffer.alloc(bytes, 7).toString("base64"),
});

function keeper() {
  const kept: number[] = [];
  const keep = async (bytes: Uint8Array) => {
    kept.push(bytes.length);
    return `sha256:${"0".repeat(63)}${kept.length}`;
  };
  return { kept, keep };
}

test("an attachment of one megabyte stays in its row, and one byte more leaves it", async () => {
  const { kept, keep } = keeper();
  const parts = [attachment(MB), attachment(MB + 1)];
  const split = await splitBlobs(parts, 0, keep);
  assert.equal(split.parts[0], parts[0]);
  assert.deepEqual(split.parts[1], {
    type: "file-attachment",
    name: "f",
    mime: "application/octet-stream",
    size: MB + 1,
    content_id: `sha256:${"0".repeat(63)}1`,
  });
  assert.deepEqual(kept, [MB + 1]);
  assert.equal(split.inline_bytes, MB);
});

test("past twenty megabytes in a session everything leaves its row", async () => {
  const { kept, keep } = keeper();
  const split = await splitBlobs([attachment(5), attachment(6), attachment(2)], 20 * MB - 10, keep);
  assert.deepEqual(
    split.parts.map((part) => "data" in part),
    [true, false, true],
  );
  assert.deepEqual(kept, [6]);
  assert.equal(split.inline_bytes, 7);
});

test("an attachment inside a command leaves its row like any other", async () => {
  const { kept, keep } = keeper();
  const command = (...expansion: ReturnType<typeof attachment>[]): UserPart => ({
    type: "command",
    id: "/review",
    outcome: "expanded",
    expansion,
  });
  const parts = [command(attachment(MB + 1), attachment(3)), command(attachment(4))];
  const split = await splitBlobs(parts, 0, keep);
  assert.deepEqual(kept, [MB + 1]);
  assert.equal(split.parts[1], parts[1]);
  assert.equal(split.inline_bytes, 7);
  assert.equal(inlineBytes(split.parts), 7);
});

test("a stated size is kept, and parts that carry no bytes are handed on as they are", async () => {
  const { keep } = keeper();
  const parts: UserPart[] = [
    { ...attachment(MB + 1), size: 12, theirs: { a: 1 } },
    { type: "file-attachment", name: "u", mime: "text/plain", url: "https://example.com/u" },
    { type: "text", text: "x" },
    { type: "foreign", data: "AAAA" },
  ];
  const split = await splitBlobs(parts, 0, keep);
  const [first, ...rest] = split.parts;
  assert.deepEqual([first?.size, first?.theirs], [12, { a: 1 }]);
  assert.deepEqual(rest, parts.slice(1));
  assert.equal(split.inline_bytes, 0);
});
