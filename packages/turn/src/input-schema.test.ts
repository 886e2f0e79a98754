import assert from "node:assert/strict";
import { test } from "node:test";
import { inputFault } from "./input-schema.ts";

const READ = {
  name: "read",
  description: "",
  input_schema: {
    type: "object",
    additionalProperties: false,
    required: ["path"],
    properties: {
      path: { type: "string", minLength: 1 },
      lines: { type: "array", items: { type: "integer", minimum: 1 } },
      "a/b~c": { type: "string" },
      mode: { enum: ["text", "bytes"] },
    },
  },
};

test("an input that fits has no fault", () => {
  assert.equal(inputFault(READ, { path: "a.ts", lines: [1, 2], mode: "text" }), undefined);
});

const FAULTS: readonly (readonly [unknown, string])[] = [
  [{}, 'input: Instance does not have required property "path"'],
  [{ path: 1 }, 'path: Instance type "number" is invalid. Expected "string"'],
  [{ path: "a", lines: [1, 0] }, "lines[1]: 0 is less than 1"],
  [{ path: "a", other: true }, "other: there is no such field"],
  [{ path: "a", "a/b~c": 1 }, 'a/b~c: Instance type "number" is invalid. Expected "string"'],
  [{ path: "a", mode: "x" }, 'mode: Instance does not match any of ["text","bytes"]'],
  ["a.ts", 'input: Instance type "string" is invalid. Expected "object"'],
  [undefined, 'input: Instance type "null" is invalid. Expected "object"'],
];

for (const [input, line] of FAULTS) {
  test(`${JSON.stringify(input)} is refused: ${line}`, () => {
    assert.equal(inputFault(READ, input), `the input does not fit the tool read:\n- ${line}`);
  });
}

test("every fault is named, up to five", () => {
  const fault = inputFault(READ, { path: "", lines: [0, -1, -2, -3, -4] });
  assert.deepEqual(fault?.split("\n- ").slice(1), [
    "path: String is too short (0 < 1)",
    "lines[0]: 0 is less than 1",
    "lines[1]: -1 is less than 1",
    "lines[2]: -2 is less than 1",
    "lines[3]: -3 is less than 1",
    "and 1 more",
  ]);
});

test("a schema that is none is an error of its author", () => {
  const broken = { ...READ, input_schema: { properties: { a: { pattern: "(" } } } };
  assert.throws(() => inputFault(broken, { a: "x" }), /Invalid regular expression/);
});
