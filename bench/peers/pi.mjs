/** pi-ai: its own context through its provider adapters, up to the call of `fetch`. */
import { getModel, stream } from "@mariozechner/pi-ai";

const tools = [
  {
    name: "read",
    description: "Reads a file.",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, offset: { type: "number" } },
      required: ["path"],
    },
  },
];
const usage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

export function pi(wire, turns) {
  const model =
    wire === "anthropic"
      ? getModel("anthropic", "claude-opus-4-5")
      : { ...getModel("openai", "gpt-4.1"), api: "openai-completions" };
  const about = { api: model.api, provider: model.provider, model: model.id, usage, timestamp: 1 };
  const messagesOf = (turn) => [
    { role: "user", content: [{ type: "text", text: turn.ask }], timestamp: 1 },
    {
      role: "assistant",
      content: [{ type: "toolCall", id: turn.callId, name: "read", arguments: turn.input }],
      stopReason: "toolUse",
      ...about,
    },
    {
      role: "toolResult",
      toolCallId: turn.callId,
      toolName: "read",
      content: [{ type: "text", text: turn.result }],
      isError: false,
      timestamp: 1,
    },
    {
      role: "assistant",
      content: [{ type: "text", text: turn.answer }],
      stopReason: "stop",
      ...about,
    },
  ];
  const body = async (messages) => {
    let received;
    const kept = globalThis.fetch;
    globalThis.fetch = async (_url, init) => {
      received = init.body;
      return new Response("{}", { status: 500 });
    };
    try {
      const context = {
        systemPrompt: "You are a coding agent. Be brief and exact.",
        messages,
        tools,
      };
      const events = stream(model, context, { apiKey: "none", maxRetries: 0 });
      for await (const _ of events) if (received !== undefined) break;
      return received;
    } finally {
      globalThis.fetch = kept;
    }
  };
  return {
    prepareFirst: () => turns.flatMap(messagesOf),
    first: body,
    prepareAppend: () => turns.flatMap(messagesOf),
    append: (messages, turn) => {
      messages.push(...messagesOf(turn));
      return body(messages);
    },
  };
}
