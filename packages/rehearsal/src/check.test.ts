import assert from "node:assert/strict";
import { test } from "node:test";
import { byType, check, choice, list, nullable, object, optional, tagged, text } from "./check.ts";

const found = (shape: Parameters<typeof check>[0], value: unknown) =>
  check(shape, value).findings.map(({ kind, path }) => `${kind} ${path.join(".")}`);

const point = object({ x: text(), y: optional(text()) });

test("a closed object finds what is missing, then what is unknown", () => {
  assert.deepEqual(found(point, { y: "1", z: "2" }), ["missing x", "unknown z"]);
});

test("names of the object prototype are unknown names like any other", () => {
  const hostile = JSON.parse('{"x":"1","constructor":1,"__proto__":{}}');
  assert.deepEqual(found(point, hostile), ["unknown constructor", "unknown __proto__"]);
  assert.deepEqual(found(tagged("type", { a: point }), { type: "toString" }), ["tag "]);
});

test("an open object keeps what it does not know", () => {
  const open = object({ x: text() }, { open: true });
  assert.deepEqual(check(open, { x: "1", z: [2] }), { value: { x: "1", z: [2] }, findings: [] });
});

test("an alias is read under its canonical name and reported under its own", () => {
  const proto = object(
    { mimeType: text() },
    { alias: (key) => key.replace("_t", "T"), nullIsAbsent: true },
  );
  assert.deepEqual(check(proto, { mime_type: "a" }).value, { mimeType: "a" });
  assert.deepEqual(found(proto, { mime_type: null, bad_type: 1 }), [
    "missing mimeType",
    "unknown bad_type",
  ]);
});

test("a tag can be part of the path", () => {
  const union = tagged("type", { a: object({ type: choice("a"), n: text() }) }, true);
  assert.deepEqual(found(list(union), [{ type: "a" }, {}, "x"]), [
    "missing 0.a.n",
    "missing 1.type",
    "type 2",
  ]);
});

test("null passes only where it may", () => {
  assert.deepEqual(found(nullable(text()), null), []);
  assert.deepEqual(found(byType({ string: text() }), null), ["type "]);
});

test("a body with a thousand mistakes is told the first twenty", () => {
  const many = Array.from({ length: 1000 }, () => 5);
  assert.equal(check(list(text()), many).findings.length, 20);
});
