import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalJson } from "@galley/parts";
import fc from "fast-check";
import { capPayload } from "./cap-payload.ts";
import type { JsonObject } from "./sample.ts";
import { utf8Bytes } from "./text-size.ts";

const CAP = 2048;
const bytes = (value: unknown): number => utf8Bytes(canonicalJson(value));

test("a payload that fits is handed back as it is", () => {
  const payload = { b: 1, a: "x".repeat(1000) };
  const capped = capPayload(payload, CAP);
  assert.equal(capped.payload, payload);
  assert.equal(capped.cut, false);
});

test("a payload of exactly the cap fits, and one byte more is cut", () => {
  const exact = { a: "x".repeat(CAP - bytes({ a: "" })) };
  assert.equal(bytes(exact), CAP);
  assert.equal(capPayload(exact, CAP).cut, false);
  assert.equal(capPayload({ a: `${exact.a}x` }, CAP).cut, true);
});

test("a long text keeps its beginning, and the payload says where and how much was cut", () => {
  const { payload } = capPayload({ path: "a.ts", text: "x".repeat(5000) }, CAP);
  assert.equal(payload.path, "a.ts");
  const text = String(payload.text);
  assert.match(text, /^x{1900,2048}$/);
  const shown = bytes({ path: "a.ts", text });
  assert.deepEqual(payload.truncated, { shown, total: 5025, unit: "bytes", cut: ["/text"] });
});

test("a long list keeps its first entries, and ids in it stay whole", () => {
  const nodes = Array.from({ length: 500 }, (_, index) => ({
    id: `node-${index}-${"n".repeat(30)}`,
  }));
  const { payload } = capPayload({ nodes }, CAP);
  const kept = payload.nodes as typeof nodes;
  assert.ok(kept.length > 20, `${kept.length} entries`);
  assert.deepEqual(kept, nodes.slice(0, kept.length));
  assert.deepEqual((payload.truncated as JsonObject).cut, ["/nodes"]);
});

test("more places than are named are counted", () => {
  const long = "y".repeat(900);
  const { payload } = capPayload({ a: long, b: long, c: long, d: long, e: long, f: long }, CAP);
  const { cut, more } = payload.truncated as JsonObject;
  assert.deepEqual(cut, ["/a", "/b", "/c", "/d"]);
  assert.equal(more, 2);
});

test("a place is a JSON pointer, in which a slash in a key is escaped", () => {
  const { payload } = capPayload({ "a/b~c": "x".repeat(5000) }, CAP);
  assert.deepEqual((payload.truncated as JsonObject).cut, ["/a~1b~0c"]);
});

test("a host's own entry of that name is kept beside the note", () => {
  const { payload } = capPayload({ truncated: "mine", text: "x".repeat(5000) }, CAP);
  assert.equal(payload.truncated, "mine");
  assert.equal(
    (payload.truncated_ as JsonObject).total,
    bytes({ truncated: "mine", text: "x".repeat(5000) }),
  );
});

test("entries that are to be kept stay whole", () => {
  const id = "i".repeat(700);
  const { payload } = capPayload({ id, text: "x".repeat(5000) }, 1024, ["id"]);
  assert.equal(payload.id, id);
  assert.ok(bytes(payload) <= 1024);
});

test("where everything has to give way, what is left of it is whole ids", () => {
  const id = "0f8fad5b-d9cb-469f-a165-70867728950e";
  const twenty = <T>(each: T): T[] => Array.from({ length: 20 }, () => each);
  const { payload } = capPayload({ tree: twenty(twenty(twenty(id))) }, CAP);
  const leaves = (payload.tree as string[][][]).flat(2);
  assert.ok(leaves.length > 10, `${leaves.length} ids`);
  assert.deepEqual([...new Set(leaves)], [id]);
});

test("what lies deeper than 64 levels is cut, however small it is", () => {
  let deep: JsonObject = { end: true };
  for (let level = 0; level < 100_000; level += 1) deep = { in: deep };
  const { payload, cut } = capPayload(deep, CAP);
  assert.equal(cut, true);
  assert.ok(canonicalJson(payload).length < CAP);
  const { cut: places, more } = payload.truncated as JsonObject;
  assert.deepEqual([places, more], [[], 1]);
});

test("a list of a million entries is cut to the cap", () => {
  const { payload } = capPayload({ list: Array.from({ length: 1_000_000 }, () => 1) }, CAP);
  assert.ok(bytes(payload) <= CAP);
  assert.equal((payload.truncated as JsonObject).total, 2_000_010);
});

const json = fc.jsonValue({ maxDepth: 5, stringUnit: "binary" }) as fc.Arbitrary<
  JsonObject[string]
>;
const big = fc.oneof(
  fc.string({ minLength: 500, maxLength: 4000, unit: "binary" }),
  fc.array(json, { minLength: 30, maxLength: 200 }),
);
const payloads = fc.dictionary(
  fc.string({ maxLength: 30, unit: "binary" }),
  fc.oneof(json, big),
) as fc.Arbitrary<JsonObject>;

test("whatever the payload, the result fits, is JSON, and is its own cut", () => {
  fc.assert(
    fc.property(payloads, (payload) => {
      const { payload: capped, cut } = capPayload(payload, CAP);
      assert.ok(bytes(capped) <= CAP, `${bytes(capped)} bytes`);
      assert.equal(cut, bytes(payload) > CAP);
      assert.deepEqual(capPayload(capped, CAP), { payload: capped, cut: false });
    }),
    { numRuns: 150 },
  );
});

test("the order in which keys came does not change the cut", () => {
  fc.assert(
    fc.property(payloads, (payload) => {
      const turned = Object.fromEntries(Object.entries(payload).reverse());
      const [a, b] = [payload, turned].map((each) => canonicalJson(capPayload(each, CAP).payload));
      assert.equal(a, b);
    }),
    { numRuns: 100 },
  );
});
