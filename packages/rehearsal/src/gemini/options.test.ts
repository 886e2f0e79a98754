/** Functions, their choice, numbers and media, with the exact words of each refusal. */
import { test } from "node:test";
import { JPEG, PNG, WORDS } from "../trial.ts";
import { base, config, declare, media, refusesWith, say } from "./sample.ts";

const AT = "* GenerateContentRequest.tools[0].function_declarations[0]";
const NAME =
  "Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128.";
const choose = (functionCallingConfig: unknown, body: object = declare("look")) => ({
  ...body,
  toolConfig: { functionCallingConfig },
});
const object = (properties: unknown, more = {}) => ({ type: "object", properties, ...more });

const BAD: readonly [rule: string, body: unknown, message: string][] = [
  ["a name with a blank", declare("a b"), `${AT}.name: ${NAME}\n`],
  ["a name that begins with a digit", declare("1a"), `${AT}.name: ${NAME}\n`],
  ["a name that is too long", declare("a".repeat(129)), `${AT}.name: ${NAME}\n`],
  [
    "one name twice",
    { ...base, tools: [{ functionDeclarations: [{ name: "a" }, { name: "a" }] }] },
    "Duplicate function declaration found: a",
  ],
  [
    "parameters that are no object",
    declare("look", { type: "string" }),
    `${AT}.parameters: functionDeclaration parameters schema should be of type OBJECT.\n`,
  ],
  [
    "an object without properties",
    declare("look", object({})),
    `${AT}.parameters.properties: should be non-empty for OBJECT type\n`,
  ],
  [
    "a required property that is not there",
    declare("look", object({ a: { type: "string" } }, { required: ["b"] })),
    `${AT}.parameters.required[0]: property is not defined\n`,
  ],
  [
    "an array without items",
    declare("look", object({ a: { type: "array" } })),
    `${AT}.parameters.properties.a.items: missing field.\n`,
  ],
  [
    "an enum of numbers",
    declare("look", object({ a: { type: "integer", enum: ["1"] } })),
    `${AT}.parameters.properties.a.enum: only allowed for STRING type\n`,
  ],
  [
    "two kinds of parameters",
    {
      ...base,
      tools: [
        {
          functionDeclarations: [
            { name: "a", parameters: object({ b: { type: "string" } }), parametersJsonSchema: {} },
          ],
        },
      ],
    },
    `${AT}: parameters and parameters_json_schema are mutually exclusive.\n`,
  ],
  [
    "a forced call of nothing",
    choose({ mode: "ANY" }, base),
    "Function calling config is set without function_declarations.",
  ],
  [
    "a choice of an undeclared function",
    choose({ mode: "ANY", allowedFunctionNames: ["look", "hear"] }),
    "* GenerateContentRequest.tool_config.function_calling_config.allowed_function_names[1]: function hear is not declared.\n",
  ],
  [
    "names in a mode that does not take them",
    choose({ mode: "AUTO", allowedFunctionNames: ["look"] }),
    "* GenerateContentRequest.tool_config.function_calling_config.allowed_function_names: should only be set when the function calling mode is ANY or VALIDATED.\n",
  ],
  [
    "more output than the model has",
    config({ maxOutputTokens: 9000 }),
    "Unable to submit request because it has a maxOutputTokens value of 9000 but the supported range is from 1 (inclusive) to 8193 (exclusive).",
  ],
  [
    "more than one candidate",
    config({ candidateCount: 2 }),
    "rehearsal: only candidateCount = 1 is rehearsed.",
  ],
  [
    "two ways to limit thinking",
    config({ thinkingConfig: { thinkingBudget: 5, thinkingLevel: "low" } }),
    "You can only set only one of thinking budget and thinking level.",
  ],
  [
    "a schema for plain text",
    config({ responseSchema: { type: "string" } }),
    "* GenerateContentRequest.generation_config.response_schema: only allowed when response_mime_type is application/json or text/x.enum.\n",
  ],
  [
    "an answer schema that is wrong",
    config({ responseMimeType: "application/json", responseSchema: { type: "array" } }),
    "* GenerateContentRequest.generation_config.response_schema.items: missing field.\n",
  ],
  ["a GIF", say(media(PNG, "image/gif")), "Unsupported MIME type: image/gif"],
  [
    "a Photoshop file",
    say(media(PNG, "image/vnd.adobe.photoshop")),
    "Unsupported MIME type: image/vnd.adobe.photoshop",
  ],
  ["media without a type", say({ inlineData: { data: PNG } }), "Unsupported MIME type: "],
  [
    "media that are not base64",
    say(media("not base64!")),
    "Invalid value at 'contents[0].parts[0].inline_data.data' (TYPE_BYTES), Base64 decoding failed",
  ],
  [
    "media without bytes",
    say(media("")),
    "* GenerateContentRequest.contents[0].parts[0].inline_data.data: must not be empty.\n",
  ],
  [
    "words as an image",
    say(media(WORDS)),
    "Unable to process input image. Please retry or report.",
  ],
  [
    "another image than declared",
    say(media(JPEG)),
    "Unable to process input image. Please retry or report.",
  ],
  ["words as a PDF", say(media(WORDS, "application/pdf")), "The document has no pages."],
];

for (const [rule, body, message] of BAD) {
  test(`Gemini refuses ${rule}`, () => refusesWith(body, message));
}
