import assert from "node:assert/strict";
import { test } from "node:test";
import { schemaProblem, shownSchema } from "./foreign-schema.ts";

const deep = (levels: number): object =>
  levels === 0 ? { type: "string" } : { type: "object", properties: { a: deep(levels - 1) } };

const GOOD: readonly object[] = [
  { type: "object" },
  { type: "object", properties: { a: { type: ["string", "null"] }, "b.c-d_e": true } },
  { type: "object", properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: { type: "string" } } },
  {
    type: "object",
    properties: { list: { type: "array", items: { anyOf: [{ type: "string" }] } } },
  },
  { type: "object", additionalProperties: { type: "string", pattern: "^(a+)+$" } },
  deep(32),
];

for (const schema of GOOD) {
  test(`a provider takes ${JSON.stringify(schema).slice(0, 60)}`, () => {
    assert.equal(schemaProblem(schema), undefined);
  });
}

const BAD: readonly (readonly [unknown, string])[] = [
  [undefined, "its input schema is no object"],
  [[], "its input schema is no object"],
  [{}, "its input schema is not of the type object"],
  [{ type: ["object"] }, "its input schema is not of the type object"],
  [{ type: "object", anyOf: [] }, "its input schema has anyOf at the top, which no provider takes"],
  [
    { type: "object", properties: { "a b": {} } },
    "its input schema has a property whose name is not letters, digits, _, . and - (64 at most)",
  ],
  [
    { type: "object", properties: { a: { type: "text" } } },
    "its input schema names a type that JSON does not have",
  ],
  [
    { type: "object", properties: { a: { type: "array" } } },
    "its input schema has an array that does not say of what",
  ],
  [{ type: "object", properties: { a: 1 } }, "a schema inside its input schema is none"],
  [{ type: "object", properties: [] }, "a schema inside its input schema is none"],
  [
    { type: "object", properties: { a: { $ref: "https://example.com/a.json" } } },
    "its input schema refers to something outside itself",
  ],
  [deep(33), "its input schema is nested more than 32 levels deep"],
  [
    { type: "object", description: "x".repeat(33_000) },
    "its input schema is longer than 32768 bytes",
  ],
];

for (const [schema, problem] of BAD) {
  test(`refused: ${JSON.stringify(schema)?.slice(0, 60)}`, () => {
    assert.equal(schemaProblem(schema), problem);
  });
}

test("a schema is shown without the line of its dialect", () => {
  const schema = { $schema: "http://json-schema.org/draft-07/schema#", type: "object" };
  assert.deepEqual(shownSchema(schema), { type: "object" });
});
