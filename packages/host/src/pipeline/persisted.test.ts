import assert from "node:assert/strict";
import { test } from "node:test";
import { persisted } from "./persisted.ts";

const MB = 1024 * 1024;
const attachment = (size: number) =>
  ({
    type: "file-attachment",
    name: "a",
    mime: "a/b",
    data: Buffer.alloc(size, 7).toString("base64"),
    extra: "kept",
  }) as const;

const idsOf = (sizes: readonly number[]) => {
  const { message, blobs } = persisted({ role: "user", parts: sizes.map(attachment) });
  return { inline: message.parts.map((part) => "data" in part), blobs: blobs.size };
};

test("an attachment of more than 1 MB leaves its row, one of exactly 1 MB stays", () => {
  assert.deepEqual(idsOf([MB, MB + 1]), { inline: [true, false], blobs: 1 });
});

test("what would take a message past 20 MB of inline data leaves its row too", () => {
  const twentyTwo = Array.from({ length: 22 }, () => MB);
  const { inline, blobs } = idsOf([...twentyTwo, 5]);
  assert.deepEqual(inline.lastIndexOf(true), 19);
  assert.equal(blobs, 2, "the same bytes are one blob, and the small ones another");
});

test("everything else of the part stays as it came", () => {
  const { message } = persisted({ role: "user", parts: [attachment(MB + 1)] });
  assert.deepEqual(message.parts, [
    {
      type: "file-attachment",
      name: "a",
      mime: "a/b",
      extra: "kept",
      size: MB + 1,
      content_id: "sha256:d34ca1319dd00d103ae8cff499899d5942b22e9c22137baf801c8a63ac21218b",
    },
  ]);
});
