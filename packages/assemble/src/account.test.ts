/** Lowering's outcomes find their blocks, whatever stands between. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outcome } from "@galley/parts";
import { AccountError, accountFor, blockAtByte } from "./account.ts";
import { assemble } from "./assemble.ts";
import type { HistoryMessage } from "./context.ts";

const HISTORY: readonly HistoryMessage[] = [
  { role: "system", parts: [{ type: "text", text: "s" }] },
  {
    role: "assistant",
    id: "a",
    parts: [
      { type: "reasoning", text: "hm" },
      { type: "text", text: "so" },
    ],
  },
  {
    role: "user",
    id: "u",
    parts: [
      { type: "file-ref", ref: { kind: "path", path: "gone" } },
      { type: "text", text: "t" },
    ],
    materials: [{ kind: "unavailable", reason: "no such file" }],
  },
];
const { manifest } = assemble({
  layers: [],
  messages: HISTORY,
  pins: [{ id: "p", failed: "locked" }],
  contextWindow: 1000,
  maxOutput: 1,
});
const out = (outcome: Outcome["outcome"], at: number, note?: string): Outcome => ({
  part: 0,
  type: "",
  outcome,
  bytes: outcome === "resolved-out" ? [] : [[at, at + 10]],
  ...(note && { note }),
});
/** The opening, two parts of the answer, the pin, two parts of the message. */
const OUTCOMES = [
  out("text", 0),
  out("resolved-out", 0, "reasoning that this provider did not sign"),
  out("text", 20),
  out("placeholder", 30, "locked"),
  out("placeholder", 40, "no such file"),
  out("text", 50),
];

test("each block has the outcome and the bytes that lowering gave its part", () => {
  const { blocks } = accountFor(manifest, OUTCOMES);
  assert.deepEqual(
    blocks.map(({ type, outcome, bytes }) => [type, outcome, bytes?.[0]?.[0]]),
    [
      ["text", "resolved-out", undefined],
      ["reasoning", "resolved-out", undefined],
      ["text", "text", 20],
      ["file-ref", "placeholder", 40],
      ["text", "text", 50],
    ],
  );
});

test("what lowering took out is a filter on record, and what it could not show is a failure", () => {
  const { filters, failures } = accountFor(manifest, OUTCOMES);
  assert.deepEqual(filters.at(-1), {
    block: 1,
    message_id: "a",
    part: 0,
    why: "reasoning that this provider did not sign",
  });
  assert.deepEqual(failures, [
    { block: 3, why: "no such file" },
    { pin: "p", why: "locked" },
  ]);
});

test("a stored manifest is read alike", () => {
  const stored: typeof manifest = JSON.parse(JSON.stringify(manifest));
  assert.deepEqual(accountFor(stored, OUTCOMES), accountFor(manifest, OUTCOMES));
});

test("outcomes of another request are refused", () => {
  const isUneven = (error: unknown) => AccountError.is(error, "uneven");
  assert.throws(() => accountFor(manifest, OUTCOMES.slice(1)), isUneven);
  assert.throws(() => accountFor(manifest, [...OUTCOMES, out("text", 60)]), isUneven);
});

test("a byte of the body leads to its block, and a byte of the envelope to none", () => {
  const account = accountFor(manifest, OUTCOMES);
  assert.equal(blockAtByte(account, 20), 2);
  assert.equal(blockAtByte(account, 29), 2);
  assert.equal(blockAtByte(account, 35), undefined);
  assert.equal(blockAtByte(account, 59), 4);
});
