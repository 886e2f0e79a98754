/** What the Messages API takes, and what it refuses by header, size and model. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { attempt, HEADERS, PDF, PNG, png } from "../trial.ts";
import { validate } from "../validate.ts";
import {
  assistant,
  base,
  budget,
  call,
  hi,
  image,
  mark,
  pdf,
  result,
  say,
  talk,
  text,
  thinking,
  tool,
  user,
} from "./sample.ts";

const P = "anthropic-messages";

/** 10 MB of base64: the header of a PNG and zeros behind it. */
const PNG_10_MB = Buffer.concat([
  Buffer.from(PNG, "base64"),
  Buffer.alloc(7_864_320 - 29),
]).toString("base64");

const GOOD: readonly [rule: string, body: unknown][] = [
  ["plain words", base],
  ["a system text in blocks", { ...base, system: [text("be kind", mark)] }],
  ["neighbours of one role", talk(hi, hi)],
  ["a final assistant message to continue", talk(hi, { role: "assistant", content: "So" })],
  ["an empty final assistant message", talk(hi, { role: "assistant", content: [] })],
  ["images, a document and words", say(image(PNG), pdf(PDF), text("look"))],
  [
    "a document of words",
    say({ type: "document", source: { type: "text", media_type: "text/plain", data: "x" } }),
  ],
  [
    "an image by address",
    say({ type: "image", source: { type: "url", url: "https://a.b/c.png" } }),
  ],
  ["a call and its result", talk(hi, assistant(call("t1")), user(result("t1", { content: "ok" })))],
  ["words behind the results", talk(hi, assistant(call("t1")), user(result("t1"), text("and?")))],
  [
    "an image as a result",
    talk(hi, assistant(call("t1")), user(result("t1", { content: [image(PNG)] }))),
  ],
  ["thinking that comes back unchanged", talk(hi, assistant(thinking("hm"), text("yes")), hi)],
  [
    "tools and a choice",
    { ...base, tools: [tool("look")], tool_choice: { type: "tool", name: "look" } },
  ],
  ["thinking within its budget", { ...base, max_tokens: 2000, thinking: budget, temperature: 1 }],
  ["four markers", say(text("a", mark), text("b", mark), text("c", mark), text("d", mark))],
  ["a system message behind the user's", talk(hi, { role: "system", content: "be brief" })],
  ["a temperature", { ...base, temperature: 0.5, top_p: 0.9, top_k: 4 }],
  ["max_tokens of 0, to fill the cache", { ...base, max_tokens: 0 }],
  ["exactly as much output as there is", { ...base, max_tokens: 8192 }],
  ["an image of exactly 8000 pixels", say(image(png(8000, 8000)))],
  ["an image of exactly 10 MB", say(image(PNG_10_MB))],
];

for (const [rule, body] of GOOD) {
  test(`Anthropic takes ${rule}`, () => {
    assert.deepEqual(attempt(P, body).ok ? "taken" : attempt(P, body), "taken");
  });
}

const version = { "anthropic-version": "2023-06-01" };
const strict = {
  id: "strict",
  contextWindow: 9,
  maxOutput: 9000,
  prefill: false,
  sampling: false,
  systemRole: false,
  accepts: ["image/gif"],
};

test("Anthropic refuses by header, size and model with their own status and type", () => {
  const outcome = (body: unknown, options: Parameters<typeof attempt>[2]) => {
    const result = attempt(P, body, options);
    if (result.ok) return "taken";
    const { error } = result.error as { error: { type: string; message: string } };
    return [result.status, error.type, error.message];
  };
  const models = [strict];
  assert.deepEqual(
    [
      outcome(base, { headers: version }),
      outcome(base, { headers: { ...version, authorization: "Bearer x" } }),
      outcome(base, { headers: { "x-api-key": "k" } }),
      outcome(base, { headers: { "X-Api-Key": "k", "Anthropic-Version": "2020-01-01" } }),
      outcome(base, { maxBodyBytes: 10 }),
      outcome("{", {}),
      outcome({ ...base, model: "claude-none" }, { acceptAnyModel: false }),
      outcome({ ...base, model: "strict", temperature: 0 }, { models }),
      outcome({ ...talk(hi, assistant(text("So"))), model: "strict" }, { models }),
      outcome({ ...talk(hi, { role: "system", content: "x" }), model: "strict" }, { models }),
      outcome({ ...say(image(PNG)), model: "strict" }, { models }),
      outcome(
        { ...base, context_management: {} },
        { headers: { ...HEADERS[P], "anthropic-beta": "x" } },
      ),
    ],
    [
      [401, "authentication_error", "x-api-key header is required"],
      "taken",
      [400, "invalid_request_error", "anthropic-version: header is required"],
      [400, "invalid_request_error", 'anthropic-version: "2020-01-01" is not a valid version'],
      [413, "request_too_large", "Request exceeds the maximum size"],
      [
        400,
        "invalid_request_error",
        "The request body is not valid JSON: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
      ],
      [404, "not_found_error", "model: claude-none"],
      [400, "invalid_request_error", "`temperature` is not supported for this model."],
      [
        400,
        "invalid_request_error",
        "This model does not support assistant message prefill. The conversation must end with a user message.",
      ],
      [400, "invalid_request_error", "role 'system' is not supported on this model"],
      [
        400,
        "invalid_request_error",
        "messages.0.content.0.image.source.base64: This model does not support image/png input.",
      ],
      "taken",
    ],
  );
});

test("API version 2026-10-21 refuses sampling, documents of the assistant and cited user words", () => {
  const cited = text("a", { citations: [{ type: "char_location", cited_text: "b" }] });
  const found = { type: "search_result", source: "s", title: "t", content: [cited] };
  const bodies = [
    { ...base, temperature: 1 },
    talk(hi, assistant(pdf(PDF)), hi),
    say(cited),
    say(found),
  ];
  const outcome = (body: unknown, api: string) => {
    const result = attempt(P, body, { headers: { "x-api-key": "k", "anthropic-version": api } });
    return result.ok || (result.error as { error: { message: string } }).error.message;
  };
  assert.deepEqual(
    bodies.map((body) => outcome(body, "2026-10-21")),
    [
      "temperature: Extra inputs are not permitted",
      "messages.1: `document` blocks can only be in `user` messages",
      "messages.0.content.0: citations are not allowed in user messages",
      "messages.0.content.0: citations are not allowed in user messages",
    ],
  );
  assert.deepEqual(
    bodies.map((body) => outcome(body, "2023-06-01")),
    [true, true, true, true],
  );
  assert.equal(outcome(talk(hi, assistant(cited), hi), "2026-10-21"), true);
});

test("a model that only adapts its thinking refuses a budget", () => {
  const models = [{ id: "new", contextWindow: 9000, maxOutput: 9000, manualThinking: false }];
  const body = { ...base, model: "new", max_tokens: 2000 };
  assert.equal(attempt(P, { ...body, thinking: budget }, { models }).ok, false);
  assert.equal(attempt(P, { ...body, thinking: { type: "adaptive" } }, { models }).ok, true);
});

test("a platform with a smaller limit for images is rehearsed by its model row", () => {
  const models = [{ id: "far", contextWindow: 9000, maxOutput: 9000, imageBytesMax: 5_242_880 }];
  const result = attempt(P, { ...say(image(PNG_10_MB)), model: "far" }, { models });
  assert.match(
    JSON.stringify(result.ok || result.error),
    /image exceeds 5 MB maximum: 10485760 bytes > 5242880 bytes/,
  );
});

test("a request over 32 MB is refused before it is read", () => {
  const most = 32 * 1024 * 1024;
  const status = (bytes: number) => {
    const result = validate(P, HEADERS[P], new Uint8Array(bytes));
    return result.ok || result.status;
  };
  assert.deepEqual([status(most), status(most + 1)], [400, 413]);
});
