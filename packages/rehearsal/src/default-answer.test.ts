import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultAnswer, describeRequest } from "./default-answer.ts";
import { countByLength } from "./tokens.ts";
import { hearing, PDF, png } from "./trial.ts";

const body = {
  model: "default",
  max_tokens: 1000,
  system: [{ type: "text", text: "Be kind.", cache_control: { type: "ephemeral" } }],
  tools: [{ name: "look", input_schema: { type: "object" } }],
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "What is\nthis? 🙂" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: png(640, 480) } },
        {
          type: "document",
          title: "a.pdf",
          source: { type: "base64", media_type: "application/pdf", data: PDF },
        },
        { type: "image", source: { type: "url", url: "https://a.b/c.png" } },
      ],
    },
    {
      role: "assistant",
      content: [{ type: "tool_use", id: "t1", name: "look", input: { at: 1 } }],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "t1", is_error: true, content: "no such thing" },
        { type: "text", text: "x".repeat(61), cache_control: { type: "ephemeral" } },
      ],
    },
  ],
};

test("the default answer says what was received, block by block", () => {
  assert.equal(
    describeRequest(hearing("anthropic-messages", body)),
    `This is the rehearsal model (anthropic-messages, default). I received about 452 tokens:
System text: 1 block, 8 characters.
1. user:
   - text, 18 bytes: "What is this? 🙂"
   - image/png, 29 bytes, 640×480
   - application/pdf "a.pdf", 15 bytes
   - unknown, by url: https://a.b/c.png
2. assistant:
   - call of look (t1): "{"at":1}"
3. user:
   - error of t1: text, 13 bytes: "no such thing"
   - text, 61 bytes: "${"x".repeat(60)}…" (cache marker)
Tools offered: look.
Cache markers: 2.`,
  );
});

test("the default answer is no longer than it may be, and says that it was cut", () => {
  const heard = hearing("anthropic-messages", { ...body, max_tokens: 5 });
  assert.deepEqual(defaultAnswer(heard, countByLength), {
    say: "This is the rehearsa",
    stop: "length",
  });
});
