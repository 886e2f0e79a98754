import assert from "node:assert/strict";
import { test } from "node:test";
import { composeMessage } from "../compose.ts";
import type { ComposeHost, PromptMessage, PromptResult } from "../host.ts";
import { createCatalogue, promptCommand } from "./catalogue.ts";

const catalogue = createCatalogue([
  promptCommand("docs", {
    name: "brief",
    arguments: [{ name: "city", required: true }, { name: "notes" }],
  }),
]);

const asked: (readonly [string, string, object])[] = [];

const answering = (result: PromptResult | Error): ComposeHost => ({
  kindOf: async () => undefined,
  mcpPrompt: async (server, prompt, args) => {
    asked.push([server, prompt, args]);
    if (result instanceof Error) throw result;
    return result;
  },
});

async function call(text: string, result: PromptResult | Error, host = answering(result)) {
  asked.length = 0;
  return composeMessage({ parts: [{ type: "typed", text }] }, catalogue, host);
}

const user = (content: unknown): PromptMessage => ({ role: "user", content });

test("every message comes over with its role and its kind of content", async () => {
  const composed = await call("/mcp:docs:brief Oslo", {
    ok: true,
    messages: [
      user({ type: "text", text: "/compact @src $1" }),
      { role: "assistant", content: { type: "text", text: "Gladly." } },
      user({ type: "image", data: "AAAA", mimeType: "image/png" }),
      user({ type: "audio", data: "AAA=", mimeType: "audio/wav" }),
      user({
        type: "resource",
        resource: { uri: "demo://r/1.md", mimeType: "text/markdown", text: "hé" },
      }),
      user({ type: "resource", resource: { uri: "demo://r/2", blob: "AA==" } }),
      {
        role: "assistant",
        content: { type: "resource_link", uri: "file:///w/a.ts", name: "a.ts" },
      },
      user([
        { type: "text", text: "one" },
        { type: "text", text: "two" },
      ]),
    ],
  });
  assert.ok(composed.ok);
  const attached = { type: "file-attachment" } as const;
  assert.deepEqual(composed.message.parts[0]?.expansion, [
    { type: "text", text: "/compact @src $1" },
    { type: "text", text: "Gladly.", role: "assistant" },
    { ...attached, name: "brief 3", mime: "image/png", mcp_type: "image", size: 3, data: "AAAA" },
    { ...attached, name: "brief 4", mime: "audio/wav", mcp_type: "audio", size: 2, data: "AAA=" },
    {
      ...attached,
      name: "1.md",
      mime: "text/markdown",
      size: 3,
      data: "aMOp",
      mcp_type: "resource",
      uri: "demo://r/1.md",
    },
    {
      ...attached,
      name: "2",
      mime: "application/octet-stream",
      mcp_type: "resource",
      uri: "demo://r/2",
      size: 1,
      data: "AA==",
    },
    {
      type: "file-ref",
      ref: { kind: "url", url: "file:///w/a.ts" },
      name: "a.ts",
      mcp_type: "resource_link",
      role: "assistant",
    },
    { type: "text", text: "one" },
    { type: "text", text: "two" },
  ]);
  assert.deepEqual(asked, [["docs", "brief", { city: "Oslo" }]]);
});

test("content that has no part leaves a placeholder and a note", async () => {
  const composed = await call("/brief Oslo", {
    ok: true,
    messages: [
      user({ type: "video" }),
      user("bare"),
      user({ type: "resource_link", uri: "x y" }),
      user({ type: "image", data: "#" }),
    ],
  });
  assert.ok(composed.ok);
  assert.deepEqual(composed.message.parts[0]?.expansion, [
    { type: "text", text: "[prompt content not shown: video]", mcp_type: "video" },
    { type: "text", text: "[prompt content not shown: string]", mcp_type: "string" },
    { type: "text", text: "[resource: x y]", mcp_type: "resource_link" },
    {
      type: "file-attachment",
      name: "brief 4",
      mime: "application/octet-stream",
      mcp_type: "image",
      delivery: "descriptor",
      reason: "the server's data is not base64",
    },
  ]);
  assert.deepEqual(
    composed.notes.map(({ code }) => code),
    ["unsupported-content", "unsupported-content"],
  );
});

const WORDS: readonly (readonly [string, object])[] = [
  ['/brief Oslo "New York" and more', { city: "Oslo", notes: "New York and more" }],
  ['/brief "New York"', { city: "New York" }],
  ["/brief notes=short Oslo", { notes: "short", city: "Oslo" }],
];

for (const [text, args] of WORDS) {
  test(`${text} asks with ${JSON.stringify(args)}`, async () => {
    await call(text, { ok: true, messages: [] });
    assert.deepEqual(asked[0]?.[2], args);
  });
}

test("a missing argument is a refusal, and the server is not asked", async () => {
  const composed = await call("/brief", { ok: true, messages: [] });
  assert.ok(!composed.ok);
  assert.equal(composed.error.message, "/brief: city is missing (usage: /brief <city> [notes…])");
  assert.deepEqual(asked, []);
});

const FAILURES: readonly (readonly [string, PromptResult | Error])[] = [
  ["refuses", { ok: false, code: "-32602", message: "no such city" }],
  ["breaks", new Error("no such city")],
];

for (const [how, result] of FAILURES) {
  test(`a server that ${how} is a refusal`, async () => {
    const composed = await call("/brief Oslo", result);
    assert.ok(!composed.ok);
    assert.equal(composed.error.code, "compose.prompt-failed");
    assert.match(composed.error.message, /docs did not give the prompt: no such city/);
  });
}

test("without a way to ask a server there is a refusal", async () => {
  const composed = await call("/brief Oslo", new Error(), { kindOf: async () => undefined });
  assert.ok(!composed.ok);
  assert.match(composed.error.message, /no MCP server can be asked here/);
});
