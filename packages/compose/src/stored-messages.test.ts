/**
 * Messages of version 1 as they were stored, one file a shape: whoever changes a shape must still
 * read these. The files are never rewritten; a new shape is a new file.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { isPart, PART_TYPES, readMessage, type UserMessage } from "@galley/parts";
import { composePlain } from "./draft.ts";
import { reopen } from "./reopen.ts";

const folder = new URL("../../parts/fixtures/v1/", import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
const textOf = (name: string): string => readFileSync(new URL(name, folder), "utf8");

for (const name of names) {
  test(`${name} still reads, and is the same to the byte when it is written again`, () => {
    const text = textOf(name);
    const read = readMessage(JSON.parse(text));
    assert.ok(read.ok, read.ok ? "" : read.issues.join("; "));
    assert.equal(`${JSON.stringify(read.value, null, 2)}\n`, text);
  });
}

const users = names
  .map((name) => JSON.parse(textOf(name)) as UserMessage)
  .filter(({ role }) => role === "user");

test("every kind of part has a stored example", () => {
  const seen = new Set(users.flatMap(({ parts }) => parts.map(({ type }) => type)));
  assert.deepEqual(
    PART_TYPES.filter((type) => !seen.has(type)),
    [],
  );
});

test("every stored message opens again, with every part that is not a command as it was", () => {
  for (const message of users) {
    const { parts } = composePlain(reopen(message));
    const kept = (all: UserMessage["parts"]) =>
      all.filter((part) => part.type !== "command" && part.type !== "text" && isPart(part));
    assert.deepEqual(kept(parts), kept(message.parts));
    assert.equal(parts.length, message.parts.length);
  }
});
