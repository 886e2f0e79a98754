import assert from "node:assert/strict";
import { test } from "node:test";
import { asCount, asList, asObject, asText, countOrNone, textOrNone } from "./json-value.ts";

const VALUES = JSON.parse('[null, true, "", "x", 0, -0, 3, -1, 1.5, 1e300, [1], {"a": 1}]');

test("a value of another type than expected counts as absent", () => {
  const none = undefined;
  const nones = (count: number): undefined[] => Array(count).fill(none);
  assert.deepEqual(VALUES.map(textOrNone), [none, none, "", "x", ...nones(8)]);
  assert.deepEqual(VALUES.map(asText), ["", "", "", "x", "", "", "", "", "", "", "", ""]);
  assert.deepEqual(VALUES.map(countOrNone), [...nones(4), 0, -0, 3, ...nones(5)]);
  assert.deepEqual(VALUES.map(asCount), [0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0]);
  assert.deepEqual(VALUES.map(asList), [...Array(10).fill([]), [1], []]);
  assert.deepEqual(VALUES.map(asObject), [...Array(11).fill({}), { a: 1 }]);
});
