/** Reading is not rewriting: what a message holds comes out as it went in, of whatever version. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { lift, MessageError, readMessage, readUserMessage, stampVersion } from "./upgrade.ts";

function readText(text: string): string {
  const read = readMessage(JSON.parse(text));
  assert.ok(read.ok, read.ok ? "" : read.issues.join("; "));
  return JSON.stringify(read.value);
}

const ROUND_TRIPS: readonly (readonly [string, string])[] = [
  [
    "a part of unknown type",
    '{"parts":[{"z":1,"type":"x/hologram","a":{"d":[1,{"c":null}],"b":"ü"}}],"role":"user"}',
  ],
  [
    "unknown keys of a known part, in their order",
    '{"role":"user","parts":[{"zz":0,"text":"a","type":"text","aa":{"y":1,"x":2}}],"mood":"calm"}',
  ],
  [
    "unknown keys inside a reference and its range",
    '{"role":"user","parts":[{"type":"file-ref","ref":{"hint":1,"path":"a","kind":"path","range":{"end":2,"start":1,"why":"x"}}}]}',
  ],
  ["keys that look like numbers", '{"role":"user","parts":[{"2":"b","10":"c","type":"x"}]}'],
  [
    "an assistant's parts, unknown ones too",
    '{"role":"assistant","parts":[{"type":"data-chart","data":[1],"id":"c"},{"type":"x/y"},{"type":"text","text":"t","x":1}]}',
  ],
  ["a message without parts of its own", '{"role":"assistant","parts":[]}'],
];

for (const [name, text] of ROUND_TRIPS) {
  test(`reading keeps ${name}`, () => assert.equal(readText(text), text));
}

test("a newer message is read as it is and never rewritten", () => {
  const raw = {
    metadata: { schema_version: 7, novel: true },
    role: "user",
    parts: [{ type: "text", text: "a", tone: "kind" }],
  };
  const read = readUserMessage(raw);
  assert.ok(read.ok);
  assert.equal(read.value, raw);
  assert.equal(stampVersion(read.value), read.value);
});

/** Version 1 called the text `body`; version 2 had `text` and version 3 wants a `lang`. */
const renamed = (message: object): Record<string, unknown> => {
  const { body, ...rest } = message as { body: unknown };
  return { ...rest, text: body };
};
const tagged = (message: object): Record<string, unknown> => ({ ...message, lang: "en" });
const STEPS = [renamed, tagged];

test("each step lifts a message by one version, from wherever it stands", () => {
  const current = { text: "a", lang: "en", metadata: { schema_version: 3 } };
  assert.deepEqual(lift({ body: "a" }, STEPS, 3), current);
  assert.deepEqual(lift({ body: "a", metadata: { schema_version: 1 } }, STEPS, 3), current);
  assert.deepEqual(lift({ text: "a", metadata: { schema_version: 2 } }, STEPS, 3), current);
});

test("a message at the current version or above is the same object afterwards", () => {
  const current = { metadata: { schema_version: 3 } };
  const newer = { metadata: { schema_version: 4 } };
  assert.equal(lift(current, STEPS, 3), current);
  assert.equal(lift(newer, STEPS, 3), newer);
});

test("lifting keeps the rest of the metadata", () => {
  const lifted = lift({ body: "a", metadata: { agent: "code", x: 1 } }, STEPS, 3);
  assert.deepEqual((lifted as { metadata: unknown }).metadata, {
    agent: "code",
    x: 1,
    schema_version: 3,
  });
});

test("a version that is no whole number from 1 counts as 1", () => {
  for (const schema_version of ["2", 0, -1, 2.5, null, Number.NaN]) {
    assert.deepEqual(lift({ body: "a", metadata: { schema_version } }, STEPS, 3), {
      text: "a",
      lang: "en",
      metadata: { schema_version: 3 },
    });
  }
});

test("what is not a message is refused with the path of each fault", () => {
  for (const raw of [null, 1, "x", [], undefined]) {
    assert.equal(readMessage(raw).ok, false);
    assert.equal(lift(raw, STEPS, 3), raw);
  }
  const read = readUserMessage({
    role: "user",
    id: "m",
    metadata: { schema_version: 0 },
    parts: 3,
  });
  assert.deepEqual(read.ok ? [] : read.issues, [
    "id: msg_ and an id",
    "metadata.schema_version: Too small: expected number to be >=1",
    "parts: Invalid input: expected array, received number",
  ]);
});

test("a user message has at least one part", () => {
  const read = readUserMessage({ role: "user", parts: [] });
  assert.deepEqual(read, { ok: false, issues: ["parts: a message has at least one part"] });
});

test("every faulty part is named, not only the first", () => {
  const read = readUserMessage({
    role: "user",
    parts: [{ type: "text" }, { type: "text", text: "fine" }, { type: "command", id: "x" }],
  });
  assert.deepEqual(read.ok ? [] : read.issues, [
    "parts.0.text: Invalid input: expected string, received undefined",
    "parts.2.id: a slash and a name",
  ]);
});

test("a faulty part of an assistant is named by the branch that was meant", () => {
  const parts = [{ type: "tool-read", toolCallId: "c", state: "running" }];
  const read = readMessage({ role: "assistant", parts });
  assert.deepEqual(read.ok ? [] : read.issues, [
    'parts.0.state: Invalid option: expected one of "input-streaming"|"input-available"|"approval-requested"|"approval-responded"|"output-available"|"output-error"|"output-denied"',
  ]);
});

test("the version is stamped where there is none, and only there", () => {
  const bare: { parts: string[]; x: number; metadata?: object } = { parts: [], x: 1 };
  assert.deepEqual(stampVersion(bare), { parts: [], x: 1, metadata: { schema_version: 1 } });
  assert.deepEqual(stampVersion({ metadata: { agent: "a" } }), {
    metadata: { schema_version: 1, agent: "a" },
  });
  const stamped = { metadata: { schema_version: 1 } };
  assert.equal(stampVersion(stamped), stamped);
});

test("an invalid message is an error with its issues as data", () => {
  const error = MessageError.make("invalid", { issues: ["parts: no", "role: no"] });
  assert.equal(error.message, "not a message: parts: no; role: no");
  assert.equal(error.code, "message.invalid");
});

test("of a newer message the parts that are known are read, and the others are set aside whole", () => {
  const changed = { type: "file-ref", ref: { kind: "symbol", symbol: "Foo" } };
  const message = {
    role: "user",
    metadata: { schema_version: 99 },
    parts: [{ type: "text", text: "hi" }, changed, { type: "text", words: "hi" }],
  };
  const read = readUserMessage(message);
  assert.ok(read.ok);
  assert.deepEqual(read.value.parts, [
    { type: "text", text: "hi" },
    { type: "newer/file-ref", original: changed },
    { type: "newer/text", original: { type: "text", words: "hi" } },
  ]);
  assert.equal(message.parts[1], changed, "what came in is not touched");
  assert.equal(readUserMessage({ ...message, metadata: { schema_version: 1 } }).ok, false);
});
