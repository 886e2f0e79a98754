import assert from "node:assert/strict";
import { test } from "node:test";
import { recorder } from "./record.ts";

const entry = {
  protocol: undefined,
  method: "POST",
  path: "/",
  headers: {},
  body: new Uint8Array(),
  isWhole: true,
  status: 404,
  accepted: false,
};

test("the oldest entries are let go and counted; the numbers go on", () => {
  const records = recorder(2);
  for (let n = 0; n < 5; n++) records.add(entry);
  assert.deepEqual(
    records.received.map(({ index }) => index),
    [3, 4],
  );
  assert.equal(records.released(), 3);
});

test("an ending is told to its own entry", () => {
  const records = recorder(2);
  const tell = records.add(entry);
  records.add(entry);
  tell("sent");
  assert.deepEqual(
    records.received.map(({ ending }) => ending),
    ["sent", "open"],
  );
});
