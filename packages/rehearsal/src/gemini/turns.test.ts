/** Roles, parts, function calls and signatures, with the exact words of each refusal. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  call,
  hi,
  model,
  outcomeOf,
  refusesWith,
  response,
  signed,
  talk,
  text,
  user,
} from "./sample.ts";

const ALTERNATE = "Please ensure that multiturn requests alternate between user and model.";
const COUNT =
  "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
const CALL_TURN =
  "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";
const RESPONSE_TURN =
  "Please ensure that function response turn comes immediately after a function call turn.";

const BAD: readonly [rule: string, body: unknown, message: string][] = [
  ["no contents", {}, "* GenerateContentRequest.contents: contents is not specified\n"],
  ["empty contents", talk(), "* GenerateContentRequest.contents: contents is not specified\n"],
  [
    "a content without parts",
    talk({ role: "user" }),
    "* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.\n",
  ],
  [
    "a part that is nothing",
    talk(user({ thought: true })),
    "* GenerateContentRequest.contents[0].parts[0].data: required oneof field 'data' must have one initialized field\n",
  ],
  [
    "a part that is two things",
    talk(user({ text: "a", inlineData: { mimeType: "image/png", data: "" } })),
    "Invalid value at 'contents[0].parts[0]' (oneof), oneof field 'data' is already set. Cannot set 'inlineData'",
  ],
  [
    "an unknown role",
    talk({ role: "assistant", parts: [text("a")] }),
    "Please use a valid role: user, model.",
  ],
  [
    "a single turn of the model",
    talk(model(text("a"))),
    "Please ensure that single turn requests end with a user role or the role field is empty.",
  ],
  ["the model first", talk(model(text("a")), hi), ALTERNATE],
  ["two users in a row", talk(hi, hi), ALTERNATE],
  ["two models in a row", talk(hi, model(text("a")), model(text("b")), hi), ALTERNATE],
  [
    "the model last",
    talk(hi, model(text("a"))),
    "Please ensure that multiturn requests end with a user role or a function response.",
  ],
  ["a call by the user", talk(user(call())), CALL_TURN],
  ["a call first of all", talk(model(call()), user(response())), CALL_TURN],
  [
    "a call behind the model's words",
    talk(hi, model(text("a")), model(call()), user(response())),
    CALL_TURN,
  ],
  ["a response without a call", talk(hi, model(text("a")), user(response())), RESPONSE_TURN],
  ["a response first of all", talk(user(response())), RESPONSE_TURN],
  ["a response by the model", talk(hi, model(response()), hi), RESPONSE_TURN],
  ["a call without a response", talk(hi, model(call()), hi), COUNT],
  ["a call at the end", talk(hi, model(call())), COUNT],
  ["fewer responses than calls", talk(hi, model(call(), call()), user(response())), COUNT],
  ["more responses than calls", talk(hi, model(call()), user(response(), response())), COUNT],
  [
    "a signature of another's",
    talk(hi, model(call("look", { thoughtSignature: "c2ln" })), user(response())),
    "Corrupted thought signature.",
  ],
  [
    "a signature that is not base64",
    talk(hi, model(call("look", { thoughtSignature: "a b" })), user(response())),
    "Invalid value at 'contents[1].parts[0].thought_signature' (TYPE_BYTES), Base64 decoding failed",
  ],
];

for (const [rule, body, message] of BAD) {
  test(`Gemini refuses ${rule}`, () => refusesWith(body, message));
}

test("Gemini 3 wants the first call of each step of the running turn signed, and no other", () => {
  const target = { model: "gemini-3-pro" };
  const outcome = (...contents: unknown[]) => outcomeOf(talk(...contents), { target });
  const unsigned = [
    400,
    "INVALID_ARGUMENT",
    "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly. Function call `look`, position 2.",
  ];
  assert.deepEqual(outcome(hi, model(call()), user(response())), unsigned);
  assert.equal(
    outcome(hi, model(call("look", signed), call()), user(response(), response())),
    "taken",
  );
  const past = [hi, model(call()), user(response()), model(text("done"))];
  assert.equal(outcome(...past, hi), "taken");
  const bypass = { thoughtSignature: "skip_thought_signature_validator" };
  assert.equal(outcome(hi, model(call("look", bypass)), user(response())), "taken");
});

test("Gemini 2.5 takes a call without its signature", () => {
  const target = { model: "gemini-2.5-pro" };
  assert.equal(outcomeOf(talk(hi, model(call()), user(response())), { target }), "taken");
});
