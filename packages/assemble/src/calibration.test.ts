/** Conversations counted by a real tokenizer: the estimate is near, and learns to be nearer. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { countTokens } from "gpt-tokenizer";
import { assemble } from "./assemble.ts";
import { type Calibration, calibrate, countedInput, UNCALIBRATED } from "./calibration.ts";
import type { ContextMessage } from "./context.ts";
import { type Measure, NO_TOKENS } from "./estimate.ts";

const read = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

const ENGLISH = read("LICENSE");
const CODE = ["media", "part", "error", "upgrade"]
  .map((name) => read(`packages/parts/src/${name}.ts`))
  .join("\n");
const CJK = [
  "推定は文字の種類ごとに数えるだけなので、どんな文章でも一度の走査で終わります。",
  "モデルに渡す前に大きさが分かるので、入りきらない要求は送られません。",
  "系统会按照字符类别统计文本长度，然后根据服务商返回的用量进行校准。",
  "这样即使换了模型，误差也会很快变小，用户看到的数字始终可信。",
  "이 추정기는 문자 종류별로 개수를 세고 제공자가 알려 준 사용량으로 보정합니다.",
  "대화가 길어지면 오래된 도구 결과부터 한 줄로 바뀌고, 그 사실은 기록에 남습니다.",
  "古い添付ファイルは最後に省かれ、その行には省いた量が書かれます。",
  "如果仍然放不下，请求会在发送之前被拒绝，并说明可以怎么做。",
].join("\n");

/** A fixed sequence, so that a red run is red again. */
function base64(length: number): string {
  let state = 7;
  const bytes = Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state >>> 16;
  });
  return Buffer.from(bytes).toString("base64");
}

type Piece = (turn: number) => string;
const sliceOf =
  (text: string, size: number): Piece =>
  (turn) => {
    const at = (turn * 977) % Math.max(1, text.length - size);
    return text.slice(at, at + size);
  };
const english = sliceOf(ENGLISH, 900);
const code = sliceOf(CODE, 1400);
const cjk = sliceOf(CJK.repeat(3), 300);
const data = sliceOf(base64(9000), 1000);
const KINDS = { english, code, cjk, base64: data } as const;
const mixed: Piece = (turn) => (Object.values(KINDS)[turn % 4] as Piece)(turn);

/** In pieces: a tokenizer is quadratic on long runs. */
function count(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; at += 2000) tokens += countTokens(text.slice(at, at + 2000));
  return tokens;
}

const FRAME = 4;
const SYSTEM = "You help people with their work.";

/** Each turn's first request: estimated before, counted after. */
function converse(piece: Piece, turns: number, state: Calibration, scale = 1) {
  const messages: ContextMessage[] = [];
  const errors: number[] = [];
  let counted = count(SYSTEM);
  let calibration = state;
  for (let turn = 0; turn < turns; turn += 1) {
    const [asked, answered] = [piece(2 * turn), piece(2 * turn + 1)];
    messages.push({ role: "user", parts: [{ type: "text", text: asked }], materials: [] });
    counted += count(asked) + FRAME;
    const layers = [{ id: "agent", text: SYSTEM }];
    const sizes = { contextWindow: 1e6, maxOutput: 1 };
    const { manifest } = assemble({ layers, messages, ...sizes, calibration });
    const truth = counted * scale;
    errors.push(Math.abs(manifest.estimate - truth) / truth);
    calibration = calibrate(calibration, { estimated: manifest.measured, counted: truth });
    messages.push({ role: "assistant", parts: [{ type: "text", text: answered }] });
    counted += count(answered) + FRAME;
  }
  return { errors, calibration };
}

const worst = (errors: readonly number[]): number => Math.max(...errors);

for (const [name, piece] of Object.entries({ ...KINDS, mixed })) {
  test(`after ten turns of ${name} the estimate is within 5 % of the count`, () => {
    const { errors } = converse(piece, 25, UNCALIBRATED);
    assert.ok(worst(errors.slice(10)) < 0.05, `off by ${worst(errors.slice(10)).toFixed(3)}`);
  });

  test(`so it is for ${name} where the provider counts half as much again`, () => {
    const { errors } = converse(piece, 25, UNCALIBRATED, 1.5);
    assert.ok(worst(errors.slice(0, 1)) > 0.2, "there is something to learn");
    assert.ok(worst(errors.slice(10)) < 0.05, `off by ${worst(errors.slice(10)).toFixed(3)}`);
  });
}

test("what was learned from one kind of text does not spoil another", () => {
  const learned = converse(cjk, 10, UNCALIBRATED, 1.5).calibration;
  const { errors } = converse(english, 1, learned);
  assert.ok(worst(errors) < 0.15, `off by ${worst(errors).toFixed(3)}`);
});

test("the state is plain JSON, and a step changes nothing in place", () => {
  const count1 = { estimated: { ...NO_TOKENS, prose: 900, cjk: 100 }, counted: 1200 };
  const once = calibrate(UNCALIBRATED, count1);
  assert.deepEqual(JSON.parse(JSON.stringify(once)), once);
  assert.deepEqual(calibrate(UNCALIBRATED, count1), once);
  assert.deepEqual(UNCALIBRATED.weights.prose, 1);
  assert.equal(once.turns, 1);
});

test("weights are clamped: no count makes a request look like nothing, or like everything", () => {
  const estimated: Measure = { ...NO_TOKENS, prose: 1000 };
  const after = (counted: number) => {
    let state = UNCALIBRATED;
    for (let turn = 0; turn < 50; turn += 1) state = calibrate(state, { estimated, counted });
    return state.weights.prose;
  };
  assert.ok(after(1) >= 0.4 && after(1) < 0.41);
  assert.ok(after(1e9) <= 2.5 && after(1e9) > 2.49);
});

test("counts that contradict each other drive no weight below its clamp", () => {
  let state = UNCALIBRATED;
  for (let turn = 0; turn < 20; turn += 1) {
    state = calibrate(state, { estimated: { ...NO_TOKENS, prose: 1000 }, counted: 1000 });
    state = calibrate(state, {
      estimated: { ...NO_TOKENS, prose: 1000, code: 1000 },
      counted: 900,
    });
  }
  assert.equal(state.weights.code, 0.4);
});

test("a provider that does not count, or counts nonsense, teaches nothing", () => {
  const estimated: Measure = { ...NO_TOKENS, prose: 1000 };
  for (const counted of [0, -5, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.equal(calibrate(UNCALIBRATED, { estimated, counted }), UNCALIBRATED);
  }
  assert.equal(calibrate(UNCALIBRATED, { estimated: NO_TOKENS, counted: 10 }), UNCALIBRATED);
});

test("input counts whether it was read from the cache, written to it, or neither", () => {
  assert.equal(countedInput({ input: 3, cache_read: 50, cache_write: 7 }), 60);
});
