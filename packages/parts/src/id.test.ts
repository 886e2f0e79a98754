/** Ids: their form, their order when the clock misbehaves, and what happens to unlucky bytes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { idMinter } from "./id.ts";

/** A clock that tells the given times in turn, and bytes that count up. */
function sourceOf(times: readonly number[]) {
  let tick = 0;
  let byte = 0;
  return {
    now: () => times[Math.min(tick++, times.length - 1)] ?? 0,
    random: (count: number) => Uint8Array.from({ length: count }, () => byte++ % 62),
  };
}

test("an id is a prefix, 14 hex digits of time and 12 base62 digits", () => {
  const mint = idMinter(sourceOf([1_700_000_000_000]));
  assert.equal(mint("msg"), "msg_18bcfe568000000123456789AB");
  assert.match(mint("ses"), /^ses_[0-9a-f]{14}[0-9A-Za-z]{12}$/);
});

test("the earliest time still fills its 14 digits", () => {
  assert.equal(idMinter(sourceOf([0]))("prt"), "prt_000000000000010123456789AB");
});

test("ids of one minter rise, also when the clock stands still or steps back", () => {
  const mint = idMinter(sourceOf([1000, 1000, 1001, 400, 0, 1001, 2000]));
  const times = Array.from({ length: 7 }, () => mint("msg").slice(4, 18));
  assert.deepEqual(times, [
    "000000003e8000",
    "000000003e8001",
    "000000003e9000",
    "000000003e9001",
    "000000003e9002",
    "000000003e9003",
    "000000007d0000",
  ]);
});

test("bytes that would favour some digits are drawn again", () => {
  const draws = [Uint8Array.of(255, 248, 247, 0), Uint8Array.from({ length: 24 }, () => 61)];
  const mint = idMinter({ now: () => 0, random: () => draws.shift() ?? new Uint8Array(24) });
  assert.equal(mint("msg").slice(18), "z0zzzzzzzzzz");
});

test("a fraction of a millisecond does not break the time", () => {
  assert.equal(idMinter(sourceOf([1.75]))("msg").slice(4, 18), "00000000001000");
});
