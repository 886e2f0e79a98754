import assert from "node:assert/strict";
import { test } from "node:test";
import { readArgs } from "../command/bind.ts";
import type { ComposeHost, ShellResult } from "../host.ts";
import { type Expansion, expandTemplate } from "./expand.ts";
import { parseTemplate } from "./parse.ts";
import type { DialectId } from "./tree.ts";

type Ports = Pick<ComposeHost, "kindOf" | "shell">;

const workspace: Ports = {
  kindOf: async (path) =>
    path === "src" ? "directory" : ["src/a.ts", "b.md"].includes(path) ? "file" : undefined,
  shell: async (command) => ({ ok: true, output: `<${command}>\n` }),
};

const expand = (text: string, dialect: DialectId, raw = "", host = workspace): Promise<Expansion> =>
  expandTemplate(parseTemplate(text, dialect), readArgs(raw), host);

const text = (written: string) => ({ type: "text", text: written });
const file = (path: string, range?: { start: number; end: number }) => ({
  type: "file-ref",
  ref: { kind: "path", path, ...(range && { range }) },
});

test("an include stands where the author put it, and the sentence goes on", async () => {
  const { parts } = await expand("See @src/a.ts, then @b.md#L2-3.", "galley");
  const expected = [
    text("See "),
    file("src/a.ts"),
    text(", then "),
    file("b.md", { start: 2, end: 3 }),
    text("."),
  ];
  assert.deepEqual(parts, expected);
});

test("an include may be named by an argument", async () => {
  const { parts } = await expand("Review @$1 now", "claude", "zero src/a.ts");
  assert.deepEqual(parts, [text("Review "), file("src/a.ts"), text(" now")]);
});

test("an argument that looks like an include is text", async () => {
  const { parts } = await expand("Review $1 now", "claude", "zero @src/a.ts");
  assert.deepEqual(parts, [text("Review @src/a.ts now")]);
});

test("a folder becomes a reference to the folder", async () => {
  const { parts } = await expand("@src", "opencode");
  assert.deepEqual(parts, [{ type: "directory-ref", ref: { kind: "path", path: "src" } }]);
});

test("what is not there stays text in Markdown, with a note", async () => {
  const { parts, notes } = await expand("ask @ann about me@x.com", "claude");
  assert.deepEqual(parts, [text("ask @ann about me@x.com")]);
  assert.deepEqual(notes, [{ code: "include-not-found", message: "no file at ann: kept as text" }]);
});

test("Gemini's braces are a reference even when nothing is there", async () => {
  const { parts } = await expand("a @{ gone.md } b @{src} c", "gemini");
  const folder = { type: "directory-ref", ref: { kind: "path", path: "src" } };
  assert.deepEqual(parts, [text("a "), file("gone.md"), text(" b "), folder, text(" c")]);
});

const SHELLS: readonly (readonly [DialectId, string, string, string])[] = [
  ["galley", "a !`git log $1`", "x y", "a <git log 'x'>"],
  ["claude", "a !`git log $ARGUMENTS`", "x 'y z'", "a <git log 'x' 'y z'>"],
  ["claude", '!`git log "$ARGUMENTS"`', "x 'y z'", `<git log ""'x '\\''y z'\\'''"">`],
  ["claude", "a!`ls` $0", "x", "a!`ls` x"],
  ["claude", "```!\nls\npwd\n```", "", "<ls\npwd>"],
  ["claude", "```!\nls", "", "```!\nls"],
  ["opencode", "a!`ls`", "", "a<ls>"],
  ["opencode", "!`grep $1 $2`", "a b c", "<grep 'a' 'b' 'c'>"],
  ["pi", "!`ls`", "", "!`ls`"],
  ["gemini", "!{grep {{args}} .}", "it's here", "<grep 'it'\\''s here' .>"],
  ["gemini", "!{echo '{ \"a\": {} }'}", "", "<echo '{ \"a\": {} }'>"],
  ["gemini", "!{unclosed { }", "", "!{unclosed { }"],
  ["gemini", "a!{ }b", "", "ab"],
  ["gemini", "!`ls`", "", "!`ls`"],
];

for (const [dialect, template, raw, expected] of SHELLS) {
  test(`${dialect}: ${JSON.stringify(template)} gives ${JSON.stringify(expected)}`, async () => {
    assert.deepEqual((await expand(template, dialect, raw)).parts, [text(expected)]);
  });
}

const answers: readonly (readonly [string, ShellResult | Error | undefined, string])[] = [
  [
    "a failing command shows its output and its code",
    { ok: true, output: "no\n", exit_code: 3 },
    "no\n[the command ended with exit code 3]",
  ],
  [
    "a refused command leaves a placeholder",
    { ok: false, reason: "denied" },
    "[shell command not run: denied: !`ls $1`]",
  ],
  [
    "a shell that throws leaves a placeholder",
    new Error("gone"),
    "[shell command not run: gone: !`ls $1`]",
  ],
  [
    "without a shell there is a placeholder",
    undefined,
    "[shell command not run: no shell here: !`ls $1`]",
  ],
];

for (const [name, answer, expected] of answers) {
  test(name, async () => {
    const host: Ports = { kindOf: workspace.kindOf };
    if (answer !== undefined) {
      host.shell = async () => {
        if (answer instanceof Error) throw answer;
        return answer;
      };
    }
    const { parts, notes } = await expand("!`ls $1`", "galley", "x", host);
    assert.deepEqual(parts, [text(expected)]);
    const refused = answer === undefined || answer instanceof Error || !answer.ok;
    assert.equal(notes[0]?.code, refused ? "shell-not-run" : undefined);
  });
}

test("what a command prints is data", async () => {
  const printing: Ports = {
    ...workspace,
    shell: async () => ({ ok: true, output: "$1 @src/a.ts !`ls` /compact" }),
  };
  const { parts } = await expand("!`cat x` $1", "galley", "arg", printing);
  assert.deepEqual(parts, [text("$1 @src/a.ts !`ls` /compact arg")]);
});

test("arguments that no slot takes are noted where the dialect adds nothing", async () => {
  const { notes } = await expand("Do it.", "pi", "now");
  const message = "the template has no slot for its arguments: now";
  assert.deepEqual(notes, [{ code: "unused-arguments", message }]);
  assert.deepEqual((await expand("Do it.", "gemini", "now")).notes, []);
});

test("an empty template leaves nothing", async () => {
  assert.deepEqual(await expand("", "galley"), { parts: [], notes: [] });
});
