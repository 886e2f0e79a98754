import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { expandText } from "../template/expand.ts";
import { DIALECTS } from "../template/tree.ts";
import { readArgs } from "./bind.ts";
import { readCommandFile } from "./command-file.ts";

const read = (path: string, text: string) => readCommandFile({ path, text, scope: "project" });

test("a file of ours has typed arguments, a hint and settings", async () => {
  const text = `---
description: Review a file
argument-hint: <path> [severity]
aliases: [rv, /check]
model: anthropic/x
agent: reviewer
subtask: true
allowed-tools: Read, Bash(git *)
arguments:
  - name: path
    type: path
    required: true
    description: what to read
  - { name: severity, enum: [low, high], default: low }
  - { name: count, type: integer, default: "3" }
---

Review \${path} (\${severity}).
`;
  const { entry, findings } = await read(".agents/commands/git/review.md", text);
  assert.deepEqual(findings, []);
  assert.ok(entry?.deed.kind === "template");
  const { deed, ...rest } = entry;
  assert.deepEqual(rest, {
    name: "git:review",
    aliases: ["rv", "check"],
    source: { kind: "project", file: ".agents/commands/git/review.md", dialect: "galley" },
    description: "Review a file",
    argumentHint: "<path> [severity]",
    arguments: [
      { name: "path", type: "path", required: true, description: "what to read" },
      { name: "severity", type: "string", required: false, enum: ["low", "high"], default: "low" },
      { name: "count", type: "integer", required: false, default: 3 },
    ],
    namedWords: true,
    settings: {
      model: "anthropic/x",
      agent: "reviewer",
      subtask: true,
      allowed_tools: ["Read", "Bash(git *)"],
    },
  });
  const named = { path: "a.ts", severity: "high" };
  assert.equal(expandText(deed.template, { ...readArgs("a.ts"), named }), "Review a.ts (high).");
});

test("a Claude file names its arguments in a line, by position only", async () => {
  const text =
    "---\narguments: issue branch\nargument-hint: [issue] [branch]\n---\nFix $issue on $branch, $0.";
  const { entry, findings } = await read(".claude/commands/fix.md", text);
  assert.deepEqual(
    entry?.arguments?.map(({ name }) => name),
    ["issue", "branch"],
  );
  assert.equal(entry?.namedWords, undefined);
  assert.equal(entry?.argumentHint, "[issue] [branch]");
  assert.deepEqual(
    findings.map(({ line, severity }) => [line, severity]),
    [[3, "warning"]],
  );
});

test("without a description the first line is one", async () => {
  const { entry } = await read(".pi/prompts/x.md", "\n\n# Audit the changelog\nmore");
  assert.equal(entry?.description, "Audit the changelog");
});

test("a colon in a value loads, with a warning that says where", async () => {
  const text = "---\nmodel: x\ndescription: now: later\n---\nDo it: $ARGUMENTS";
  const { entry, findings } = await read(".opencode/command/x.md", text);
  assert.equal(entry?.description, "now: later");
  assert.deepEqual(entry?.settings, { model: "x" });
  assert.deepEqual(
    findings.map(({ file, line, severity, fix }) => ({ file, line, severity, fix })),
    [
      {
        file: ".opencode/command/x.md",
        line: 3,
        severity: "warning",
        fix: "put the value in double quotes",
      },
    ],
  );
});

type Row = readonly [string, string, string, number, RegExp];

const ODD: readonly Row[] = [
  ["an unclosed head", ".claude/commands/x.md", "---\ndescription: x\nbody", 1, /not closed/],
  ["a head that is a list", ".claude/commands/x.md", "---\n- a\n---\nbody", 2, /not a list of/],
  [
    "a key that means nothing here",
    ".pi/prompts/x.md",
    "---\nmodel: y\n---\nbody",
    2,
    /`model` has no effect/,
  ],
  ["an empty template", ".agents/commands/x.md", "---\ndescription: y\n---\n\n", 4, /empty/],
  [
    "an undeclared name",
    ".agents/commands/x.md",
    "a\n${who} ${who}",
    2,
    /\$\{who\} is not a declared argument/,
  ],
  [
    "an argument in a nested shell",
    ".agents/commands/x.md",
    "a\n\n!`echo $(cat $1)`",
    3,
    /\$1 cannot be escaped/,
  ],
  [
    "an unknown type",
    ".agents/commands/x.md",
    "---\narguments: [{ name: a, type: date }]\n---\n$1",
    2,
    /unknown type "date"/,
  ],
  [
    "a default of another type",
    ".agents/commands/x.md",
    "---\narguments: [{ name: a, type: integer, default: x }]\n---\n$1",
    2,
    /does not fit/,
  ],
  ["a bad name", ".agents/commands/x.md", "---\narguments: [a b, 1x]\n---\n$1", 2, /not a name/],
  ["a name twice", ".agents/commands/x.md", "---\narguments: [a, a]\n---\n$1", 2, /twice/],
  [
    "a rest before the end",
    ".agents/commands/x.md",
    "---\narguments: [{ name: a, rest: true }, b]\n---\n$1",
    2,
    /not the last/,
  ],
  [
    "arguments that are no list",
    ".agents/commands/x.md",
    "---\narguments: 7\n---\n$1",
    2,
    /not a list/,
  ],
];

for (const [name, path, text, line, says] of ODD) {
  test(`${name} loads with a warning on line ${line}`, async () => {
    const { entry, findings } = await read(path, text);
    assert.ok(entry, "is loaded");
    assert.equal(findings[0]?.severity, "warning");
    assert.match(findings[0]?.says ?? "", says);
    assert.equal(findings[0]?.line, line);
  });
}

test("a Gemini file is TOML", async () => {
  const text = 'description = "Find"\nprompt = """\nLook for {{args}}.\n"""\n';
  const { entry, findings } = await read(".gemini/commands/git/find.toml", text);
  assert.deepEqual(findings, []);
  assert.equal(entry?.name, "git:find");
  assert.ok(entry?.deed.kind === "template");
  assert.equal(expandText(entry.deed.template, readArgs("it")), "Look for it.\n");
});

const REFUSED: readonly Row[] = [
  ["TOML that is none", ".gemini/commands/x.toml", 'a = 1\nprompt = "x', 2, /not TOML/],
  ["no prompt", ".gemini/commands/x.toml", 'description = "x"', 1, /no `prompt`/],
  ["a prompt that is a number", ".gemini/commands/x.toml", "a = 1\nprompt = 3", 2, /not text/],
  ["a file elsewhere", "docs/x.md", "hello", 1, /not in a folder/],
];

for (const [name, path, text, line, says] of REFUSED) {
  test(`${name} is an error on line ${line}, and nothing is loaded`, async () => {
    const { entry, findings } = await read(path, text);
    assert.equal(entry, undefined);
    assert.equal(findings[0]?.severity, "error");
    assert.match(findings[0]?.says ?? "", says);
    assert.equal(findings[0]?.line, line);
  });
}

test("a mark of byte order and Windows line ends change nothing", async () => {
  const { entry, findings } = await read(
    ".agents/commands/x.md",
    "\uFEFF---\r\ndescription: y\r\n---\r\n\r\nHi $1\r\n",
  );
  assert.deepEqual(findings, []);
  assert.equal(entry?.description, "y");
  assert.ok(entry?.deed.kind === "template");
  assert.equal(expandText(entry.deed.template, readArgs("a")), "Hi a");
});

test("no text makes reading fail", async () => {
  const hostile = fc.constantFrom(
    "---\n",
    "*a",
    "&a [*a]",
    "a: b: c",
    "!!x",
    "[",
    "{",
    "\t",
    "${x}",
    "!{",
    '"""',
    "__proto__: 1",
    "x".repeat(50),
    "- ",
  );
  const text = fc
    .array(fc.oneof(hostile, fc.string({ unit: "binary" })), { maxLength: 20 })
    .map((all) => all.join("\n"));
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.constantFrom(...DIALECTS),
      fc.boolean(),
      async (body, dialect, headed) => {
        const file = {
          path: "x.md",
          text: headed ? `---\n${body}` : body,
          scope: "user",
          dialect,
        } as const;
        const { entry, findings } = await readCommandFile(file);
        assert.equal(
          entry === undefined,
          findings.some(({ severity }) => severity === "error"),
        );
      },
    ),
    { numRuns: 400 },
  );
  const nested = await read(".agents/commands/x.md", `---\na: ${"[".repeat(50_000)}\n---\nbody`);
  assert.ok(nested.entry);
  const aliases = Array.from(
    { length: 20 },
    (_, at) => `a${at}: &a${at} [${`*a${at - 1},`.repeat(at && 9)}]`,
  );
  assert.ok((await read(".agents/commands/x.md", `---\n${aliases.join("\n")}\n---\nbody`)).entry);
  const toml = await read(".gemini/commands/x.toml", `a = ${"[".repeat(50_000)}`);
  assert.equal(toml.findings[0]?.severity, "error");
});
