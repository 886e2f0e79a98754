/**
 * A message is typed parts, not a string.
 *
 * What was typed becomes text; what a surface already has as structure (a reference, a picture, the
 * selection in the editor) stays structure. Parts that we have never heard of are kept as they came.
 *
 *   node examples/01-compose-a-message.ts
 */
import assert from "node:assert/strict";
import { composePlain } from "@galley/compose";
import { readUserMessage } from "@galley/parts";

const message = composePlain({
  parts: [
    { type: "typed", text: "Why does this loop?" },
    { type: "file-ref", ref: { kind: "path", path: "src/loop.ts", range: { start: 10, end: 25 } } },
    {
      type: "editor-context",
      kind: "cursor",
      payload: { line: 14 },
      emitted_at: 1_700_000_000_000,
    },
    { type: "x/whiteboard", strokes: [[0, 1]], text: "a sketch of the loop" },
  ],
});
console.log(JSON.stringify(message, null, 2));

// It carries the version of its shape, and its parts are in the order in which they were given.
assert.equal(message.metadata?.schema_version, 1);
assert.deepEqual(
  message.parts.map(({ type }) => type),
  ["text", "file-ref", "editor-context", "x/whiteboard"],
);

// A message that went through JSON comes back to the byte, the unknown part with it.
const text = JSON.stringify(message);
const read = readUserMessage(JSON.parse(text));
assert.ok(read.ok);
assert.equal(JSON.stringify(read.value), text);

// A wrong message is refused with the place of each fault.
const wrong = readUserMessage({
  role: "user",
  parts: [
    { type: "text" },
    { type: "file-ref", ref: { kind: "path", path: "a", range: { start: 0, end: 1 } } },
  ],
});
assert.ok(!wrong.ok);
console.log("\nA message that is not one is refused:");
for (const issue of wrong.issues) console.log(`  ${issue}`);
assert.deepEqual(
  wrong.issues.map((issue) => issue.split(":")[0]),
  ["parts.0.text", "parts.1.ref.range"],
);
