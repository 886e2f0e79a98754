/** The estimate: near the truth on ordinary text, linear on any, and priced by rule for media. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { countTokens } from "gpt-tokenizer";
import { estimateMedia, estimateTokens, measureText } from "./estimate.ts";

const PROSE =
  "The estimator counts characters by class in one pass. It does not know the words, and it does not have to: what matters is that the sum is near enough to decide what fits.";
const CODE = `export function fence(text: string, language = ""): string {
  const longest = Math.max(0, ...runs(text));
  if (longest > 3) { return "x".repeat(longest + 1); }
  return \`\${text}\\n\`;
}`;
const JSON_TEXT = JSON.stringify({
  id: 10482,
  tags: ["alpha", "beta"],
  ratio: 0.4375,
  nested: { ok: true, at: "2026-01-31T10:00:00Z" },
});
const JAPANESE = "推定は文字の種類ごとに数えるだけなので、どんな文章でも一度の走査で終わる。";
const GERMAN = "Größere Änderungen müssen vorher überprüft und ausführlich erklärt werden.";
const LOG = "2026-11-15 02:25:17.482 INFO [worker-3] 200 GET /v1/sessions/42 18ms 4096 bytes";

const SAMPLES = { PROSE, CODE, JSON_TEXT, JAPANESE, GERMAN, LOG };

for (const [name, text] of Object.entries(SAMPLES)) {
  test(`the estimate of ${name} is within 40 % of a real tokenizer's count`, () => {
    const ratio = estimateTokens(text) / countTokens(text);
    assert.ok(ratio > 0.6 && ratio < 1.4, `estimated ${ratio.toFixed(2)} of the count`);
  });
}

/** A fixed sequence, so that a red run is red again. */
const BYTES = Buffer.from(
  Uint8Array.from({ length: 900 }, (_, at) => Math.imul(at + 1, 2_654_435_761) >>> 13),
);

for (const encoding of ["base64", "hex"] as const) {
  test(`bytes in ${encoding} are known as such, and priced within 10 %`, () => {
    const text = BYTES.toString(encoding);
    const { base64, prose } = measureText(`data ${text}`);
    assert.ok(base64 > 100 * prose);
    const ratio = estimateTokens(text) / countTokens(text);
    assert.ok(ratio > 0.9 && ratio < 1.1, `estimated ${ratio.toFixed(2)} of the count`);
  });
}

test("an arrow is one run of signs, and a long name is not data", () => {
  assert.equal(measureText("->").code, measureText("=>").code);
  assert.equal(measureText("->").code, measureText("!>").code);
  assert.equal(measureText("getElementsByTagNameNS").base64, 0);
});

test("images are priced by their dimensions, as they are scaled for the model", () => {
  assert.equal(estimateMedia("image/png", 9, { width: 300, height: 250 }), 100);
  assert.equal(estimateMedia("image/png", 9, { width: 8000, height: 800 }), 328);
  assert.equal(estimateMedia("image/png", 9, { width: 8000, height: 8000 }), 1600);
});

test("nothing costs nothing, and anything costs a whole token at least", () => {
  assert.equal(estimateTokens(""), 0);
  assert.equal(estimateTokens(" "), 1);
});

test("twice the text is twice the tokens, rounding apart, also where tokenizers choke", () => {
  for (const unit of ["a", " ", "ab1 ", "€", "漢字", "\ud83d\ude00", "=".repeat(99)]) {
    const once = estimateTokens(unit.repeat(1000));
    const twice = estimateTokens(unit.repeat(2000));
    assert.ok(Math.abs(twice - 2 * once) <= 1, `${unit}: ${once}, ${twice}`);
  }
});

test("a million characters without a space are a sum like any other", () => {
  assert.equal(estimateTokens("a".repeat(1_000_000)), 235_000);
});

test("media are priced by rule, not by their length in base64", () => {
  assert.equal(estimateMedia("image/png", 12), 1600);
  assert.equal(estimateMedia("image/png", 12_000_000), 1600);
  assert.equal(estimateMedia("application/pdf", 12), 2000);
  assert.equal(estimateMedia("application/pdf", 400_000), 10_000);
  assert.equal(estimateMedia("audio/wav", 10_001), 352);
});
