import assert from "node:assert/strict";
import { test } from "node:test";
import { damageOf } from "./damage.ts";
import { bytesOf, gif, jpeg, LOCKED_PDF, PDF, png, webp } from "./sample-files.test.ts";

const CUT = "the picture ends before its end, so it is damaged";
const NO_SIZE = "the picture has no readable size, so it is damaged";

const PICTURES = [
  ["image/png", png(9, 9), 13],
  ["image/jpeg", jpeg(9, 9), 2],
  ["image/gif", gif(9, 9, 3), 1],
  ["image/webp", webp(9, 9), 0],
] as const;

for (const [mime, bytes, tail] of PICTURES) {
  test(`a whole ${mime} has no damage, with or without bytes behind its end`, () => {
    assert.equal(damageOf(bytes, mime), undefined);
    assert.equal(damageOf(Uint8Array.from([...bytes, 0, 1, 2]), mime), undefined);
  });

  test(`a ${mime} without its end is damaged`, () => {
    if (tail > 0) assert.equal(damageOf(bytes.subarray(0, bytes.length - tail), mime), CUT);
    assert.equal(damageOf(bytes.subarray(0, 8), mime), NO_SIZE);
  });
}

test("a webp that promises more than there is is damaged", () => {
  const promised = webp(9, 9);
  promised[4] = 200;
  assert.equal(damageOf(promised, "image/webp"), CUT);
});

test("a picture without a pixel is damaged", () => {
  assert.equal(damageOf(png(0, 5), "image/png"), NO_SIZE);
  assert.equal(damageOf(gif(5, 0), "image/gif"), NO_SIZE);
});

test("a PDF that is locked says so, and the word alone locks nothing", () => {
  assert.equal(damageOf(PDF, "application/pdf"), undefined);
  assert.equal(
    damageOf(LOCKED_PDF, "application/pdf"),
    "the PDF is encrypted, which providers refuse",
  );
  const talk = bytesOf("%PDF-1.7\n(how /Encrypt works)\nstartxref\n%%EOF");
  assert.equal(damageOf(talk, "application/pdf"), undefined);
});

test("a PDF without its end is damaged", () => {
  const cut = bytesOf("%PDF-1.7\n1 0 obj << >>");
  assert.equal(damageOf(cut, "application/pdf"), "the PDF ends before its end, so it is damaged");
});

test("a type without a check has no damage", () => {
  assert.equal(damageOf(bytesOf("x"), "text/plain"), undefined);
});
