/** The shape of a message, from the door to the wire: typed, versioned, and left as it came. */
import assert from "node:assert/strict";
import { composePlain } from "@galley/compose";
import { lift, Part, readUserMessage } from "@galley/parts";
import { readCases } from "./case-file.ts";
import { printCase } from "./print-case.ts";
import { PROVIDERS } from "./providers.ts";
import { verifies } from "./verifies.ts";

verifies("compositor/shape/multipart", "a message that is a string is refused", () => {
  for (const raw of [
    "hello",
    { role: "user", content: "hello" },
    { role: "user", parts: "hello" },
  ]) {
    assert.equal(readUserMessage(raw).ok, false);
  }
  assert.equal(readUserMessage({ role: "user", parts: [{ type: "text", text: "a" }] }).ok, true);
});

verifies(
  "compositor/shape/ref-or-attachment",
  "neither shape passes under the other's name",
  () => {
    const ref = { ref: { kind: "path", path: "a" } };
    const attachment = { name: "a", mime: "text/plain", data: "" };
    assert.equal(Part.safeParse({ type: "file-ref", ...ref }).success, true);
    assert.equal(Part.safeParse({ type: "file-ref", ...attachment }).success, false);
    assert.equal(Part.safeParse({ type: "file-attachment", ...attachment }).success, true);
    assert.equal(Part.safeParse({ type: "file-attachment", ...ref }).success, false);
  },
);

verifies("compositor/shape/range", "a range is in lines or in bytes, and has two ends", () => {
  const ranged = (range: object) =>
    Part.safeParse({ type: "file-ref", ref: { kind: "path", path: "a", range } }).success;
  assert.equal(ranged({ start: 10, end: 25 }), true);
  assert.equal(ranged({ start: 0, end: 25, unit: "byte" }), true);
  assert.equal(ranged({ start: 10 }), false);
  assert.equal(ranged({ start: 10, end: 9 }), false);
});

verifies("compositor/shape/round-trip", "reading and writing back gives the same text", () => {
  const text =
    '{"z":1,"role":"user","parts":[{"type":"x/y","b":{"d":1,"c":2}},{"text":"a","type":"text","k":0}]}';
  const read = readUserMessage(JSON.parse(text));
  assert.equal(read.ok && JSON.stringify(read.value), text);
});

verifies(
  "compositor/versioning/stamped",
  "what is composed carries the version of its shape",
  () => {
    const message = composePlain({ parts: [{ type: "typed", text: "hi" }] });
    assert.deepEqual(message, {
      metadata: { schema_version: 1 },
      role: "user",
      parts: [{ type: "text", text: "hi" }],
    });
  },
);

verifies("compositor/versioning/read-time", "an old message is lifted, a newer one is not", () => {
  const steps = [(message: object) => ({ ...message, lifted: true })];
  const newer = { metadata: { schema_version: 9 } };
  assert.deepEqual(lift({}, steps, 2), { lifted: true, metadata: { schema_version: 2 } });
  assert.equal(lift(newer, steps, 2), newer);
});

verifies("compositor/editor-context/typed", "editor state stays a part of its own", () => {
  const context = { type: "editor-context", kind: "cursor", payload: {}, emitted_at: 0 } as const;
  const message = composePlain({ parts: [{ type: "typed", text: "hi" }, context] });
  assert.deepEqual(message.parts, [{ type: "text", text: "hi" }, context]);
});

function freezeDeep<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const inner of Object.values(value)) freezeDeep(inner);
  return Object.freeze(value);
}

verifies(
  "compositor/lowering/unmutated",
  "no part changes on its way to any provider",
  async () => {
    for (const each of readCases()) {
      const before = JSON.stringify(each.messages);
      freezeDeep(each.messages);
      for (const provider of PROVIDERS) await printCase(each, provider);
      assert.equal(JSON.stringify(each.messages), before);
    }
  },
);

verifies("compositor/attachments/classes", "each class has a case for every provider", () => {
  const names = new Set(readCases().map(({ name }) => name));
  const classes = ["text", "image", "pdf", "audio", "video", "binary"];
  assert.deepEqual(
    classes.filter((kind) => !names.has(`attachment-${kind}`)),
    [],
  );
});
