import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { contentIdsIn } from "./hoisted.ts";
import { readObject, withMembers } from "./json-text.ts";
import { payloadText } from "./payload-text.ts";
import { StoreError } from "./store-error.ts";

const CASES: readonly (readonly [string, object, string])[] = [
  ["{}", { a: 1 }, '{"a":1}'],
  [" { } ", {}, "{}"],
  ['{"a":1,"b":2}', { a: undefined }, '{"b":2}'],
  ['{"a":1,"b":2}', { b: null }, '{"a":1,"b":null}'],
  [
    '{ "a" : [1, {"x":"]}"}] ,"b":"\\"}" }',
    { c: "d" },
    '{"a" : [1, {"x":"]}"}],"b":"\\"}","c":"d"}',
  ],
  [
    '{"n":12345678901234567890,"f":1.0}',
    { z: true },
    '{"n":12345678901234567890,"f":1.0,"z":true}',
  ],
  ['{"a":1,"b":2,"a":3}', { a: 4 }, '{"b":2,"a":4}'],
  ['{"\\u0061":1}', { a: undefined }, "{}"],
  ['{"__proto__":{"x":1},"2":0,"1":0}', { y: 1 }, '{"__proto__":{"x":1},"2":0,"1":0,"y":1}'],
];

for (const [text, changes, expected] of CASES) {
  test(`${text} with ${JSON.stringify(changes)} is ${expected}`, () => {
    assert.equal(withMembers(text, { ...changes }), expected);
  });
}

test("an edited text reads as the edited object, for any object and any blanks", () => {
  const key = fc.oneof(fc.constantFrom("a", "b", "c"), fc.string({ unit: "grapheme" }));
  const object = fc.dictionary(key, fc.jsonValue(), { noNullPrototype: true });
  fc.assert(
    fc.property(
      object,
      object,
      fc.constantFrom(0, 1, "\t"),
      fc.boolean(),
      (before, set, blanks, remove) => {
        const text = JSON.stringify(before, null, blanks);
        const changes = Object.fromEntries(
          Object.entries(set).map(([name, value]) => [name, remove ? undefined : value]),
        );
        const expected = new Map(Object.entries(JSON.parse(text)));
        for (const [name, value] of Object.entries(changes)) {
          if (value === undefined) expected.delete(name);
          else expected.set(name, JSON.parse(JSON.stringify(value)));
        }
        const read = JSON.parse(withMembers(text, changes));
        assert.deepEqual(new Map(Object.entries(read)), expected);
      },
    ),
    { numRuns: 2000 },
  );
});

test("only an object is an object", () => {
  for (const text of ["[]", "null", "1", '"{}"', "", "{", "{'a':1}"]) {
    assert.throws(
      () => readObject(text, "it"),
      (error) => StoreError.is(error, "invalid"),
      text,
    );
  }
});

test("equal values have one spelling, and others another", () => {
  assert.equal(
    payloadText({ b: [1, { d: 1, c: null }], a: "é" }),
    '{"a":"é","b":[1,{"c":null,"d":1}]}',
  );
  assert.equal(payloadText({ a: undefined, b: 1 }), payloadText({ b: 1 }));
  assert.notEqual(payloadText([1, 2]), payloadText([2, 1]));
  assert.notEqual(payloadText({ a: "1" }), payloadText({ a: 1 }));
});

test("a value that is nested too deep to walk is refused, not a crash", () => {
  const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
  assert.throws(
    () => payloadText(deep),
    (error) => StoreError.is(error, "invalid"),
  );
});

test("content ids are found wherever they stand, and nowhere else", () => {
  const [one, two] = [`sha256:${"1".repeat(64)}`, `sha256:${"2".repeat(64)}`];
  const text = JSON.stringify({
    content_id: two,
    deep: [{ ref: { content_id: one } }, { content_id: one }],
    text: `"content_id":"sha256:${"3".repeat(64)}"`,
    other: `sha256:${"4".repeat(64)}`,
    short: { content_id: "sha256:12" },
  });
  assert.deepEqual(contentIdsIn(text), [one, two]);
});
