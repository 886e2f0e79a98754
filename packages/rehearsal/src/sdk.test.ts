/**
 * The official SDKs as oracles: each is pointed at the rehearsal, streams words and a call, sends the
 * result back and reads a refusal. What they parse without complaint is on the wire as it should be.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { ApiError, GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { startRehearsal } from "./server.ts";

const rehearsal = await startRehearsal();
after(() => rehearsal.close());

const call = {
  reasoning: "Let me see.",
  say: "I look. ",
  toolCalls: [{ name: "look", input: { at: "é" } }],
};
const script = [call, { say: "Done." }, { say: "whole" }];
const parameters = { type: "object", properties: { at: { type: "string" } } };

test("@anthropic-ai/sdk streams thinking, words and a call, and takes the result back", async () => {
  rehearsal.use(script);
  const client = new Anthropic({
    apiKey: "key",
    baseURL: `${rehearsal.url}/anthropic`,
    maxRetries: 0,
  });
  const tools = [{ name: "look", input_schema: { ...parameters, type: "object" as const } }];
  const asked = {
    model: "default",
    max_tokens: 2000,
    tools,
    thinking: { type: "enabled" as const, budget_tokens: 1024 },
  };
  const question: Anthropic.MessageParam = { role: "user", content: "What is there?" };
  const message = await client.messages.stream({ ...asked, messages: [question] }).finalMessage();
  assert.deepEqual(
    message.content.map((block) => [block.type, block.type === "tool_use" ? block.input : ""]),
    [
      ["thinking", ""],
      ["text", ""],
      ["tool_use", { at: "é" }],
    ],
  );
  const used = message.content.find((block) => block.type === "tool_use");
  assert.ok(used);
  const messages: Anthropic.MessageParam[] = [
    question,
    { role: "assistant", content: message.content as Anthropic.ContentBlockParam[] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: used.id, content: "a cat" }] },
  ];
  // The SDK hands back `citations: null` and `caller`, which the API takes.
  const final = await client.messages.stream({ ...asked, messages }).finalText();
  assert.equal(final, "Done.");
  const whole = await client.messages.create({ ...asked, messages });
  assert.equal(whole.stop_reason, "end_turn");
  await assert.rejects(
    client.messages.create({ ...asked, messages: [] }),
    (error) =>
      error instanceof Anthropic.BadRequestError &&
      error.type === "invalid_request_error" &&
      error.message.includes("at least one message is required"),
  );
});

test("openai streams a response with reasoning, words and a call, and takes the output back", async () => {
  rehearsal.use(script);
  const client = new OpenAI({
    apiKey: "key",
    baseURL: `${rehearsal.url}/openai/v1`,
    maxRetries: 0,
  });
  const asked = {
    model: "default",
    store: false,
    include: ["reasoning.encrypted_content" as const],
    tools: [{ type: "function" as const, name: "look", parameters, strict: false }],
  };
  const question = { role: "user" as const, content: "What is there?" };
  const first = await client.responses.stream({ ...asked, input: [question] }).finalResponse();
  assert.deepEqual(
    first.output.map(({ type }) => type),
    ["reasoning", "message", "function_call"],
  );
  assert.equal(first.output_text, "I look. ");
  const made = first.output.find((item) => item.type === "function_call");
  assert.deepEqual(JSON.parse(made?.arguments ?? ""), { at: "é" });
  const output = {
    type: "function_call_output" as const,
    call_id: made?.call_id ?? "",
    output: "a cat",
  };
  const replayed = first.output as OpenAI.Responses.ResponseInputItem[];
  const input = [question, ...replayed.map(withoutParsed), output];
  const next = await client.responses.stream({ ...asked, input }).finalResponse();
  assert.equal(next.output_text, "Done.");
  assert.equal((await client.responses.create({ ...asked, input })).output_text, "whole");
  await assert.rejects(
    client.responses.create({ ...asked, input: [question, output] }),
    (error) => error instanceof OpenAI.BadRequestError && error.param === "input",
  );
});

/** `stream()` adds a `parsed` of its own to what it read; that is not for the wire. */
function withoutParsed(
  item: OpenAI.Responses.ResponseInputItem,
): OpenAI.Responses.ResponseInputItem {
  const wire = JSON.stringify(item, (key, value) =>
    key === "parsed" || key === "parsed_arguments" ? undefined : value,
  );
  return JSON.parse(wire);
}

test("openai streams a chat with words and a call, and takes the result back", async () => {
  rehearsal.use(script);
  const client = new OpenAI({
    apiKey: "key",
    baseURL: `${rehearsal.url}/openai/v1`,
    maxRetries: 0,
  });
  const tools = [{ type: "function" as const, function: { name: "look", parameters } }];
  const question = { role: "user" as const, content: "What is there?" };
  const stream = client.chat.completions.stream({
    model: "default",
    tools,
    messages: [question],
    stream_options: { include_usage: true },
  });
  const completion = await stream.finalChatCompletion();
  const { message } = completion.choices[0] ?? {};
  const made = message?.tool_calls?.[0];
  assert.ok(made?.type === "function");
  assert.deepEqual([message?.content, made.function.arguments], ["I look. ", '{"at":"é"}']);
  assert.equal(completion.usage?.completion_tokens, 9);
  const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [
    question,
    {
      role: "assistant",
      content: message?.content ?? null,
      tool_calls: [{ id: made.id, type: "function", function: { name: "look", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: made.id, content: "a cat" },
  ];
  const next = client.chat.completions.stream({ model: "default", tools, messages });
  assert.equal(await next.finalContent(), "Done.");
  const whole = await client.chat.completions.create({ model: "default", messages });
  assert.equal(whole.choices[0]?.message.content, "whole");
  await assert.rejects(
    client.chat.completions.create({ model: "default", messages: messages.slice(1, 2) }),
    (error) => error instanceof OpenAI.BadRequestError && error.param === "messages.[1].role",
  );
});

test("@google/genai streams thoughts, words and a call, and takes the response back", async () => {
  rehearsal.use(script);
  const baseUrl = `${rehearsal.url}/gemini`;
  const client = new GoogleGenAI({ apiKey: "key", httpOptions: { baseUrl } });
  const config = {
    tools: [{ functionDeclarations: [{ name: "look", parametersJsonSchema: parameters }] }],
  };
  const question = { role: "user", parts: [{ text: "What is there?" }] };
  const asked = { model: "gemini-3-pro", config };
  const parts: object[] = [];
  for await (const chunk of await client.models.generateContentStream({
    ...asked,
    contents: [question],
  })) {
    parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
  }
  const made = parts.find((part) => "functionCall" in part) as {
    functionCall: { id: string; args: object };
  };
  assert.deepEqual(made.functionCall.args, { at: "é" });
  const contents = [
    question,
    { role: "model", parts },
    {
      role: "user",
      parts: [
        {
          functionResponse: {
            id: made.functionCall.id,
            name: "look",
            response: { output: "a cat" },
          },
        },
      ],
    },
  ];
  const next = await client.models.generateContent({ ...asked, contents });
  assert.equal(next.text, "Done.");
  await assert.rejects(
    client.models.generateContent({ ...asked, contents: contents.slice(0, 2) }),
    (error) => error instanceof ApiError && error.status === 400,
  );
});

test("a rate limit is retried by the SDKs as theirs is", async () => {
  const limited = { fault: { status: 429, retryAfterSeconds: 0 } } as const;
  rehearsal.use([limited, { say: "later" }, limited, { say: "later" }]);
  const anthropic = new Anthropic({
    apiKey: "key",
    baseURL: `${rehearsal.url}/anthropic`,
    maxRetries: 1,
  });
  const hi = { role: "user" as const, content: "hi" };
  const message = await anthropic.messages.create({
    model: "default",
    max_tokens: 9,
    messages: [hi],
  });
  assert.equal(message.content[0]?.type === "text" && message.content[0].text, "later");
  const openai = new OpenAI({
    apiKey: "key",
    baseURL: `${rehearsal.url}/openai/v1`,
    maxRetries: 1,
  });
  const response = await openai.responses.create({ model: "default", input: "hi" });
  assert.equal(response.output_text, "later");
});
