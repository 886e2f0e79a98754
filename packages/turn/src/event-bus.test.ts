import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { HostEvent } from "@galley/parts";
import { createEventBus } from "./event-bus.ts";

const event = (at: number): HostEvent => ({ type: "queue-changed", session_id: "ses_1", at });

test("everybody hears everything in order, and one that throws harms nobody", async () => {
  const reports: unknown[] = [];
  const bus = createEventBus((error) => reports.push(error));
  const heard: string[] = [];
  bus.listen((each) => {
    heard.push(`a${each.at}`);
    throw new Error(`deaf to ${each.at}`);
  });
  bus.listen((each) => heard.push(`b${each.at}`));
  bus.publish(event(1));
  bus.publish(event(2));
  assert.deepEqual(heard, [], "rung when the step is done");
  await nextTurn();
  assert.deepEqual(heard, ["a1", "b1", "a2", "b2"]);
  assert.deepEqual(reports.map(String), ["Error: deaf to 1", "Error: deaf to 2"]);
});

test("whoever stopped listening hears nothing more, also when another one stopped it", async () => {
  const bus = createEventBus((error) => assert.fail(String(error)));
  const heard: number[] = [];
  const hear = (each: HostEvent) => heard.push(each.at);
  bus.listen(() => stopFirst());
  const stopFirst = bus.listen(hear);
  const stopSecond = bus.listen(hear);
  bus.publish(event(1));
  await nextTurn();
  assert.deepEqual(heard, [1]);
  stopSecond();
  bus.publish(event(2));
  await nextTurn();
  assert.deepEqual(heard, [1]);
});
