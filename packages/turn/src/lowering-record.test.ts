import assert from "node:assert/strict";
import { test } from "node:test";
import type { Material } from "@galley/assemble";
import type { UserPart } from "@galley/parts";
import { type LoweringRecord, materialOf, needsLoading, recordOf } from "./lowering-record.ts";

function shelf() {
  const bytes = new Map<string, Uint8Array>();
  return {
    bytes,
    put: async (each: Uint8Array) => {
      const id = `sha256:${bytes.size}`;
      bytes.set(id, each);
      return id;
    },
    get: async (id: string) => bytes.get(id),
  };
}

const PICTURE: Material = {
  kind: "bytes",
  mime: "image/png",
  base64: "iVBORw==",
  size: 4,
  sha256: "aa",
  mtime_ms: 7,
  note: "scaled",
};

test("every material comes back from its record as it was", async () => {
  const materials: readonly (Material | undefined)[] = [
    undefined,
    PICTURE,
    { kind: "bytes", mime: undefined, base64: "AP8=", size: 2 },
    { kind: "text", text: "héllo", size: 6, shown: { start: 1, end: 1, total: 3 } },
    { kind: "descriptor", reason: "a directory", reach: "read it" },
    { kind: "unavailable", reason: "no such file" },
    { kind: "entity", context: { kind: "node", payload: { id: 1 } } },
    { kind: "parts", materials: [undefined, PICTURE] },
  ];
  const blobs = shelf();
  for (const material of materials) {
    const text = JSON.stringify(await recordOf(material, blobs));
    assert.deepEqual(await materialOf(JSON.parse(text) as LoweringRecord, blobs), material);
  }
});

test("a record names bytes and does not hold them", async () => {
  const blobs = shelf();
  assert.deepEqual(await recordOf(PICTURE, blobs), {
    kind: "bytes",
    mime: "image/png",
    content_id: "sha256:0",
    size: 4,
    sha256: "aa",
    mtime_ms: 7,
    note: "scaled",
  });
  assert.deepEqual(blobs.bytes.get("sha256:0"), Buffer.from([0x89, 0x50, 0x4e, 0x47]));
});

test("bytes that are gone are told of", async () => {
  const record = await recordOf(PICTURE, shelf());
  assert.deepEqual(await materialOf(record, shelf()), {
    kind: "unavailable",
    reason: "its bytes (sha256:0) are not stored here",
  });
});

test("only what something outside decides about is looked up", () => {
  const needs: readonly (readonly [UserPart, boolean])[] = [
    [{ type: "text", text: "@a" }, false],
    [{ type: "editor-context", kind: "k", payload: {}, emitted_at: 1 }, false],
    [{ type: "foreign" }, false],
    [{ type: "file-attachment", name: "a", mime: "b", data: "AAAA" }, true],
    [{ type: "file-attachment", name: "a", mime: "b", content_id: "sha256:0" }, true],
    [{ type: "file-ref", ref: { kind: "path", path: "a" } }, true],
    [{ type: "directory-ref", ref: { kind: "path", path: "a" } }, true],
    [{ type: "mention", target: { kind: "skill", name: "a" } }, true],
    [{ type: "command", id: "/a" }, false],
    [{ type: "command", id: "/a", expansion: [{ type: "text", text: "x" }] }, false],
    [
      {
        type: "command",
        id: "/a",
        expansion: [{ type: "mention", target: { kind: "file", path: "x" } }],
      },
      true,
    ],
  ];
  for (const [part, expected] of needs) assert.equal(needsLoading(part), expected, part.type);
});
