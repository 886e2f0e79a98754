import assert from "node:assert/strict";
import { test } from "node:test";
import type { AssembledContext } from "@galley/assemble";
import {
  type Content,
  type GenerateContentParameters,
  GoogleGenAI,
  ThinkingLevel,
} from "@google/genai";
import { findModel } from "../catalogue/lookup.ts";
import type { ModelProfile } from "../catalogue/model.ts";
import { createForme, type WireRequest } from "../forme.ts";
import type { Settings } from "../protocol.ts";
import { geminiGenerate } from "./protocol.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const PDF = "JVBERi0xLjQKJSVFT0YK";
const BASE = "https://generativelanguage.googleapis.com";
const SETTINGS: Settings = { stream: true, cache: "auto", maxOutput: 1000, reasoning: {} };

function known(name: string): ModelProfile {
  const found = findModel(name);
  assert.ok(found.ok, name);
  return found.profile;
}
const profile = known("gemini/gemini-3.8-flash");

const CONTEXT: AssembledContext = {
  layers: [
    { id: "agent", text: "You help — briefly." },
    { id: "project", text: "Use tabs." },
  ],
  tools: [
    {
      name: "look",
      description: "Looks at a page",
      input_schema: { type: "object", properties: { page: { type: "integer" } } },
    },
  ],
  messages: [
    {
      role: "user",
      id: "msg_1",
      parts: [
        { type: "text", text: "What is å here?" },
        { type: "file-attachment", name: "a.png", mime: "image/png", data: PNG },
        { type: "file-attachment", name: "b.pdf", mime: "application/pdf", data: PDF },
        { type: "file-attachment", name: "c.psd", mime: "image/png", data: btoa("8BPS----") },
      ],
      materials: [],
    },
    {
      role: "assistant",
      id: "msg_2",
      parts: [
        { type: "reasoning", text: "I should look." },
        {
          type: "tool-look",
          toolCallId: "call_1",
          state: "output-available",
          input: { page: 1 },
          output: {
            content: [
              { type: "image", data: PNG },
              { type: "text", text: "page 1" },
            ],
          },
          callProviderMetadata: { google: { thoughtSignature: "c2ln" } },
        },
        { type: "step-start" },
        {
          type: "text",
          text: "It is a page.",
          providerMetadata: { google: { thoughtSignature: "dGV4dA==" } },
        },
      ],
    },
    { role: "user", id: "msg_3", parts: [{ type: "text", text: "Thanks." }], materials: [] },
  ],
};

function build(): WireRequest {
  const forme = createForme(geminiGenerate, profile);
  for (const message of CONTEXT.messages) forme.append(message);
  return forme.request({ layers: CONTEXT.layers, tools: CONTEXT.tools, settings: SETTINGS });
}

const inlineData = (mimeType: string, data: string) => ({ inlineData: { mimeType, data } });

const CONTENTS: Content[] = [
  {
    role: "user",
    parts: [
      { text: "What is å here?" },
      inlineData("image/png", PNG),
      inlineData("application/pdf", PDF),
      {
        text: "[attachment: c.psd, image/vnd.adobe.photoshop, 8 bytes; content not shown: the model does not take image/vnd.adobe.photoshop]",
      },
    ],
  },
  {
    role: "model",
    parts: [
      { functionCall: { id: "call_1", name: "look", args: { page: 1 } }, thoughtSignature: "c2ln" },
    ],
  },
  {
    role: "user",
    parts: [
      {
        functionResponse: {
          id: "call_1",
          name: "look",
          response: { output: "[image/png: attached]\npage 1" },
          parts: [inlineData("image/png", PNG)],
        },
      },
    ],
  },
  { role: "model", parts: [{ text: "It is a page.", thoughtSignature: "dGV4dA==" }] },
  { role: "user", parts: [{ text: "Thanks." }] },
];

const PARAMETERS: GenerateContentParameters = {
  model: "gemini-3.8-flash",
  contents: CONTENTS,
  config: {
    systemInstruction: { parts: [{ text: "You help — briefly." }, { text: "Use tabs." }] },
    tools: [
      {
        functionDeclarations: [
          {
            name: "look",
            description: "Looks at a page",
            parametersJsonSchema: { type: "object", properties: { page: { type: "integer" } } },
          },
        ],
      },
    ],
    maxOutputTokens: 1000,
    thinkingConfig: { thinkingLevel: ThinkingLevel.MEDIUM, includeThoughts: true },
  },
};

test("the official SDK sends the same request for the same conversation", async (t) => {
  const sent: { url: string; key: string | null; body: unknown }[] = [];
  t.mock.method(globalThis, "fetch", async (url: URL | string, init: RequestInit) => {
    const key = new Headers(init.headers).get("x-goog-api-key");
    sent.push({ url: String(url), key, body: JSON.parse(String(init.body)) });
    const event = JSON.stringify({ candidates: [{ finishReason: "STOP" }] });
    return new Response(`data: ${event}\n\n`, { headers: { "content-type": "text/event-stream" } });
  });
  const sdk = new GoogleGenAI({ apiKey: "k" });
  for await (const _ of await sdk.models.generateContentStream(PARAMETERS));

  const { url, headers } = geminiGenerate.endpoint({
    profile,
    baseUrl: BASE,
    key: "k",
    stream: true,
  });
  const body = JSON.parse(new TextDecoder().decode(build().body));
  assert.deepEqual(sent, [{ url, key: headers["x-goog-api-key"] ?? null, body }]);
});

test("every part has its outcome, and its bytes are its own JSON", () => {
  const request = build();
  const slice = ([start, end]: readonly [number, number]): unknown =>
    JSON.parse(new TextDecoder().decode(request.body.subarray(start, end)));
  const outcomes = request.outcomes();
  assert.deepEqual(
    outcomes.map(({ message_id, part, outcome }) => [message_id, part, outcome]),
    [
      ["msg_1", 0, "text"],
      ["msg_1", 1, "native"],
      ["msg_1", 2, "native"],
      ["msg_1", 3, "descriptor"],
      ["msg_2", 0, "resolved-out"],
      ["msg_2", 1, "native"],
      ["msg_2", 2, "resolved-out"],
      ["msg_2", 3, "text"],
      ["msg_3", 0, "text"],
    ],
  );
  const parts = outcomes.flatMap(({ bytes }) => bytes.map(slice));
  assert.deepEqual(
    parts,
    CONTENTS.flatMap((content) => content.parts ?? []),
  );
  assert.deepEqual(
    request.layers().map(({ layer, bytes }) => [layer, slice(bytes)]),
    [
      ["agent", { text: "You help — briefly." }],
      ["project", { text: "Use tabs." }],
    ],
  );
});

test("only reasoning with a signature proves that this provider wrote it", () => {
  const mine = { thoughtSignature: "c2ln" };
  assert.equal(geminiGenerate.signed(mine), mine);
  assert.equal(geminiGenerate.signed({ thoughtSignature: 3 }), undefined);
  assert.equal(geminiGenerate.signed({ signature: "c2ln" }), undefined);
});

test("an older model's result media follow the results in the user's voice", () => {
  const forme = createForme(geminiGenerate, { ...profile, toolResultMedia: false });
  for (const message of CONTEXT.messages.slice(0, 2)) forme.append(message);
  const { body } = forme.request({ layers: [], tools: [], settings: SETTINGS });
  const { contents } = JSON.parse(new TextDecoder().decode(body));
  assert.deepEqual(contents[2].parts, [
    {
      functionResponse: {
        id: "call_1",
        name: "look",
        response: { output: "[image/png: see the next message]\npage 1" },
      },
    },
    inlineData("image/png", PNG),
  ]);
});

test("an error body gives its sentence, alone or in a list", () => {
  const body = { error: { code: 400, message: "API key not valid.", status: "INVALID_ARGUMENT" } };
  assert.equal(geminiGenerate.errorText(body), "API key not valid.");
  assert.equal(geminiGenerate.errorText([body]), "API key not valid.");
  for (const other of [undefined, null, "no", 3, [], {}, { error: "no" }, { error: null }]) {
    assert.equal(geminiGenerate.errorText(other), undefined);
  }
});

test("what Gemini does not list has no native form", () => {
  const kinds = { "image/png": true, "audio/mpeg": true, "image/gif": false, "font/ttf": false };
  for (const [mime, takes] of Object.entries(kinds)) {
    assert.equal(geminiGenerate.encodes(mime), takes, mime);
  }
});
