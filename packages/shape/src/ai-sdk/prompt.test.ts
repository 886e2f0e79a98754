import assert from "node:assert/strict";
import { test } from "node:test";
import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { AssembledContext, AssistantContext } from "@galley/assemble";
import type { AssistantPart } from "@galley/parts";
import { findModel } from "../catalogue/lookup.ts";
import type { ModelProfile } from "../catalogue/model.ts";
import { toPrompt } from "./prompt.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const PDF = "JVBERi0xLjQKJSVFT0YK";

function known(name: string): ModelProfile {
  const found = findModel(name);
  assert.ok(found.ok, name);
  return found.profile;
}
const claude = known("anthropic/claude-opus-5-5");
const gemini = known("gemini/gemini-3.8-flash");
const anyModel = { ...claude, provider: "ai-sdk", id: "any" };

const context = (rest: Partial<AssembledContext>): AssembledContext => ({
  layers: [],
  messages: [],
  tools: [],
  ...rest,
});

const answered = (...parts: AssistantPart[]): AssistantContext => ({ role: "assistant", parts });

const promptOf = (
  message: AssistantContext,
  provider: string,
  profile: ModelProfile = anyModel,
): LanguageModelV4Prompt => toPrompt(context({ messages: [message] }), profile, provider).prompt;

const look = (rest: Partial<AssistantPart> = {}): AssistantPart => ({
  type: "tool-look",
  toolCallId: "call_1",
  state: "output-available",
  input: { page: 1 },
  output: "page 1",
  ...rest,
});

test("layers are one system message, in order", () => {
  const layers = [
    { id: "agent", text: "You help." },
    { id: "project", text: "Use tabs." },
  ];
  const expected: LanguageModelV4Prompt = [{ role: "system", content: "You help.\n\nUse tabs." }];
  assert.deepEqual(toPrompt(context({ layers }), anyModel).prompt, expected);
});

test("text, pictures and documents of the user keep their order, and each part has its outcome", () => {
  const parts = [
    { type: "file-attachment", name: "a.png", mime: "image/png", data: PNG } as const,
    { type: "text", text: "and" } as const,
    { type: "file-attachment", name: "b.pdf", mime: "application/pdf", data: PDF } as const,
    { type: "file-attachment", name: "c.bin", mime: "image/png", data: "AAECAw==" } as const,
    { type: "hologram", colour: "blue" },
  ];
  const { prompt, outcomes } = toPrompt(
    context({ messages: [{ role: "user", id: "msg_1", parts, materials: [] }] }),
    anyModel,
  );
  const file = (mediaType: string, data: string, filename: string) =>
    ({ type: "file", mediaType, data: { type: "data", data }, filename }) as const;
  const expected: LanguageModelV4Prompt = [
    {
      role: "user",
      content: [
        file("image/png", PNG, "a.png"),
        { type: "text", text: "and" },
        file("application/pdf", PDF, "b.pdf"),
        {
          type: "text",
          text: "[attachment: c.bin, image/png, 4 bytes; content not shown: its bytes are not image/png]",
        },
        { type: "text", text: "[unsupported part: hologram]" },
      ],
    },
  ];
  assert.deepEqual(prompt, expected);
  assert.deepEqual(
    outcomes.map(({ message_id, part, outcome, bytes }) => [message_id, part, outcome, bytes]),
    [
      ["msg_1", 0, "native", []],
      ["msg_1", 1, "text", []],
      ["msg_1", 2, "native", []],
      ["msg_1", 3, "descriptor", []],
      ["msg_1", 4, "placeholder", []],
    ],
  );
});

test("media are named as the model's provider spells them", () => {
  const mp3 = btoa("ID3\u0004\0\0\0\0\0\0");
  const parts = [{ type: "file-attachment", name: "a", mime: "audio/mpeg", data: mp3 } as const];
  const messages = [{ role: "user", parts, materials: [] } as const];
  const [message] = toPrompt(context({ messages }), gemini).prompt;
  assert.deepEqual(message?.content, [
    { type: "file", mediaType: "audio/mp3", data: { type: "data", data: mp3 }, filename: "a" },
  ]);
});

test("a provider gets back its own records, and nobody else's", () => {
  const message = answered(
    {
      type: "reasoning",
      text: "Hm.",
      providerMetadata: { anthropic: { signature: "s" }, openai: { itemId: "rs_1" } },
    },
    { type: "text", text: "Yes.", providerMetadata: { openai: { itemId: "msg_9" } } },
    look({
      callProviderMetadata: { openai: { itemId: "fc_1" }, google: { thoughtSignature: "g" } },
    }),
  );
  const result = {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "call_1",
        toolName: "look",
        output: { type: "text", value: "page 1" },
      },
    ],
  } as const;
  const call = {
    type: "tool-call",
    toolCallId: "call_1",
    toolName: "look",
    input: { page: 1 },
  } as const;
  assert.deepEqual(promptOf(message, "anthropic.messages"), [
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Hm.", providerOptions: { anthropic: { signature: "s" } } },
        { type: "text", text: "Yes." },
        call,
      ],
    },
    result,
  ]);
  assert.deepEqual(promptOf(message, "openai.responses"), [
    {
      role: "assistant",
      content: [
        { type: "text", text: "Yes.", providerOptions: { openai: { itemId: "msg_9" } } },
        { ...call, providerOptions: { openai: { itemId: "fc_1" } } },
      ],
    },
    result,
  ]);
  assert.deepEqual(promptOf(message, "google.vertex.chat")[0]?.content, [
    { type: "text", text: "Yes." },
    { ...call, providerOptions: { google: { thoughtSignature: "g" } } },
  ]);
});

test("results say failures in the SDK's own form, and hold media where the model takes them", () => {
  const shot = {
    content: [
      { type: "image", data: PNG },
      { type: "text", text: "seen" },
    ],
  };
  const outputs = (part: AssistantPart, profile = anyModel) => {
    const tool = promptOf(answered(part), "x", profile).find(({ role }) => role === "tool");
    return tool?.role === "tool"
      ? tool.content.map((each) => (each.type === "tool-result" ? each.output : undefined))
      : [];
  };
  const file = {
    type: "file",
    mediaType: "image/png",
    data: { type: "data", data: PNG },
  } as const;
  const seen = { type: "text", text: "seen" } as const;
  assert.deepEqual(outputs(look({ state: "output-error", errorText: "no page" })), [
    { type: "error-text", value: "no page" },
  ]);
  assert.deepEqual(outputs(look({ output: shot })), [{ type: "content", value: [file, seen] }]);
  assert.deepEqual(outputs(look({ output: { ...shot, isError: true } })), [
    {
      type: "content",
      value: [{ type: "text", text: "[the tool reported an error]" }, file, seen],
    },
  ]);
  assert.deepEqual(outputs(look({ output: shot }), { ...anyModel, toolResultMedia: false }), [
    { type: "text", value: "[image/png: see the next message]\nseen" },
  ]);
});

test("hoisted media and the user's next message are one message of the user", () => {
  const shot = { content: [{ type: "image", data: PNG }] };
  const messages = [
    answered(look({ output: shot }), { type: "step-start" }),
    { role: "user", parts: [{ type: "text", text: "go on" }], materials: [] } as const,
  ];
  const { prompt } = toPrompt(context({ messages }), { ...anyModel, toolResultMedia: false });
  assert.deepEqual(
    prompt.map(({ role, content }) => [
      role,
      typeof content === "string" ? content : content.map(({ type }) => type),
    ]),
    [
      ["assistant", ["tool-call"]],
      ["tool", ["tool-result"]],
      ["user", ["file", "text"]],
    ],
  );
});

test("a picture that the model made goes back to Google, and is told of elsewhere", () => {
  const message = answered({
    type: "file",
    mediaType: "image/png",
    url: `data:image/png;base64,${PNG}`,
  });
  assert.deepEqual(promptOf(message, "google.generative-ai")[0]?.content, [
    { type: "file", mediaType: "image/png", data: { type: "data", data: PNG } },
  ]);
  assert.deepEqual(promptOf(message, "anthropic.messages")[0]?.content, [
    {
      type: "text",
      text: "[file: unnamed, image/png; content not shown: a file that the model made, in a form it does not take back]",
    },
  ]);
});

test("tools are declared under names that every provider takes", () => {
  const input_schema = { type: "object", properties: {} };
  const tools = [{ name: "files.read", description: "Reads", input_schema }];
  assert.deepEqual(toPrompt(context({ tools }), anyModel).tools, [
    {
      type: "function",
      name: "files_read_feef3122",
      description: "Reads",
      inputSchema: { type: "object", properties: {} },
    },
  ]);
});
