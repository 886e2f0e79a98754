/** Galley as a contender: a forme for the first build, an append for the next turn. */
import { anthropicMessages, createForme, findModel, openAiChat } from "@galley/shape";

const LAYERS = [{ id: "agent.system", text: "You are a coding agent. Be brief and exact." }];
const TOOLS = [
  {
    name: "read",
    description: "Reads a file.",
    input_schema: {
      type: "object",
      properties: { path: { type: "string" }, offset: { type: "number" } },
      required: ["path"],
    },
  },
];
const SETTINGS = { stream: true, cache: /** @type {const} */ ("auto") };

const PROTOCOLS = {
  anthropic: { protocol: anthropicMessages, model: "anthropic/claude-opus-5-5" },
  chat: { protocol: openAiChat, model: "openai-chat/gpt-5.5" },
};

/** @param {import("./history.mjs").Turn} turn */
const messagesOf = (turn) => [
  { role: "user", parts: [{ type: "text", text: turn.ask }], materials: [] },
  {
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

/** @param {"anthropic" | "chat"} wire @param {import("./history.mjs").Turn[]} turns */
export function ours(wire, turns) {
  const { protocol, model } = PROTOCOLS[wire];
  const found = findModel(model);
  if (!found.ok) throw new Error(`no model ${model}`);
  const print = (forme) => forme.request({ layers: LAYERS, tools: TOOLS, settings: SETTINGS });
  const request = (forme) => print(forme).body;
  const fresh = () => createForme(protocol, found.profile);
  return {
    /** Objects are made anew each time: nothing may be left over from the last round. */
    prepareFirst: () => turns.flatMap(messagesOf),
    first(messages) {
      const forme = fresh();
      for (const message of messages) forme.append(message);
      return request(forme);
    },
    prepareAppend() {
      const forme = fresh();
      for (const message of turns.flatMap(messagesOf)) forme.append(message);
      request(forme);
      return forme;
    },
    append(forme, turn) {
      for (const message of messagesOf(turn)) forme.append(message);
      return request(forme);
    },
    /** Ready to be written to a socket, piece by piece. */
    appendInPieces(forme, turn) {
      for (const message of messagesOf(turn)) forme.append(message);
      return print(forme).chunks;
    },
  };
}
