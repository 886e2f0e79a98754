import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSettings } from "../config/settings.ts";
import { createPipeline } from "../pipeline/create-pipeline.ts";
import { AGENT_SYSTEM } from "../pipeline/system-prompt.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { choiceOf } from "./model-name.ts";
import { createModelPort } from "./model-port.ts";

const PACKAGE = `
export const createEcho = () => (modelId) => ({
  specificationVersion: "v4",
  provider: "echo.chat",
  modelId,
  async doStream({ abortSignal }) {
    if (!(abortSignal instanceof AbortSignal)) throw new Error("nothing ends it");
    const parts = [
      { type: "stream-start", warnings: [] },
      { type: "text-start", id: "t" },
      { type: "text-delta", id: "t", delta: "hello" },
      { type: "text-end", id: "t" },
      { type: "finish", usage: {}, finishReason: { unified: "stop", raw: "stop" } },
    ];
    return { stream: ReadableStream.from(parts) };
  },
});`;

const TOML = `
[ai_sdk.echo]
package = "echo-provider"
export = "createEcho"
[models."ai-sdk/echo/m"]
context_window = 9000
max_output = 100
accepts = ["text/*"]
`;

test("what is kept of an AI SDK model is the call as a proof shows it, and it can be ended", async (t) => {
  const workspace = await tempFolder(t, {
    "package.json": "{}",
    "node_modules/echo-provider/package.json":
      '{"name":"echo-provider","type":"module","exports":"./index.js"}',
    "node_modules/echo-provider/index.js": PACKAGE,
  });
  const home = await tempFolder(t, { "config.toml": TOML });
  const settings = await loadSettings({ workspace, home, env: {} });
  const offline = { url: async () => "", close: async () => {} };
  const rest = { workspace, env: {}, fetch, offline };
  const port = createModelPort({ settings, ...rest });
  const model = await port.open(choiceOf("ai-sdk/echo/m"), "ses_1");
  const parts = [{ type: "text" as const, text: "hi" }];
  const printed = await model.print({
    layers: [AGENT_SYSTEM],
    messages: [{ role: "user", parts, materials: [] }],
    tools: [],
  });
  const pipeline = createPipeline({
    ...rest,
    home,
    config: settings,
    now: () => 0,
    random: (count) => new Uint8Array(count),
    warn: () => undefined,
  });
  t.after(() => pipeline.close());
  const proof = await pipeline.proof({ role: "user", parts }, { model: "ai-sdk/echo/m" });
  assert.equal(new TextDecoder().decode(printed.body), proof.body_text);
  assert.deepEqual([printed.method, printed.url, printed.headers], ["doStream", "ai-sdk:echo", {}]);
  assert.equal(printed.outcomes().length, 1);
  const types: string[] = [];
  for await (const batch of printed.send(new AbortController().signal)) {
    types.push(...batch.map(({ type }) => type));
  }
  assert.ok(types.includes("text-delta"));
  assert.ok(!types.includes("error"));
});
