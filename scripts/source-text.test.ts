/** The scanner is what the other checks stand on: what it blanks they cannot see. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { codeOnly, place, withoutComments } from "./source-text.ts";

test("comments are blanked and strings that look like comments are kept", () => {
  assert.equal(withoutComments('a("//x"); // b\n/* c\n */d'), 'a("//x");     \n    \n   d');
});

test("literal text is blanked between its quotes", () => {
  assert.equal(
    codeOnly("f(\"process\", 'it\\'s', `console`)"),
    "f(\"       \", '     ', `       `)",
  );
});

test("code inside a template's slot stays code, however deep", () => {
  assert.equal(
    codeOnly("`a${ { b: `c${process.pid}d` } }e` + fetch(x)"),
    "` ${ { b: ` ${process.pid} ` } } ` + fetch(x)",
  );
});

test("a regular expression with a quote in it does not open a string", () => {
  assert.equal(codeOnly('x.match(/["/]/g); process.exit()'), "x.match(/     g); process.exit()");
});

test("a slash after a value divides", () => {
  assert.equal(codeOnly('a / b; fetch("u") / 2'), 'a / b; fetch(" ") / 2');
});

test("a place names the line", () => {
  assert.equal(place("a.ts", "x\ny\nz", 4), "a.ts:3");
});
