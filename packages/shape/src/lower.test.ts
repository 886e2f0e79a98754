/** From a user part to what the model is shown: one row a rule, and an outcome for every part. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Material } from "@galley/assemble";
import type { UserPart } from "@galley/parts";
import { type Lowered, lowerPart, lowerUser, type Target } from "./lower.ts";

const target: Target = {
  refuses: (mime) => (mime === "image/png" ? undefined : `the model does not take ${mime}`),
  inlineTextBytes: 100,
};
const lower = (part: UserPart, material?: Material): Lowered => lowerPart(part, material, target);
const shown = (text: string) => [{ type: "text", text }];
const file: Material = { kind: "text", text: "x = 1\n", size: 6 };
const gone: Material = { kind: "unavailable", reason: "no such file" };

type Row = readonly [rule: string, part: UserPart, material: Material | undefined, Lowered];

const ref: UserPart = { type: "file-ref", ref: { kind: "path", path: "a.ts" } };
const mention = (target: {
  kind: string;
  name?: string;
  path?: string;
  id?: string;
}): UserPart => ({
  type: "mention",
  target,
});
const FENCED = "File a.ts:\n```ts\nx = 1\n```";

const ROWS: readonly Row[] = [
  [
    "text is shown verbatim",
    { type: "text", text: "  look at @a and /b  " },
    undefined,
    { blocks: [{ type: "text", text: "  look at @a and /b  " }], outcome: "text" },
  ],
  [
    "blank text has nothing to show",
    { type: "text", text: " \n\t" },
    undefined,
    { blocks: [], outcome: "resolved-out", note: "blank text" },
  ],
  [
    "half a surrogate pair is noted",
    { type: "text", text: "a\ud800" },
    undefined,
    {
      blocks: [{ type: "text", text: "a\ud800" }],
      outcome: "text",
      note: "half a surrogate pair became U+FFFD",
    },
  ],
  [
    "a file reference shows the file's text",
    ref,
    file,
    { blocks: [{ type: "text", text: FENCED }], outcome: "text" },
  ],
  [
    "a range shows its lines and says which",
    ref,
    { kind: "text", text: "two", size: 9, shown: { start: 2, end: 2, total: 3 } },
    {
      blocks: [{ type: "text", text: "File a.ts (lines 2 to 2 of 3):\n```ts\ntwo\n```" }],
      outcome: "text",
    },
  ],
  [
    "a missing file leaves a placeholder that names it",
    ref,
    gone,
    {
      blocks: [{ type: "text", text: "[file unavailable: a.ts (no such file)]" }],
      outcome: "placeholder",
      note: "no such file",
    },
  ],
  [
    "a file nobody read leaves a placeholder too",
    ref,
    undefined,
    {
      blocks: [{ type: "text", text: "[file unavailable: a.ts (it was not read)]" }],
      outcome: "placeholder",
      note: "it was not read",
    },
  ],
  [
    "a directory is named, with the way in",
    { type: "directory-ref", ref: { kind: "path", path: "src" } },
    { kind: "descriptor", reason: "a directory", reach: "its files can be listed and read" },
    {
      blocks: [{ type: "text", text: "[directory: src; its files can be listed and read]" }],
      outcome: "descriptor",
      note: "a directory is named, not read out",
    },
  ],
  [
    "a missing directory leaves a placeholder that says why",
    { type: "directory-ref", ref: { kind: "path", path: "src\n" } },
    { kind: "unavailable", reason: "no such directory" },
    {
      blocks: [{ type: "text", text: "[directory unavailable: src\\u000a (no such directory)]" }],
      outcome: "placeholder",
      note: "no such directory",
    },
  ],
  [
    "a host action leaves nothing",
    { type: "command", id: "/compact", outcome: "host-action", args: { raw: "now" } },
    undefined,
    { blocks: [], outcome: "resolved-out", detail: "host-action" },
  ],
  [
    "an unknown command passes through as it was typed, and is flagged",
    { type: "command", id: "/nope", outcome: "pass-through", args: { raw: 'a "b c"' } },
    undefined,
    {
      blocks: [{ type: "text", text: '/nope a "b c"' }],
      outcome: "text",
      note: "not a known command: passed on as it was typed",
    },
  ],
  [
    "the characters that were typed win over what was read out of them",
    { type: "command", id: "/nope", outcome: "pass-through", literal: "/nope  a   b" },
    undefined,
    {
      blocks: [{ type: "text", text: "/nope  a   b" }],
      outcome: "text",
      note: "not a known command: passed on as it was typed",
    },
  ],
  [
    "a skill mention leaves nothing: the body comes through the skill tool",
    mention({ kind: "skill", name: "svg-kit" }),
    undefined,
    { blocks: [], outcome: "resolved-out", detail: "its body comes through the skill tool" },
  ],
  [
    "a file mention is a file reference",
    mention({ kind: "file", path: "a.ts" }),
    file,
    { blocks: [{ type: "text", text: FENCED }], outcome: "text" },
  ],
  [
    "a mention that resolves to an entity is editor context",
    mention({ kind: "node", id: "n1" }),
    { kind: "entity", context: { kind: "ref", source: "canvas", payload: { id: "n1" } } },
    {
      blocks: [
        {
          type: "text",
          text: '<editor_context kind="ref" source="canvas">{"id":"n1"}</editor_context>',
        },
      ],
      outcome: "text",
      detail: "ref",
    },
  ],
  [
    "a mention that does not resolve leaves nothing, and says so",
    mention({ kind: "node", name: "N\n1" }),
    undefined,
    { blocks: [], outcome: "resolved-out", note: "node N\\u000a1 does not resolve" },
  ],
  [
    "editor context keeps its kind and payload; the time of sampling stays behind",
    { type: "editor-context", kind: "cursor", payload: { line: 3 }, emitted_at: 1700 },
    undefined,
    {
      blocks: [{ type: "text", text: '<editor_context kind="cursor">{"line":3}</editor_context>' }],
      outcome: "text",
      detail: "cursor",
    },
  ],
  [
    "a foreign part with text is shown by its text",
    { type: "x/poll", text: "Tea or coffee?" },
    undefined,
    {
      blocks: [{ type: "text", text: "Tea or coffee?" }],
      outcome: "text",
      note: "a part of unknown type, shown by its text",
    },
  ],
  [
    "a foreign part without text is a placeholder",
    { type: "x/holo\ngram", text: " " },
    undefined,
    {
      blocks: [{ type: "text", text: "[unsupported part: x/holo\\u000agram]" }],
      outcome: "placeholder",
      note: "a part of unknown type",
    },
  ],
];

for (const [rule, part, material, expected] of ROWS) {
  test(rule, () => assert.deepEqual(lower(part, material), expected));
}

test("an expanded command shows its expansion, and reports the least that was shown", () => {
  const part: UserPart = {
    type: "command",
    id: "/review",
    outcome: "expanded",
    args: { raw: "a.ts" },
    expansion: [
      { type: "text", text: "Review this:" },
      { type: "file-ref", ref: { kind: "path", path: "a.ts" } },
      { type: "file-ref", ref: { kind: "path", path: "b.ts" } },
    ],
  };
  const lowered = lower(part, { kind: "parts", materials: [undefined, file, gone] });
  assert.deepEqual(lowered, {
    blocks: [
      ...shown("Review this:"),
      ...shown(FENCED),
      ...shown("[file unavailable: b.ts (no such file)]"),
    ],
    outcome: "placeholder",
    note: "no such file",
    detail: "expanded",
  });
  assert.ok(!JSON.stringify(lowered.blocks).includes("/review"));
});

test("an intent or an expansion without parts leaves nothing", () => {
  for (const outcome of ["intent", "expanded"] as const) {
    const lowered = lower({ type: "command", id: "/x", outcome, expansion: [] });
    assert.deepEqual(lowered, { blocks: [], outcome: "resolved-out", detail: outcome });
  }
});

test("a message has one outcome for each part, in order, and its blocks know their parts", () => {
  const { blocks, outcomes } = lowerUser(
    {
      role: "user",
      parts: [{ type: "text", text: "a" }, mention({ kind: "skill", name: "s" }), ref],
      materials: [undefined, undefined, file],
    },
    target,
  );
  assert.deepEqual(
    blocks.map(({ part }) => part),
    [0, 2],
  );
  assert.deepEqual(
    outcomes.map(({ part, type, outcome }) => [part, type, outcome]),
    [
      [0, "text", "text"],
      [1, "mention", "resolved-out"],
      [2, "file-ref", "text"],
    ],
  );
});

test("an elided part shows the line that stands in its place", () => {
  const { blocks, outcomes } = lowerUser(
    { role: "user", parts: [ref], materials: [file], elided: { 0: "[a.ts, left out]" } },
    target,
  );
  assert.deepEqual(blocks, [{ part: 0, block: { type: "text", text: "[a.ts, left out]" } }]);
  assert.deepEqual(outcomes, [
    { part: 0, type: "file-ref", outcome: "elided", note: "left out to fit the budget" },
  ]);
});

test("a message with nothing left to show says that much, in nobody's name", () => {
  const stand = (...parts: UserPart[]) =>
    lowerUser({ role: "user", parts, materials: [] }, target).blocks;
  assert.deepEqual(stand({ type: "text", text: "" }), [
    { part: undefined, block: { type: "text", text: "[The user sent a message without text.]" } },
  ]);
  const skill = (name: string) => mention({ kind: "skill", name });
  assert.deepEqual(stand(skill("svg"), skill("pdf")), [
    {
      part: undefined,
      block: {
        type: "text",
        text: "[The user invoked the skill svg, pdf without further text.]",
      },
    },
  ]);
});
