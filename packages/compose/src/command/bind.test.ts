import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTemplate } from "../template/parse.ts";
import { bindArgs, readArgs } from "./bind.ts";
import type { ArgumentSpec, CommandEntry } from "./entry.ts";

const entry = (specs: readonly ArgumentSpec[], namedWords = true): CommandEntry => ({
  name: "x",
  source: { kind: "builtin" },
  arguments: specs,
  namedWords,
  deed: { kind: "template", template: parseTemplate("", "galley") },
});

const spec = (name: string, more: Partial<ArgumentSpec> = {}): ArgumentSpec => ({
  name,
  type: "string",
  required: false,
  ...more,
});

const SPECS = [
  spec("path", { type: "path", required: true }),
  spec("count", { type: "integer", default: 1 }),
  spec("loud", { type: "boolean" }),
  spec("level", { enum: ["low", "high"] }),
  spec("rest", { rest: true }),
];

const named = (raw: string, specs = SPECS) => {
  const bound = bindArgs(entry(specs), readArgs(raw));
  return bound.ok ? bound.args.named : bound.issues;
};

const GOOD: readonly (readonly [string, unknown])[] = [
  ["a.ts", { path: "a.ts", count: 1 }],
  [
    "a.ts 3 yes high and so on",
    { path: "a.ts", count: 3, loud: true, level: "high", rest: "and so on" },
  ],
  ["a.ts count=4", { path: "a.ts", count: 4 }],
  ["--count=4 a.ts", { path: "a.ts", count: 4 }],
  ["--count 4 a.ts --loud", { path: "a.ts", count: 4, loud: true }],
  ["--loud a.ts", { path: "a.ts", count: 1, loud: true }],
  ['path="a b.ts"', { path: "a b.ts", count: 1 }],
  ["path=a.ts path=b.ts", ['count is "path=b.ts", not a whole number']],
  ["-- --count", { path: "--count", count: 1 }],
  ["a.ts -2 off", { path: "a.ts", count: -2, loud: false }],
];

for (const [raw, expected] of GOOD) {
  test(`${raw} binds`, () => assert.deepEqual(named(raw), expected));
}

const BAD: readonly (readonly [string, readonly string[]])[] = [
  ["", ["path is missing"]],
  ['""', ["path is missing"]],
  ["a.ts two", ['count is "two", not a whole number']],
  ["a.ts 1.5", ['count is "1.5", not a whole number']],
  ["a.ts 1 perhaps", ['loud is "perhaps", not true or false']],
  ["a.ts level=mid", ['level is "mid", not one of low, high']],
  [
    "count=x level=y",
    ["path is missing", 'count is "x", not a whole number', 'level is "y", not one of low, high'],
  ],
];

for (const [raw, issues] of BAD) {
  test(`${JSON.stringify(raw)} does not bind: ${issues.join("; ")}`, () => {
    assert.deepEqual(named(raw), issues);
  });
}

test("a refusal says how to call it", () => {
  const bound = bindArgs(entry(SPECS), readArgs(""));
  assert.equal(!bound.ok && bound.usage, "/x <path> [count] [loud] [level:low|high] [rest…]");
});

test("numbers are numbers, and nothing else is", () => {
  const specs = [spec("n", { type: "number" })];
  assert.deepEqual(named("1.5", specs), { n: 1.5 });
  assert.deepEqual(named("NaN", specs), ['n is "NaN", not a number']);
  assert.deepEqual(named("Infinity", specs), ['n is "Infinity", not a number']);
});

test("where names are not read, a word with an equals sign is a word", () => {
  const bound = bindArgs(entry([spec("a"), spec("b")], false), readArgs("b=1 a=2"));
  assert.deepEqual(bound.ok && bound.args.named, { a: "b=1", b: "a=2" });
});

test("what a surface gives by name comes first and is checked", () => {
  const bound = bindArgs(entry(SPECS), readArgs("a.ts"), { count: 7 });
  assert.deepEqual(bound.ok && bound.args.named, { count: 7, path: "a.ts" });
  const wrong = bindArgs(entry(SPECS), readArgs("a.ts"), { count: "many", loud: 1 });
  assert.deepEqual(!wrong.ok && wrong.issues, [
    'count is "many", not a whole number',
    "loud is 1, not true or false",
  ]);
});

test("a command without declared arguments has none by name", () => {
  const bound = bindArgs(entry([]), readArgs("a=b"));
  assert.deepEqual(bound, { ok: true, args: { raw: "a=b", argv: ["a=b"] } });
});

test("an argument may have any name", () => {
  const bound = bindArgs(entry([spec("__proto__")]), readArgs("x"));
  assert.ok(bound.ok);
  assert.deepEqual(Object.entries(bound.args.named ?? {}), [["__proto__", "x"]]);
});
