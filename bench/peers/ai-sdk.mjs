/** AI SDK: UI messages through its own conversion and provider, up to the call of `fetch`. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { convertToModelMessages, jsonSchema, streamText, tool } from "ai";

const tools = {
  read: tool({
    description: "Reads a file.",
    inputSchema: jsonSchema({
      type: "object",
      properties: { path: { type: "string" }, offset: { type: "number" } },
      required: ["path"],
    }),
  }),
};

const messagesOf = (turn, index) => [
  { id: `u${index}`, role: "user", parts: [{ type: "text", text: turn.ask }] },
  {
    id: `a${index}`,
    role: "assistant",
    parts: [
      { type: "step-start" },
      {
        type: "tool-read",
        toolCallId: turn.callId,
        state: "output-available",
        input: turn.input,
        output: turn.result,
      },
      { type: "step-start" },
      { type: "text", text: turn.answer },
    ],
  },
];

export function aiSdk(wire, turns) {
  let received = () => {};
  const fetch = async (_url, init) => {
    received(init.body);
    return new Response("{}", { status: 500 });
  };
  const settings = { apiKey: "none", fetch };
  const model =
    wire === "anthropic"
      ? createAnthropic(settings)("claude-opus-4-5")
      : createOpenAI(settings).chat("gpt-4.1");
  const body = async (messages) => {
    const got = new Promise((resolve) => {
      received = resolve;
    });
    const converted = await convertToModelMessages(messages, { tools });
    const result = streamText({
      model,
      tools,
      messages: [{ role: "user", content: "start" }, ...converted],
      system: "You are a coding agent. Be brief and exact.",
      maxRetries: 0,
      onError: () => {},
    });
    // The call starts when somebody reads.
    const reading = result.consumeStream({ onError: () => {} });
    const text = await got;
    await reading;
    return text;
  };
  return {
    prepareFirst: () => turns.flatMap(messagesOf),
    first: body,
    prepareAppend: () => turns.flatMap(messagesOf),
    append: (messages, turn) => {
      messages.push(...messagesOf(turn, messages.length));
      return body(messages);
    },
  };
}
