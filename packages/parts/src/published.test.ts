/** The committed JSON Schemas are those of the code, and say what the code checks. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { publishedSchemas } from "./published.ts";

const folder = new URL("../../../schemas/", import.meta.url);

for (const [name, schema] of publishedSchemas()) {
  test(`schemas/${name}.json is what the code says (npm run schemas writes it)`, () => {
    const url = new URL(`${name}.json`, folder);
    assert.ok(existsSync(url), "it is not there");
    assert.equal(readFileSync(url, "utf8"), `${JSON.stringify(schema, null, 2)}\n`);
  });
}

const NAMES = [
  "assistant-message",
  "assistant-part",
  "event",
  "message-row",
  "outcome",
  "part",
  "part-row",
  "problem",
  "session-row",
  "session-status",
  "ui-chunk",
  "usage",
  "user-message",
];

test("the shapes that others may rely on are these, and each has its file", () => {
  assert.deepEqual([...publishedSchemas().keys()].sort(), NAMES);
  assert.deepEqual(readdirSync(folder).sort(), NAMES.map((name) => `${name}.json`).sort());
});

test("in the published schema no known part passes for a foreign one", () => {
  const text = JSON.stringify(publishedSchemas().get("user-message"));
  assert.ok(
    text.includes(
      '"not":{"enum":["text","file-ref","directory-ref","file-attachment","command","mention","editor-context"]}',
    ),
  );
});
