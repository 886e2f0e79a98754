import assert from "node:assert/strict";
import { test } from "node:test";
import type { GenerationConfig, Tool } from "@google/genai";
import { FunctionCallingConfigMode, ThinkingLevel, type ToolConfig } from "@google/genai";
import { findModel } from "../catalogue/lookup.ts";
import type { ModelProfile } from "../catalogue/model.ts";
import type { EnvelopeInput, Settings } from "../protocol.ts";
import { endpoint, envelope } from "./envelope.ts";

function known(name: string): ModelProfile {
  const found = findModel(name);
  assert.ok(found.ok, name);
  return found.profile;
}

const profile = known("gemini/gemini-3.8-flash");
const SETTINGS: Settings = { stream: true, cache: "auto" };

type Around = {
  tools?: Tool[];
  systemInstruction?: unknown;
  contents: unknown[];
  toolConfig?: ToolConfig;
  generationConfig: GenerationConfig;
};

function around(input: Partial<EnvelopeInput>): Around {
  const { head, tail } = envelope({ profile, layers: [], tools: [], settings: SETTINGS, ...input });
  return JSON.parse(head + tail);
}

const thinking = (reasoning: Settings["reasoning"], model: ModelProfile = profile) =>
  around({ profile: model, settings: { ...SETTINGS, ...(reasoning && { reasoning }) } })
    .generationConfig.thinkingConfig;

const READ = {
  name: "files.read",
  description: "Reads a file",
  input_schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};

test("a request without anything has contents and the model's own output limit", () => {
  assert.deepEqual(around({}), { contents: [], generationConfig: { maxOutputTokens: 65_536 } });
});

test("each layer is a part of the system instruction, and its trace is that part", () => {
  const layers = [
    { id: "agent", text: 'Be "brief" — å' },
    { id: "project", text: "Use tabs." },
  ];
  const made = envelope({ profile, layers, tools: [READ], settings: SETTINGS });
  assert.deepEqual(JSON.parse(made.head + made.tail).systemInstruction, {
    parts: [{ text: 'Be "brief" — å' }, { text: "Use tabs." }],
  });
  assert.deepEqual(
    made.traces.map(({ layer, start, end }) => [layer, made.head.slice(start, end)]),
    [
      ["agent", '{"text":"Be \\"brief\\" — å"}'],
      ["project", '{"text":"Use tabs."}'],
    ],
  );
});

test("a tool is declared with its JSON Schema as it is", () => {
  const expected: Tool[] = [
    {
      functionDeclarations: [
        {
          name: "files_read_feef3122",
          description: "Reads a file",
          parametersJsonSchema: {
            type: "object",
            properties: { path: { type: "string" } },
            required: ["path"],
          },
        },
      ],
    },
  ];
  assert.deepEqual(around({ tools: [READ] }).tools, expected);
});

test("a tool choice becomes a calling mode, and one tool a list of one", () => {
  const { AUTO, ANY, NONE } = FunctionCallingConfigMode;
  const modes = { auto: AUTO, required: ANY, none: NONE } as const;
  for (const [toolChoice, mode] of Object.entries(modes)) {
    const expected: ToolConfig = { functionCallingConfig: { mode } };
    const made = around({ tools: [READ], toolChoice: toolChoice as keyof typeof modes });
    assert.deepEqual(made.toolConfig, expected);
  }
  const expected: ToolConfig = {
    functionCallingConfig: { mode: ANY, allowedFunctionNames: ["files_read_feef3122"] },
  };
  const made = around({ tools: [READ], toolChoice: { tool: "files.read" } });
  assert.deepEqual(made.toolConfig, expected);
  assert.equal(around({ toolChoice: "required" }).toolConfig, undefined);
});

test("settings become the generation config", () => {
  const expected: GenerationConfig = {
    maxOutputTokens: 100,
    temperature: 0,
    topP: 0.5,
    stopSequences: ["END"],
  };
  const settings: Settings = {
    ...SETTINGS,
    maxOutput: 100,
    temperature: 0,
    topP: 0.5,
    stop: ["END"],
  };
  assert.deepEqual(around({ settings }).generationConfig, expected);
});

test("effort and budget become a thinking level where the model takes levels", () => {
  const { LOW, MEDIUM, HIGH } = ThinkingLevel;
  const level = (thinkingLevel: ThinkingLevel) => ({ thinkingLevel, includeThoughts: true });
  assert.deepEqual(thinking({ effort: "low" }), level(LOW));
  assert.deepEqual(thinking({}), level(MEDIUM));
  assert.deepEqual(thinking({ budget: 1024 }), level(LOW));
  assert.deepEqual(thinking({ budget: 8192 }), level(MEDIUM));
  assert.deepEqual(thinking({ budget: 8193 }), level(HIGH));
  assert.deepEqual(thinking({ budget: 100, effort: "high" }), level(HIGH));
  assert.equal(thinking(undefined), undefined);
});

test("effort and budget become a budget where the model takes one, or its control is unknown", () => {
  const controls = [true, { control: "budget", words: [], canDisable: true } as const] as const;
  for (const reasoning of controls) {
    const model = { ...profile, reasoning };
    const budget = (thinkingBudget: number) => ({ thinkingBudget, includeThoughts: true });
    assert.deepEqual(thinking({ effort: "high" }, model), budget(24_576));
    assert.deepEqual(thinking({ budget: 512 }, model), budget(512));
  }
});

test("a model that does not think is not asked to", () => {
  assert.equal(thinking({ effort: "high" }, { ...profile, reasoning: false }), undefined);
});

test("the address holds the model and the way of answering; the key is a header", () => {
  const at = (baseUrl: string, stream = true, model = profile) =>
    endpoint({ profile: model, baseUrl, stream, key: "k" });
  const host = "https://generativelanguage.googleapis.com";
  const path = "v1beta/models/gemini-3.8-flash";
  assert.deepEqual(at(host), {
    method: "POST",
    url: `${host}/${path}:streamGenerateContent?alt=sse`,
    headers: { "content-type": "application/json", "x-goog-api-key": "k" },
  });
  assert.equal(at(host, false).url, `${host}/${path}:generateContent`);
  assert.equal(at(`${host}/v1beta/`, false).url, `${host}/${path}:generateContent`);
  assert.equal(
    at("http://127.0.0.1:9/gemini", false).url,
    "http://127.0.0.1:9/gemini/v1beta/models/gemini-3.8-flash:generateContent",
  );
  const tuned = { ...profile, id: "tunedModels/a b?c" };
  assert.equal(at(host, false, tuned).url, `${host}/v1beta/tunedModels/a%20b%3Fc:generateContent`);
  assert.deepEqual(endpoint({ profile, baseUrl: host, stream: true }).headers, {
    "content-type": "application/json",
  });
});
