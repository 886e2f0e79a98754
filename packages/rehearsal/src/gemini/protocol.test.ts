/** What `generateContent` takes, and what it refuses by header, size, model and length. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GIF, PDF, PNG, WORDS } from "../trial.ts";
import {
  base,
  call,
  config,
  declare,
  hi,
  media,
  model,
  outcomeOf,
  response,
  say,
  signed,
  TARGET,
  talk,
  text,
  user,
} from "./sample.ts";

const GOOD: readonly [rule: string, body: unknown][] = [
  ["plain words", base],
  ["a single turn without a role", talk({ parts: [text("hi")] })],
  [
    "names in snake case",
    {
      ...base,
      system_instruction: { parts: [{ text: "a" }] },
      generation_config: { max_output_tokens: 5 },
    },
  ],
  ["null for absent", { ...base, tools: null, generationConfig: { temperature: null } }],
  ["empty words", say(text(""))],
  [
    "an image, a PDF, sound and text",
    say(
      media(PNG),
      media(PDF, "application/pdf"),
      media("////", "audio/mp3"),
      media(WORDS, "text/plain"),
    ),
  ],
  [
    "base64 without padding, in either alphabet",
    say(media(PDF.replace(/=+$/, ""), "application/pdf"), media("__-_", "audio/mp3")),
  ],
  ["a call and its response", talk(hi, model(call("look", signed)), user(response()))],
  [
    "a response in the role of a function",
    talk(hi, model(call()), { role: "function", parts: [response()] }),
  ],
  [
    "words beside the calls and the responses",
    talk(hi, model(text("so"), call()), user(response(), text("and?"))),
  ],
  ["a function without parameters", declare("look")],
  [
    "a schema with the names of JSON Schema",
    declare("look", { type: "object", properties: { additionalProperties: { type: "string" } } }),
  ],
  [
    "a choice of a declared function",
    {
      ...declare("a"),
      toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["a"] } },
    },
  ],
  [
    "thinking in either spelling of its level",
    config({ thinkingConfig: { thinkingLevel: "low", includeThoughts: true } }),
  ],
];

for (const [rule, body] of GOOD) {
  test(`Gemini takes ${rule}`, () => assert.equal(outcomeOf(body), "taken"));
}

test("Gemini refuses by header, size, JSON, model and length", () => {
  const models = [{ id: "tiny", contextWindow: 5, maxOutput: 5, accepts: ["image/gif"] }];
  const tiny = { models, target: { model: "tiny" } };
  assert.deepEqual(
    [
      outcomeOf(base, { headers: {} }),
      outcomeOf(base, { headers: {}, target: { ...TARGET, key: "k" } }),
      outcomeOf(base, { maxBodyBytes: 9 }),
      outcomeOf(base, { acceptAnyModel: false, target: { model: "gemini-none" } }),
      outcomeOf(say(text("x".repeat(24))), tiny),
      outcomeOf(say(media(GIF, "image/gif")), tiny),
      outcomeOf(say(media(PNG)), tiny),
    ],
    [
      [
        403,
        "PERMISSION_DENIED",
        "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
      ],
      "taken",
      [400, "INVALID_ARGUMENT", "Request payload size exceeds the limit: 9 bytes."],
      [
        404,
        "NOT_FOUND",
        "models/gemini-none is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.",
      ],
      [
        400,
        "INVALID_ARGUMENT",
        "The input token count (6) exceeds the maximum number of tokens allowed (5).",
      ],
      "taken",
      [400, "INVALID_ARGUMENT", "Unsupported MIME type: image/png"],
    ],
  );
  assert.deepEqual((outcomeOf("{") as unknown[]).slice(0, 2), [400, "INVALID_ARGUMENT"]);
});
