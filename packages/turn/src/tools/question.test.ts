import assert from "node:assert/strict";
import { test } from "node:test";
import { questionTool } from "./question.ts";

test("a question waits for a person, and its input takes no unknown field", () => {
  const { input_schema } = questionTool.definition;
  assert.equal(questionTool.waits, "question");
  assert.equal(input_schema.additionalProperties, false);
  assert.deepEqual(input_schema.required, ["questions"]);
  const { questions } = input_schema.properties as { questions: { items: object } };
  assert.deepEqual(Object.keys((questions.items as { properties: object }).properties), [
    "question",
    "header",
    "options",
    "multi_select",
  ]);
});

test("where nobody can answer, the model is told to decide by itself", async () => {
  const output = await questionTool.run(
    {},
    {
      session: {} as never,
      message_id: "msg_1",
      tool_call_id: "call_1",
      signal: new AbortController().signal,
    },
  );
  assert.deepEqual(output, {
    type: "error",
    error_text:
      "there is nobody to answer: this host runs without a person; decide by what you know, and say what you assumed",
  });
});
