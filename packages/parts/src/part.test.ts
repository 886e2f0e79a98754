/** What counts as a user part: the table of shapes, and how a wrong one is named. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMAND_OUTCOMES, isPart, PART_TYPES, Part } from "./part.ts";
import { readUserMessage } from "./upgrade.ts";

const issuesOf = (part: unknown): readonly string[] => {
  const read = readUserMessage({ role: "user", parts: [part] });
  return read.ok ? [] : read.issues;
};

test("the part types are these seven", () => {
  assert.deepEqual(PART_TYPES, [
    "text",
    "file-ref",
    "directory-ref",
    "file-attachment",
    "command",
    "mention",
    "editor-context",
  ]);
});

test("a command settles in one of four ways", () => {
  assert.deepEqual(COMMAND_OUTCOMES, ["host-action", "expanded", "intent", "pass-through"]);
});

const HASH = `sha256:${"0a".repeat(32)}`;
const path = { kind: "path", path: "a.ts" };

const GOOD: readonly (readonly [string, object])[] = [
  ["an empty text", { type: "text", text: "" }],
  ["a path", { type: "file-ref", ref: path }],
  ["one line", { type: "file-ref", ref: { ...path, range: { start: 3, end: 3 } } }],
  ["no byte", { type: "file-ref", ref: { ...path, range: { start: 0, end: 0, unit: "byte" } } }],
  ["an address", { type: "file-ref", ref: { kind: "url", url: "https://example.org/a" } }],
  ["a content id", { type: "file-ref", ref: { kind: "content-id", content_id: HASH } }],
  ["a directory", { type: "directory-ref", ref: { kind: "path", path: "src" } }],
  ["an attachment of no bytes", { type: "file-attachment", name: "", mime: "", data: "" }],
  ["a descriptor", { type: "file-attachment", name: "a", mime: "b", delivery: "descriptor" }],
  ["an unsettled command", { type: "command", id: "/review", args: { raw: "a b" } }],
  ["a mention", { type: "mention", target: { kind: "skill", name: "svg" } }],
  ["a context", { type: "editor-context", kind: "cursor", payload: {}, emitted_at: 0 }],
  ["a part of another program", { type: "x/hologram" }],
  [
    "a command with its expansion",
    { type: "command", id: "/x", outcome: "expanded", expansion: [{ type: "text", text: "do" }] },
  ],
];

for (const [name, part] of GOOD) {
  test(`a user message may carry ${name}`, () => assert.deepEqual(issuesOf(part), []));
}

const BAD: readonly (readonly [string, object, string])[] = [
  [
    "a text without its text",
    { type: "text" },
    "parts.0.text: Invalid input: expected string, received undefined",
  ],
  [
    "line 0",
    { type: "file-ref", ref: { ...path, range: { start: 0, end: 1 } } },
    "parts.0.ref.range: lines are counted from 1",
  ],
  [
    "a range that ends before it starts",
    { type: "file-ref", ref: { ...path, range: { start: 3, end: 2 } } },
    "parts.0.ref.range: the end of a range is not before its start",
  ],
  [
    "an empty path",
    { type: "file-ref", ref: { kind: "path", path: "" } },
    "parts.0.ref.path: Too small: expected string to have >=1 characters",
  ],
  [
    "a content id in capitals",
    { type: "file-ref", ref: { kind: "content-id", content_id: HASH.toUpperCase() } },
    "parts.0.ref.content_id: sha256: and 64 hex digits",
  ],
  [
    "bytes that are not base64",
    { type: "file-attachment", name: "a", mime: "b", data: "no!" },
    "parts.0.data: Invalid base64-encoded string",
  ],
  [
    "a command without its slash",
    { type: "command", id: "review" },
    "parts.0.id: a slash and a name",
  ],
  [
    "a command inside an expansion",
    { type: "command", id: "/a", expansion: [{ type: "command", id: "/b" }] },
    "parts.0.expansion.0.type: Invalid discriminator value. Expected 'text' | 'file-ref' | 'directory-ref' | 'file-attachment' | 'mention' | 'editor-context'",
  ],
  [
    "a context that was never sampled",
    { type: "editor-context", kind: "cursor", payload: {} },
    "parts.0.emitted_at: Invalid input: expected number, received undefined",
  ],
  [
    "a part without a type",
    { text: "a" },
    "parts.0.type: Invalid discriminator value. Expected 'text' | 'file-ref' | 'directory-ref' | 'file-attachment' | 'command' | 'mention' | 'editor-context'",
  ],
];

for (const [name, part, says] of BAD) {
  test(`${name} is refused by path and reason`, () => assert.deepEqual(issuesOf(part), [says]));
}

test("only the seven types are parts of ours", () => {
  assert.equal(isPart({ type: "text" }), true);
  assert.equal(isPart({ type: "x/hologram" }), false);
  assert.equal(isPart({ type: "toString" }), false);
});

test("a file-ref and a file-attachment never pass for each other", () => {
  assert.equal(Part.safeParse({ type: "file-ref", name: "a", mime: "b" }).success, false);
  assert.equal(Part.safeParse({ type: "file-attachment", ref: path }).success, false);
});
