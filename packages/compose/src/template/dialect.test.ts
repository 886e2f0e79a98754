/** The same template in each dialect, for `/probe src/foo.ts critical "two words" x`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readArgs } from "../command/bind.ts";
import { expandText } from "./expand.ts";
import { parseTemplate } from "./parse.ts";
import { DIALECTS, type DialectId } from "./tree.ts";

const RAW = 'src/foo.ts critical "two words" x';

const fill = (text: string, dialect: DialectId, raw = RAW, names: string[] = []): string =>
  expandText(parseTemplate(text, dialect, names), readArgs(raw));

/** Token → what it becomes in galley, claude, opencode, pi, gemini. `=`: it stays as it is. */
const PROBE: readonly (readonly [string, string, string, string, string, string])[] = [
  ["$1", "src/foo.ts", "critical", `${"src/foo.ts critical two words x"}`, "src/foo.ts", "="],
  ["$0", "=", "src/foo.ts", "=", "", "="],
  ["$3", "two words", "x", "two words x", "two words", "="],
  ["$10", "", "=", "", "", "="],
  ["$ARGUMENTS", RAW, RAW, RAW, RAW, "="],
  ["$ARGUMENTS[0]", `${RAW}[0]`, "src/foo.ts", `${RAW}[0]`, `${RAW}[0]`, "="],
  ["$@", RAW, "=", "=", RAW, "="],
  ["\\$1", "$1", "$1", "\\src/foo.ts critical two words x", "\\src/foo.ts", "="],
  ["$$1", "$1", "$critical", "$src/foo.ts critical two words x", "$src/foo.ts", "="],
  ["{{args}}", "=", "=", "=", "=", RAW],
  ["${1}", "src/foo.ts", "=", "=", "=", "="],
  ["${9:-none}", "none", "=", "=", "none", "="],
  ["${2:-none}", "critical", "=", "=", "critical", "="],
  ["${@:-none}", RAW, "=", "=", RAW, "="],
  ["${@:2}", "critical two words x", "=", "=", "critical two words x", "="],
  ["${@:2:2}", "critical two words", "=", "=", "critical two words", "="],
  ["${@:0:1}", "src/foo.ts", "=", "=", "src/foo.ts", "="],
  ["${HOME}", "=", "=", "=", "=", "="],
  ["$HOME", "=", "=", "=", "=", "="],
];

for (const [token, ...columns] of PROBE) {
  for (const [index, dialect] of DIALECTS.entries()) {
    const column = columns[index] as string;
    const expected = column === "=" ? token : column;
    test(`${dialect}: ${token} becomes ${JSON.stringify(expected)}`, () => {
      // A slot that takes arguments stands beside it, so that none are left over.
      const beside = {
        galley: "$@",
        claude: "$ARGUMENTS",
        opencode: "$ARGUMENTS",
        pi: "$@",
        gemini: "{{args}}",
      };
      assert.equal(fill(`<${token}> ${beside[dialect]}`, dialect), `<${expected}> ${RAW}`);
    });
  }
}

test("opencode's highest number takes the rest, and only that one", () => {
  assert.equal(fill("$1|$2", "opencode"), "src/foo.ts|critical two words x");
  assert.equal(fill("$2|$1", "opencode", "a"), "|a");
  assert.equal(fill("$1|$4", "opencode"), "src/foo.ts|x");
});

const LEFTOVER: readonly (readonly [DialectId, string])[] = [
  ["galley", "Do it."],
  ["claude", "Do it.\n\nARGUMENTS: now $1"],
  ["opencode", "Do it.\n\nnow $1"],
  ["pi", "Do it."],
  ["gemini", "Do it.\n\nnow $1"],
];

for (const [dialect, expected] of LEFTOVER) {
  test(`${dialect}: arguments without a slot give ${JSON.stringify(expected)}`, () => {
    assert.equal(fill("Do it.", dialect, "now $1"), expected);
    assert.equal(fill("Do it.", dialect, ""), "Do it.");
  });
}

test("argument text is never read again, in no dialect", () => {
  const hostile = "$1 $2 $@ $ARGUMENTS ${@:2} {{args}} \\$ $$ $& $` !`rm` !{rm} @src/a.ts";
  assert.equal(fill("[$ARGUMENTS]", "galley", hostile), `[${hostile}]`);
  assert.equal(fill("[$ARGUMENTS]", "claude", hostile), `[${hostile}]`);
  assert.equal(fill("[$ARGUMENTS]", "opencode", hostile), `[${hostile}]`);
  assert.equal(fill("[$ARGUMENTS] $1", "pi", hostile), `[${hostile}] $1`);
  assert.equal(fill("[{{args}}]", "gemini", hostile), `[${hostile}]`);
});

test("galley: a name is a slot only when the file declares it", () => {
  const template = parseTemplate("${who} ${where:-here} ${HOME}", "galley", ["who", "where"]);
  const named = { who: "Ann" };
  assert.equal(expandText(template, { raw: "", argv: [], named }), "Ann here ${HOME}");
});

test("a default also stands in for an argument that is there and empty", () => {
  assert.equal(fill("${1:-none}|${2:-none}", "galley", '"" b'), "none|b");
});

test("galley: a doubled backslash before a dollar is one backslash", () => {
  assert.equal(fill("a\\\\$1 b\\c \\\\d", "galley", "x"), "a\\x b\\c \\\\d");
});

test("claude: a declared name is a slot, the longest that fits", () => {
  const names = ["issue", "issue-title"];
  const template = parseTemplate("$issue|$issue-title|$issue-x|$issues|\\$issue", "claude", names);
  const args = { raw: "7 T", argv: ["7", "T"], named: { issue: "7", "issue-title": "T" } };
  assert.equal(expandText(template, args), "7|T|7-x|$issues|$issue");
});

test("claude: a backslash before a dollar that begins no slot stays", () => {
  assert.equal(fill("\\$HOME $0", "claude", "a"), "\\$HOME a");
});
