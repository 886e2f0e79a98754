/** What is a token in typed text and what is not, through the one way in. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { UserPart } from "@galley/parts";
import { BUILTIN_COMMANDS } from "../command/builtin.ts";
import { createCatalogue } from "../command/catalogue.ts";
import { composeMessage } from "../compose.ts";
import type { DraftPart } from "../draft.ts";
import type { ComposeHost } from "../host.ts";
import { literalText } from "../reopen.ts";
import { parseTemplate } from "../template/parse.ts";

const FILES = [
  "src/a.ts",
  "src/b.ts",
  "a b.ts",
  "x.ts.",
  "n.ts:1",
  "src/[id].ts",
  "目录/文件.md",
  ".env",
];
const FOLDERS = ["src", "Component", "./"];

const host: ComposeHost = {
  kindOf: async (path) =>
    FILES.includes(path) ? "file" : FOLDERS.includes(path) ? "directory" : undefined,
  mention: async (kind, name) => (name === "known" ? { kind, name } : undefined),
  context: async (token) =>
    token === "selection"
      ? [{ type: "editor-context", kind: token, payload: {}, emitted_at: 1 }]
      : [],
};

const file = (path: string) =>
  ({ name: path, source: { kind: "project", file: path, dialect: "galley" } }) as const;

const catalogue = createCatalogue([
  ...BUILTIN_COMMANDS,
  { ...file("review"), deed: { kind: "template", template: parseTemplate("$@", "galley") } },
  { ...file("git/commit"), deed: { kind: "template", template: parseTemplate("$@", "galley") } },
]);

/** One line a part: `text "…"`, `file path 3-4`, `command /id raw`. */
function lineOf(part: UserPart): string {
  const { type, ref, target, id, args } = part as Record<string, unknown> & UserPart;
  const { path, range, url } = (ref ?? target ?? {}) as Record<string, unknown>;
  const lines = range as { start: number; end: number } | undefined;
  const suffix = lines ? ` ${lines.start}-${lines.end}` : "";
  if (type === "text") return `text ${part.text}`;
  if (type === "command") return `command ${id} ${(args as { raw: string }).raw}`;
  if (type === "mention") {
    const { kind, name } = target as { kind: string; name?: string };
    return `mention ${kind} ${name ?? path}${suffix}`;
  }
  if (type === "editor-context") return `context ${(part as { kind: string }).kind}`;
  return `${type} ${path ?? url}${suffix}`;
}

async function linesOf(parts: readonly DraftPart[]): Promise<string[]> {
  const composed = await composeMessage({ parts }, catalogue, host);
  assert.ok(composed.ok, "composes");
  return composed.message.parts.map(lineOf);
}

const TABLE: readonly (readonly [string, readonly string[]])[] = [
  // Commands: at the start of a line, known, and to its end.
  ["/review a b", ["command /review a b"]],
  ["/review", ["command /review "]],
  ["/review  a  \nmore", ["command /review a", "text \nmore"]],
  ["/review a\r\nmore", ["command /review a", "text \r\nmore"]],
  [
    "first\n/review a\n/review b",
    ["text first\n", "command /review a", "text \n", "command /review b"],
  ],
  ["say /review a", ["text say /review a"]],
  [" /review a", ["text  /review a"]],
  ["/reviewing a", ["command /reviewing a"]],
  ["/Review a", ["command /Review a"]],
  ["x\n/unknown a", ["text x\n/unknown a"]],
  ["/project:review a", ["command /project:review a"]],
  ["/git/commit now", ["command /git/commit now"]],
  ["/usr/bin/env is there", ["text /usr/bin/env is there"]],
  ["/", ["text /"]],
  ["/*", ["text /*"]],
  ["//review", ["text //review"]],
  ["/review @src/a.ts", ["command /review @src/a.ts"]],
  ["\\/review a", ["text /review a"]],
  ["\\/usr/bin", ["text \\/usr/bin"]],
  // Mentions: at the start of a word, and only if they stand for something.
  ["see @src/a.ts now", ["text see ", "file-ref src/a.ts", "text  now"]],
  ["@src/a.ts:10-25", ["file-ref src/a.ts 10-25"]],
  ["@src/a.ts#L10-L25", ["file-ref src/a.ts 10-25"]],
  ["@src/a.ts#10-25", ["file-ref src/a.ts 10-25"]],
  ["@src/a.ts#L10:25", ["file-ref src/a.ts 10-25"]],
  ["@n.ts:1", ["file-ref n.ts:1"]],
  ["@src", ["directory-ref src"]],
  ["@src:1", ["text @src:1"]],
  ["@src/a.ts, @src/b.ts.", ["file-ref src/a.ts", "text , ", "file-ref src/b.ts", "text ."]],
  ["@src/a.ts,@src/b.ts", ["file-ref src/a.ts", "text ,", "file-ref src/b.ts"]],
  ["@src/a.ts,\\@src/b.ts", ["file-ref src/a.ts", "text ,@src/b.ts"]],
  ['@"a b.ts"@src/a.ts', ["file-ref a b.ts", "text @src/a.ts"]],
  ["(@src/a.ts:3).", ["text (", "file-ref src/a.ts 3-3", "text )."]],
  ["@x.ts.", ["file-ref x.ts."]],
  ["@src/[id].ts!", ["file-ref src/[id].ts", "text !"]],
  ["@.env", ["file-ref .env"]],
  ["@.", ["text @."]],
  ["@./", ["directory-ref ./"]],
  ["@...", ["text @..."]],
  ['@"a b.ts"', ["file-ref a b.ts"]],
  ['@"a b.ts":2-3, ok', ["file-ref a b.ts 2-3", "text , ok"]],
  ['@"a b.ts:2-3"', ["file-ref a b.ts 2-3"]],
  ['@file:"a b.ts"', ["mention file a b.ts"]],
  ["@file:src/a.ts#L3", ["mention file src/a.ts 3-3"]],
  ["@dir:src", ["directory-ref src"]],
  ["@dir:src/a.ts", ["text @dir:src/a.ts"]],
  ["@url:https://x.test/a", ["file-ref https://x.test/a"]],
  ["@url:nothing", ["text @url:nothing"]],
  ["@skill:known, please", ["mention skill known", "text , please"]],
  ["@skill:other", ["text @skill:other"]],
  ["@team:known", ["text @team:known"]],
  ["@selection and @open", ["context selection", "text  and @open"]],
  ["@selections", ["text @selections"]],
  ["me@src/a.ts", ["text me@src/a.ts"]],
  ["mail ann@example.com.", ["text mail ann@example.com."]],
  ["@Component({})", ["text @Component({})"]],
  ["@types/node", ["text @types/node"]],
  ["git@src:x", ["text git@src:x"]],
  ["看@目录/文件.md，然后", ["text 看", "file-ref 目录/文件.md", "text ，然后"]],
  ["请看@src/a.ts的开头", ["text 请看", "file-ref src/a.ts", "text 的开头"]],
  ["\\@src/a.ts", ["text @src/a.ts"]],
  ["\\@nobody \\x", ["text \\@nobody \\x"]],
  // Code stays text.
  ["`@src/a.ts` @src/a.ts", ["text `@src/a.ts` ", "file-ref src/a.ts"]],
  ["`` a ` @src/a.ts `` x", ["text `` a ` @src/a.ts `` x"]],
  ["a ` @src/a.ts", ["text a ` ", "file-ref src/a.ts"]],
  ["a ` b\n\n@src/a.ts `", ["text a ` b\n\n", "file-ref src/a.ts", "text  `"]],
  [
    "```ts\n/review a\n@src/a.ts\n```\n/review b",
    ["text ```ts\n/review a\n@src/a.ts\n```\n", "command /review b"],
  ],
  ["~~~\n```\n/review\n~~~\n@src", ["text ~~~\n```\n/review\n~~~\n", "directory-ref src"]],
  ["```\n/review a", ["text ```\n/review a"]],
  ["/review `a\n@src/a.ts `", ["command /review `a", "text \n", "file-ref src/a.ts", "text  `"]],
];

for (const [text, expected] of TABLE) {
  test(`${JSON.stringify(text)} is ${expected.join(" | ")}`, async () => {
    assert.deepEqual(await linesOf([{ type: "typed", text }]), expected);
  });
}

test("every row of the table keeps every character", async () => {
  for (const [text] of TABLE) {
    const composed = await composeMessage({ parts: [{ type: "typed", text }] }, catalogue, host);
    assert.equal(composed.ok && literalText(composed.message.parts), text);
  }
});

const chip: DraftPart = { type: "file-ref", ref: { kind: "path", path: "src/b.ts" } };
const typed = (text: string): DraftPart => ({ type: "typed", text });

const MIXED: readonly (readonly [string, readonly DraftPart[], readonly string[]])[] = [
  [
    "a line does not begin behind a part",
    [chip, typed("/review a")],
    ["file-ref src/b.ts", "text /review a"],
  ],
  [
    "a command's arguments end before a part",
    [typed("/review a "), chip, typed(" b")],
    ["command /review a", "file-ref src/b.ts", "text  b"],
  ],
  [
    "no token reaches over a part",
    [typed("@src"), chip, typed("/a.ts")],
    ["directory-ref src", "file-ref src/b.ts", "text /a.ts"],
  ],
  [
    "a command that came as a part ends a paragraph",
    [typed("a ` b"), { type: "command", id: "/review" }, typed("( @src ` c @src")],
    [
      "text a ` b",
      "command /review ",
      "text ( ",
      "directory-ref src",
      "text  ` c ",
      "directory-ref src",
    ],
  ],
  [
    "a command's arguments end before a blank part",
    [typed("/review a"), { type: "text", text: " " }, typed("b")],
    ["command /review a", "text  ", "text b"],
  ],
  ["two typed texts read as one", [typed("/rev"), typed("iew a")], ["command /review a"]],
  [
    "a line begins behind a text part that ends one",
    [{ type: "text", text: "x\n" }, typed("/review a")],
    ["text x\n", "command /review a"],
  ],
  [
    "a word begins behind a paste that ends in a space",
    [{ type: "pasted", text: "see " }, typed("@src")],
    ["text see ", "directory-ref src"],
  ],
  [
    "a word does not begin behind a paste that does not",
    [{ type: "pasted", text: "see(" }, typed("@src")],
    ["text see(", "text @src"],
  ],
  [
    "a fence that is open goes on behind a part",
    [typed("```\n"), chip, typed("\n@src")],
    ["text ```\n", "file-ref src/b.ts", "text \n@src"],
  ],
];

for (const [name, parts, expected] of MIXED) {
  test(name, async () => assert.deepEqual(await linesOf(parts), expected));
}

test("a host that fails to answer leaves text and a note", async () => {
  const failing: ComposeHost = { kindOf: async () => Promise.reject(new Error("disk gone")) };
  const composed = await composeMessage({ parts: [typed("see @src/a.ts")] }, catalogue, failing);
  assert.ok(composed.ok);
  assert.deepEqual(composed.message.parts, [{ type: "text", text: "see @src/a.ts" }]);
  assert.deepEqual(composed.notes, [{ code: "host-failed", message: "disk gone" }]);
});

test("a kind that is known and a value that is not are noted", async () => {
  const composed = await composeMessage(
    { parts: [typed("@skill:other \\@skill:other")] },
    catalogue,
    host,
  );
  const message = "@skill:other stands for nothing here: kept as text";
  assert.deepEqual(composed.ok && composed.notes, [{ code: "unresolved-mention", message }]);
});

test("the host is asked about a path once, and about so many at most", async () => {
  let asked = 0;
  const counting: ComposeHost = {
    kindOf: async () => {
      asked += 1;
      return undefined;
    },
  };
  const twice = await composeMessage({ parts: [typed("@p @p @q")] }, catalogue, counting);
  assert.deepEqual([twice.ok, asked], [true, 2]);
  asked = 0;
  const many = Array.from({ length: 5000 }, (_, index) => `@p${index} @same`).join(" ");
  const composed = await composeMessage({ parts: [typed(many)] }, catalogue, counting);
  assert.ok(composed.ok);
  assert.equal(asked, 512);
  assert.equal(composed.notes[0]?.code, "too-many-tokens");
  assert.equal(literalText(composed.message.parts), many);
});
