import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { holds } from "./evaluate.ts";
import { parseExpression } from "./parse.ts";

const SUBJECT = {
  parameters: {
    lang: "ts",
    count: 3,
    loud: true,
    none: null,
    list: ["a", { x: 1 }],
    "odd key": "k",
    deep: { er: { still: "yes" } },
    empty: [],
  },
  scope: "workspace",
  tags: ["api", "docs"],
};

const decide = (text: string): boolean | string => {
  const parsed = parseExpression(text);
  return parsed.ok ? holds(parsed.expression, SUBJECT) : parsed.fault.says;
};

const TABLE: readonly (readonly [string, boolean])[] = [
  ['parameters.lang == "ts" and scope == "workspace"', true],
  ["parameters.lang == 'js' or scope == 'workspace'", true],
  ["parameters.lang != 'ts'", false],
  ["'api' in tags", true],
  ["'web' not in tags", true],
  ["not 'api' in tags", false],
  ["parameters.count == 3", true],
  ["parameters.count == '3'", false],
  ["parameters.count in [1, 2, 3]", true],
  ["parameters.loud", true],
  ["not parameters.empty", true],
  ["parameters.missing", false],
  ["parameters.missing == null", true],
  ["parameters.missing.deeper == none", true],
  ["parameters.none == null", true],
  ["parameters.deep.er.still == 'yes'", true],
  ["parameters['odd key'] == 'k'", true],
  ["parameters.list[0] == 'a'", true],
  ["parameters.list[9] == null", true],
  ["'er' in parameters.deep", true],
  ["'toString' in parameters.deep", false],
  ["parameters.toString", false],
  ["parameters.constructor == null", true],
  ["'work' in scope", true],
  ["3 in scope", false],
  ["'x' in 3", false],
  ["tags == ['api', 'docs']", true],
  ["parameters.deep == parameters.deep", true],
  ["false or not (false and true)", true],
  ["true or true and false", true],
  ["[] == parameters.empty", true],
  ["True", true],
  ["-1 == -1.0", true],
  ["'a\\'b\\n' == \"a'b\\n\"", true],
];

for (const [text, expected] of TABLE) {
  test(`${text} is ${expected}`, () => assert.equal(decide(text), expected));
}

const FAULTS: readonly (readonly [string, number, string])[] = [
  ["", 1, "a value is missing"],
  ["lang == 'ts'", 1, "`lang` is not a name here"],
  ["scope = 'x'", 7, "`=` means nothing here"],
  ["scope === 'x'", 7, "`===` means nothing here"],
  ["scope == 'x' && true", 14, "`&&` means nothing here"],
  ["scope == 'x", 10, "this text is not closed"],
  ["scope == 'x' true", 14, "the condition ends before this"],
  ["scope == 'x' == true", 14, "comparisons do not chain"],
  ["(scope", 7, "a `)` is missing"],
  ["scope in ['a' 'b']", 15, "the list is not closed"],
  ["parameters.", 12, "a key is missing"],
  ["parameters[scope]", 12, "a key is missing"],
  ["scope ==", 9, "a value is missing"],
  ["and", 1, "a value is missing"],
  [`${"(".repeat(60)}true${")".repeat(60)}`, 52, "the condition is nested too deeply"],
  [`${"not ".repeat(60)}true`, 205, "the condition is nested too deeply"],
  ["x".repeat(2001), 2000, "the condition has 2001 characters, of at most 2000"],
];

for (const [text, column, says] of FAULTS) {
  test(`${text.slice(0, 24)} is refused at column ${column}`, () => {
    const parsed = parseExpression(text);
    assert.ok(!parsed.ok);
    assert.deepEqual([parsed.fault.column, parsed.fault.says], [column, says]);
    assert.notEqual(parsed.fault.fix, "");
  });
}

const WORDS = [
  ..."()[],.",
  ..."parameters scope tags and or not in == != true null 'a' 3 lang x".split(" "),
];
const anyCondition = fc.oneof(
  fc.array(fc.constantFrom(...WORDS), { maxLength: 14 }).map((words) => words.join(" ")),
  fc.string({ unit: "binary" }),
);

test("any text is a condition that decides over any request, or a fault with its column", () => {
  fc.assert(
    fc.property(
      anyCondition,
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.string(),
      fc.array(fc.string()),
      (text, parameters, scope, tags) => {
        const parsed = parseExpression(text);
        if (parsed.ok) {
          assert.equal(typeof holds(parsed.expression, { parameters, scope, tags }), "boolean");
        } else {
          assert.ok(parsed.fault.column >= 1 && parsed.fault.column <= text.length + 1);
        }
      },
    ),
    { numRuns: 3000 },
  );
});
