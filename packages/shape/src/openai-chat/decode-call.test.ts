/** Calls as servers other than OpenAI's stream them, through the whole decoder. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeWith } from "../replay.test.ts";
import { decoding } from "./decode.ts";

const decode = decodeWith(decoding);

const delta = (value: Record<string, unknown>, finish_reason: string | null = null): string =>
  JSON.stringify({ id: "r", choices: [{ index: 0, delta: value, finish_reason }] });
const calls = (...tool_calls: unknown[]): string => delta({ tool_calls });
const DONE = "[DONE]";

const available = (toolCallId: string, toolName: string, input: unknown) => ({
  type: "tool-input-available",
  toolCallId,
  toolName,
  input,
});
const inputsOf = (events: readonly string[]): unknown[] =>
  decode(events).filter(({ type }) => type.startsWith("tool-input-a"));

test("calls that share a place, or have none, are told apart by id and name", () => {
  const call = (id: string, name: string, index?: number) => ({
    ...(index !== undefined && { index }),
    ...(id && { id }),
    function: { name, arguments: `{"by":"${name}"}` },
  });
  const both = [available("c1", "f", { by: "f" }), available("c2", "g", { by: "g" })];
  assert.deepEqual(inputsOf([calls(call("c1", "f", 0)), calls(call("c2", "g", 0)), DONE]), both);
  assert.deepEqual(inputsOf([calls(call("c1", "f"), call("c2", "g")), DONE]), both);
  const made = [available("r_0", "f", { by: "f" }), available("r_1", "g", { by: "g" })];
  assert.deepEqual(inputsOf([calls(call("", "f"), call("", "g")), DONE]), made);
  const over = delta({}, "tool_calls");
  assert.deepEqual(inputsOf([calls(call("", "f", 0)), over, calls(call("", "g", 0)), DONE]), made);
});

test("a call goes on when its id and name are repeated, or when only arguments come", () => {
  const piece = (text: string, rest: object = {}) => ({ ...rest, function: { arguments: text } });
  const named = { id: "c", function: { name: "f", arguments: "" } };
  const whole = [available("c", "f", { a: 1 })];
  const placed = { index: 0, ...named };
  const repeated = { index: 0, id: "c", function: { name: "f", arguments: ":1}" } };
  assert.deepEqual(
    inputsOf([calls(placed), calls(piece('{"a"', { index: 0 })), calls(repeated), DONE]),
    whole,
  );
  assert.deepEqual(
    inputsOf([calls(named), calls(piece('{"a":')), calls(piece("1}")), DONE]),
    whole,
  );
  const other = { id: "d", function: { name: "g", arguments: "{}" } };
  assert.deepEqual(inputsOf([calls(named, other), calls(piece('{"a":1}', { id: "c" })), DONE]), [
    ...whole,
    available("d", "g", {}),
  ]);
});

test("a name that comes late starts the call with all that was written", () => {
  const events = [
    calls({ index: 0, id: "c", function: { arguments: '{"a"' } }),
    calls({ index: 0, function: { name: "f", arguments: ":1}" } }),
    DONE,
  ];
  assert.deepEqual(decode(events).slice(1, 4), [
    { type: "tool-input-start", toolCallId: "c", toolName: "f" },
    { type: "tool-input-delta", toolCallId: "c", inputTextDelta: '{"a":1}' },
    available("c", "f", { a: 1 }),
  ]);
});

test("a call that is never named is an error that shows it", () => {
  const nameless = calls({ index: 0, id: "c", function: { arguments: '{"a":1}' } });
  const errorText = 'the model called a tool without naming it: {"a":1}';
  assert.deepEqual(decode([nameless, DONE])[1], { type: "error", errorText });
});

test("a call that the limit cut before its input is not one with an empty input", () => {
  const call = calls({ index: 0, id: "c", function: { name: "f", arguments: "" } });
  const typeAfter = (reason: string): unknown => decode([call, delta({}, reason)])[2]?.type;
  assert.equal(typeAfter("length"), "tool-input-error");
  assert.equal(typeAfter("tool_calls"), "tool-input-available");
});

test("arguments that are not JSON, or already an object, are kept", () => {
  const call = (args: unknown) =>
    calls({ index: 0, id: "c", function: { name: "f", arguments: args } });
  assert.partialDeepStrictEqual(decode([call("{a"), DONE])[3], {
    type: "tool-input-error",
    input: "{a",
  });
  assert.deepEqual(inputsOf([call({ a: 1 }), DONE]), [available("c", "f", { a: 1 })]);
});
