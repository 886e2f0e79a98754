import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTemplate } from "../template/parse.ts";
import { BUILTIN_COMMANDS } from "./builtin.ts";
import { createCatalogue, promptCommand, skillCommand } from "./catalogue.ts";
import { complete } from "./complete.ts";
import { addressOf, type CommandEntry } from "./entry.ts";

const file = (kind: "project" | "user", name: string): CommandEntry => ({
  name,
  source: { kind, file: `${kind}/${name}.md`, dialect: "galley" },
  description: `${name} of the ${kind}`,
  deed: { kind: "template", template: parseTemplate("$@", "galley") },
});

const all = createCatalogue([
  promptCommand("docs", {
    name: "review",
    arguments: [{ name: "what", required: true }, { name: "how" }],
  }),
  promptCommand("my docs", { name: "two words" }),
  skillCommand({ name: "review", description: "the skill" }),
  file("user", "review"),
  file("user", "note"),
  file("project", "review"),
  file("project", "compact"),
  file("project", "user:note"),
  ...BUILTIN_COMMANDS,
]);

const addressed = (name: string): string | undefined => {
  const entry = all.find(name);
  return entry && addressOf(entry);
};

const NAMES: readonly (readonly [string, string | undefined])[] = [
  ["compact", "builtin:compact"],
  ["fork", "builtin:fork"],
  ["branch", "builtin:fork"],
  ["review", "project:review"],
  ["project:review", "project:review"],
  ["project:compact", "project:compact"],
  ["builtin:compact", "builtin:compact"],
  ["user:review", "user:review"],
  ["skill:review", "skill:review"],
  ["mcp:docs:review", "mcp:docs:review"],
  ["mcp:my-docs:two-words", "mcp:my-docs:two-words"],
  ["two-words", "mcp:my-docs:two-words"],
  ["note", "user:note"],
  ["user:note", "user:note"],
  ["Review", undefined],
  ["__proto__", undefined],
];

for (const [name, expected] of NAMES) {
  test(`/${name} leads to ${expected ?? "nothing"}`, () => assert.equal(addressed(name), expected));
}

test("every name with more than one owner is reported", () => {
  assert.deepEqual(all.collisions, [
    { name: "user:note", taken: "user:note", shadowed: ["project:user:note"] },
    { name: "compact", taken: "builtin:compact", shadowed: ["project:compact"] },
    {
      name: "review",
      taken: "project:review",
      shadowed: ["user:review", "skill:review", "mcp:docs:review"],
    },
  ]);
});

test("no two built-in commands share a name", () => {
  assert.deepEqual(createCatalogue(BUILTIN_COMMANDS).collisions, []);
});

const ids = (prefix: string): string[] => complete(all, prefix).map(({ id }) => id);

test("what is typed so far gives names, then later words, then addresses", () => {
  assert.deepEqual(ids("/re"), [
    "/rewind",
    "/retry",
    "/rename",
    "/review",
    "/user:review",
    "/skill:review",
    "/mcp:docs:review",
  ]);
  assert.deepEqual(ids("/review").slice(0, 2), ["/review", "/user:review"]);
  assert.deepEqual(ids("BRAN"), ["/fork"]);
  assert.deepEqual(ids("/words"), ["/two-words"]);
  assert.deepEqual(ids("/mcp:docs"), ["/mcp:docs:review"]);
  assert.deepEqual(ids("/zzz"), []);
});

test("an empty prefix gives every entry once", () => {
  assert.equal(ids("/").length, all.entries.length);
  assert.equal(new Set(ids("/")).size, all.entries.length);
});

test("a completion says all that a palette shows", () => {
  assert.deepEqual(complete(all, "mcp:docs")[0], {
    id: "/mcp:docs:review",
    name: "review",
    aliases: [],
    source: "mcp",
    from: "docs",
    description: "",
    argument_hint: "<what> [how…]",
    arguments: [
      { name: "what", type: "string", required: true },
      { name: "how", type: "string", required: false, rest: true },
    ],
    needs_idle: false,
  });
  const [compact] = complete(all, "/compact");
  assert.deepEqual([compact?.needs_idle, compact?.argument_hint], [true, "[instructions]"]);
});
