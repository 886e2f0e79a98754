/** Calls and outputs, reasoning and ids across the items, with the exact words of each refusal. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { outcomeOf, type Row, refusesRow } from "../openai/sample.ts";
import { seal } from "../seal.ts";
import { base, call, hi, output, put, reasoning, spoke } from "./sample.ts";
import { itemStore } from "./stored.ts";

const P = "openai-responses";
const unsealed = { encrypted_content: undefined };
const custom = { type: "custom_tool_call", call_id: "c1", name: "run", input: "x" };

const BAD: readonly [rule: string, ...Row][] = [
  [
    "an output without a call",
    put(hi, output("c1")),
    "No tool call found for function call output with call_id c1.",
    "input",
  ],
  [
    "an output before its call",
    put(hi, output("c1"), call("c1")),
    "No tool call found for function call output with call_id c1.",
    "input",
  ],
  [
    "a second output of one call",
    put(hi, call("c1"), output("c1"), output("c1")),
    "No tool call found for function call output with call_id c1.",
    "input",
  ],
  [
    "a call without an output",
    put(hi, call("c1")),
    "No tool output found for function call c1.",
    "input",
  ],
  [
    "a call that only its neighbour's output follows",
    put(hi, call("c1"), call("c2"), output("c2"), hi),
    "No tool output found for function call c1.",
    "input",
  ],
  [
    "a second call with the same id",
    put(hi, call("c1"), call("c1"), output("c1")),
    "No tool output found for function call c1.",
    "input",
  ],
  [
    "a custom call without an output",
    put(hi, custom),
    "No tool output found for custom tool call c1.",
    "input",
  ],
  [
    "the output of another kind of tool",
    put(hi, custom, output("c1")),
    "No tool call found for function call output with call_id c1.",
    "input",
  ],
  [
    "an id that is not a call's",
    put(hi, call("c1", { id: "c1" }), output("c1")),
    "Invalid 'input[1].id': 'c1'. Expected an ID that begins with 'fc'.",
    "input[1].id",
    "invalid_value",
  ],
  [
    "an id that is not a message's",
    put(hi, spoke("a", { id: "fc_1" }), hi),
    "Invalid 'input[1].id': 'fc_1'. Expected an ID that begins with 'msg'.",
    "input[1].id",
    "invalid_value",
  ],
  [
    "one id twice",
    put(hi, spoke("a", { id: "msg_1" }), hi, spoke("b", { id: "msg_1" }), hi),
    "Duplicate item found with id msg_1. Remove duplicate items from your input and try again.",
    "input",
  ],
  [
    "reasoning before the user's words",
    put(hi, reasoning("rs_1"), hi),
    "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
    "input",
  ],
  [
    "reasoning at the end",
    put(hi, reasoning("rs_1")),
    "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
    "input",
  ],
  [
    "reasoning sealed by another",
    put(hi, reasoning("rs_1", { encrypted_content: "gAAAA" }), spoke("a"), hi),
    "The encrypted content for item rs_1 could not be verified. Reason: Encrypted content could not be decrypted or parsed.",
    null,
    "invalid_encrypted_content",
  ],
  [
    "reasoning sealed for another item",
    put(hi, reasoning("rs_1", { encrypted_content: seal("rs_2") }), spoke("a"), hi),
    "The encrypted content for item rs_1 could not be verified. Reason: Encrypted content item_id did not match the target item id.",
    null,
    "invalid_encrypted_content",
  ],
  [
    "reasoning by an unknown id",
    put(hi, reasoning("rs_1", unsealed), spoke("a"), hi),
    "Item with id 'rs_1' not found.",
    "input",
    null,
    404,
  ],
  [
    "reasoning by id alone when nothing is stored",
    { ...put(hi, reasoning("rs_1", unsealed), spoke("a"), hi), store: false },
    "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
    "input",
    null,
    404,
  ],
  [
    "a reference to nothing",
    put(hi, { type: "item_reference", id: "msg_1" }),
    "Item with id 'msg_1' not found.",
    "input",
    null,
    404,
  ],
  [
    "a reference to nothing, without its type",
    put(hi, { id: "msg_1" }),
    "Item with id 'msg_1' not found.",
    "input",
    null,
    404,
  ],
  [
    "an unknown response to continue",
    { ...base, previous_response_id: "resp_1" },
    "Previous response with id 'resp_1' not found.",
    "previous_response_id",
    "previous_response_not_found",
  ],
  [
    "a conversation",
    { ...base, conversation: "conv_1" },
    "Conversation not found: no conversations are rehearsed.",
    "conversation",
    null,
    404,
  ],
];

for (const [rule, ...row] of BAD) {
  test(`Responses refuses ${rule}`, () => refusesRow(P, row));
}

const kept = () => {
  const stored = itemStore(2);
  const item = { type: "function_call", id: "fc_1", call_id: "c1", name: "look", arguments: "{}" };
  stored.keep("resp_1", [], [reasoning("rs_1", unsealed), item]);
  return stored;
};

test("a stored call may be referred to, together with its reasoning", () => {
  const reference = (id: string) => ({ type: "item_reference", id });
  const outcome = (...input: unknown[]) => outcomeOf(P, put(...input), { stored: kept() });
  assert.equal(outcome(hi, reference("rs_1"), reference("fc_1"), output("c1")), "taken");
  assert.deepEqual(outcome(hi, reference("fc_1"), output("c1")), [
    400,
    null,
    "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'.",
  ]);
});

test("a response is continued by its id", () => {
  const body = { ...put(output("c1")), previous_response_id: "resp_1" };
  assert.equal(outcomeOf(P, body, { stored: kept() }), "taken");
});

test("the oldest response is let go first, with its items", () => {
  const stored = kept();
  stored.keep("resp_2", [], []);
  stored.keep("resp_3", [], []);
  assert.equal(stored.response("resp_1"), undefined);
  assert.equal(stored.item("fc_1"), undefined);
  assert.deepEqual(stored.response("resp_3"), []);
});
