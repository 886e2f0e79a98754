import assert from "node:assert/strict";
import { test } from "node:test";
import type { UserMessage } from "@galley/parts";
import { composeMessage } from "./compose.ts";
import type { Draft } from "./draft.ts";
import { LAW_CATALOGUE, lawHost } from "./laws.ts";
import { literalText, reopen } from "./reopen.ts";

async function made(draft: Draft): Promise<UserMessage> {
  const composed = await composeMessage(draft, LAW_CATALOGUE, lawHost({ shell: [] }));
  assert.ok(composed.ok);
  return composed.message;
}

const png = { type: "file-attachment", name: "x.png", mime: "image/png", data: "AAAA" } as const;

test("text is typed again, tokens and attachments are the parts that they were", async () => {
  const message = await made({
    parts: [{ type: "typed", text: "see @src/a.ts:3 \\@src\n/probe a b" }, png],
  });
  assert.deepEqual(reopen(message).parts, [
    { type: "typed", text: "see " },
    {
      type: "file-ref",
      ref: { kind: "path", path: "src/a.ts", range: { start: 3, end: 3 } },
      literal: "@src/a.ts:3",
    },
    { type: "typed", text: " \\@src\n" },
    {
      type: "command",
      id: "/probe",
      args: { raw: "a b", argv: ["a", "b"] },
      literal: "/probe a b",
    },
    png,
  ]);
});

const DRAFTS: readonly (readonly [string, Draft])[] = [
  ["words", { parts: [{ type: "typed", text: "hello" }] }],
  ["an unknown command", { parts: [{ type: "typed", text: "/foo a  b" }] }],
  ["host actions alone", { parts: [{ type: "typed", text: "/compact\n/context" }] }],
  [
    "a skill and a prompt",
    { parts: [{ type: "typed", text: "/skill:known go\n/weather New York" }] },
  ],
  ["a context of two parts", { parts: [{ type: "typed", text: "fix @selection now" }] }],
  [
    "a paste beside a token",
    {
      parts: [
        { type: "typed", text: "@src " },
        { type: "pasted", text: "/compact" },
      ],
    },
  ],
  ["a text part with a token in it", { parts: [{ type: "text", text: "/compact @src/a.ts" }] }],
  [
    "text parts side by side",
    {
      parts: [
        { type: "text", text: "a" },
        { type: "typed", text: "b" },
        { type: "text", text: "" },
      ],
    },
  ],
  ["a text part with more to it", { parts: [{ type: "text", text: "a", mine: 1 }] }],
  ["a command by name", { parts: [{ type: "command", id: "/search", args: { query: "x" } }] }],
  ["a foreign part", { parts: [{ type: "from-elsewhere", text: "@src" }] }],
];

for (const [name, draft] of DRAFTS) {
  test(`re-opened and composed, a message of ${name} is the same message`, async () => {
    const message = await made({ ...draft, metadata: { agent: "a" } });
    assert.deepEqual(await made(reopen(message)), message);
  });
}

test("what belonged to the row stays with the row", () => {
  const draft = reopen({
    role: "user",
    id: "msg_1",
    metadata: { schema_version: 1, agent: "a", queued_at: 1, hidden_at: 2, turn: false },
    parts: [{ type: "text", text: "hi" }],
  });
  assert.deepEqual(draft, {
    metadata: { schema_version: 1, agent: "a" },
    parts: [{ type: "typed", text: "hi" }],
  });
});

test("what was typed can be read off the parts", async () => {
  const text = "see @selection \\@src\n/probe x\nend";
  assert.equal(literalText((await made({ parts: [{ type: "typed", text }] })).parts), text);
});
