import assert from "node:assert/strict";
import { test } from "node:test";
import { afterFault, type Fault, faultOf } from "./retry.ts";
import { SendError } from "./send.ts";

const PACE = { attempts: 5, backoff_ms: 1000, longest_backoff_ms: 60_000 };
const FAULT: Fault = { message: "overloaded", transient: true };

for (const status of [408, 429, 500, 502, 503, 504, 529]) {
  test(`a refusal with ${status} passes by itself`, () => {
    const error = SendError.make("refused", { status, reason: "later" });
    assert.deepEqual(faultOf(error), {
      message: `the provider refused the request (${status}): later`,
      transient: true,
    });
  });
}

for (const status of [301, 400, 401, 403, 404, 409, 413, 422, 501]) {
  test(`a refusal with ${status} is final`, () => {
    const fault = faultOf(SendError.make("refused", { status, reason: "no" }));
    assert.equal(fault?.transient, false);
  });
}

test("a provider that cannot be reached may be reached later", () => {
  const error = SendError.make("unreachable", { url: "http://x", reason: "ECONNREFUSED" });
  assert.deepEqual(faultOf(error), {
    message: "cannot reach http://x: ECONNREFUSED",
    transient: true,
  });
});

test("what is no failure of a send is not judged", () => {
  assert.equal(faultOf(new TypeError("x is not a function")), undefined);
  assert.equal(faultOf("garbage"), undefined);
});

test("the wait that a provider asks for is the wait", () => {
  const error = SendError.make("refused", { status: 429, reason: "slow", retry_after_ms: 7000 });
  const fault = faultOf(error);
  assert.ok(fault);
  assert.deepEqual(afterFault(fault, 1, PACE, 0.5), { type: "wait", ms: 7000 });
  assert.deepEqual(afterFault({ ...FAULT, retry_after_ms: 0 }, 3, PACE, 0.5), {
    type: "wait",
    ms: 0,
  });
});

test("a wait that is longer than the longest is not waited", () => {
  assert.deepEqual(afterFault({ ...FAULT, retry_after_ms: 60_001 }, 1, PACE, 0), {
    type: "give-up",
    message: "overloaded (it asks to wait 61 s)",
  });
  assert.deepEqual(afterFault({ ...FAULT, retry_after_ms: 60_000 }, 1, PACE, 0), {
    type: "wait",
    ms: 60_000,
  });
});

const WAITS: readonly (readonly [number, number, number])[] = [
  [1, 0, 500],
  [1, 0.5, 750],
  [2, 0, 1000],
  [3, 0, 2000],
  [4, 0.999, 7996],
  [7, 0, 30_000],
  [400, 0.5, 45_000],
];

for (const [attempt, chance, ms] of WAITS) {
  test(`after attempt ${attempt} with chance ${chance} the wait is ${ms} ms`, () => {
    const pace = { ...PACE, attempts: 1000 };
    assert.deepEqual(afterFault(FAULT, attempt, pace, chance), { type: "wait", ms });
  });
}

test("the last attempt is the last, and the sentence counts them", () => {
  assert.deepEqual(afterFault(FAULT, 5, PACE, 0), {
    type: "give-up",
    message: "overloaded (tried 5 times)",
  });
  assert.deepEqual(afterFault(FAULT, 1, { ...PACE, attempts: 1 }, 0), {
    type: "give-up",
    message: "overloaded",
  });
});

test("a final failure is not tried again", () => {
  assert.deepEqual(afterFault({ message: "too long", transient: false }, 1, PACE, 0), {
    type: "give-up",
    message: "too long",
  });
});
