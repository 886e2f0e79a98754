import assert from "node:assert/strict";
import { test } from "node:test";
import type { UiChunk } from "@galley/parts";
import { checkConfig } from "../config/read-config.ts";
import { loadSettings } from "../config/settings.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { createPipeline } from "./create-pipeline.ts";

/** A provider of the AI SDK as its packages are: a function that makes a function that makes models. */
const PACKAGE = `
export function createEcho(options) {
  return (modelId) => ({
    specificationVersion: options.version ?? "v4",
    provider: "echo.chat",
    modelId,
    async doStream({ prompt, abortSignal }) {
      if (modelId === "broken") throw Object.assign(new Error("no such model"), { statusCode: 404 });
      const secrets = [options.apiKey, options.headers?.["x-pass"]].join(" ");
      if (modelId === "refusing") throw Object.assign(new Error("no: " + secrets), { statusCode: 401 });
      if (modelId === "leaking") {
        return { stream: ReadableStream.from([{ type: "error", error: new Error("no: " + secrets) }]) };
      }
      const said = JSON.stringify(prompt.at(-1).content.map(({ type, data }) => type + typeof data));
      const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
      const parts = [
        { type: "stream-start", warnings: [] },
        { type: "text-start", id: "t" },
        { type: "text-delta", id: "t", delta: options.greeting + said },
        { type: "text-end", id: "t" },
        { type: "finish", usage, finishReason: { unified: "stop", raw: "stop" } },
      ];
      return { stream: ReadableStream.from(parts) };
    },
  });
}
export const notAFunction = 1;
`;

const FILES = {
  "node_modules/echo-provider/package.json":
    '{"name":"echo-provider","type":"module","exports":{".":{"import":"./index.js","default":"./index.js"}}}',
  "node_modules/echo-provider/index.js": PACKAGE,
  "package.json": "{}",
};

const TOML = `[ai_sdk.echo]
package = "echo-provider"
export = "createEcho"
options = { greeting = "got ", apiKey = "hunter2", headers = { x-pass = "hunter3" } }

[ai_sdk.old]
package = "echo-provider"
export = "createEcho"
options = { greeting = "old ", version = "v2" }

[ai_sdk.future]
package = "echo-provider"
export = "createEcho"
options = { version = "v99" }

[ai_sdk.gone]
package = "not-installed"
export = "createGone"

[ai_sdk.wrong]
package = "echo-provider"
export = "notAFunction"
${[
  "echo/m",
  "echo/broken",
  "echo/refusing",
  "echo/leaking",
  "old/m",
  "future/m",
  "gone/m",
  "wrong/m",
  "none/m",
]
  .map(
    (id) =>
      `[models."ai-sdk/${id}"]\ncontext_window = 9000\nmax_output = 100\naccepts = ["text/*", "image/png"]\n`,
  )
  .join("")}`;

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const MESSAGE = {
  role: "user",
  parts: [
    { type: "text", text: "hi" },
    { type: "file-attachment", name: "a.png", mime: "image/png", data: PNG },
  ],
};

async function pipelineIn(t: Parameters<typeof tempFolder>[0], where: "home" | "project" = "home") {
  const project = where === "project" ? { ".agents/galley.toml": TOML } : {};
  const workspace = await tempFolder(t, { ...FILES, ...project });
  const home = await tempFolder(t, where === "home" ? { "config.toml": TOML } : {});
  return createPipeline({
    workspace,
    home,
    config: await loadSettings({ workspace, home, env: {} }),
    env: {},
    fetch: () => Promise.reject(new Error("the SDK has its own")),
    now: () => 0,
    random: (count) => new Uint8Array(count),
    warn: () => undefined,
  });
}

async function take(chunks: AsyncIterable<UiChunk>): Promise<UiChunk[]> {
  const taken: UiChunk[] = [];
  for await (const chunk of chunks) taken.push(chunk);
  return taken;
}

test("the configuration of these tests is one", () => {
  assert.deepEqual(checkConfig(TOML, "c.toml").warnings, []);
});

test("a proof shows the SDK's own call, with an outcome for each part", async (t) => {
  const proof = await (await pipelineIn(t)).proof(MESSAGE, { model: "ai-sdk/echo/m" });
  assert.equal(proof.request.url, "ai-sdk:echo");
  assert.deepEqual(
    proof.outcomes.map(({ outcome, bytes }) => [outcome, bytes]),
    [
      ["text", []],
      ["native", []],
    ],
  );
  const { prompt } = proof.request.body as { prompt: { role: string; content: unknown }[] };
  assert.deepEqual(
    prompt.map(({ role }) => role),
    ["system", "user"],
  );
  assert.deepEqual(JSON.parse(proof.body_text), proof.request.body);
});

test("models of the newest and of an older interface are called, and their answers stream", async (t) => {
  const pipeline = await pipelineIn(t);
  for (const [model, said] of [
    ["echo/m", 'got ["textundefined","fileobject"]'],
    ["old/m", 'old ["textundefined","filestring"]'],
  ] as const) {
    const chunks = await take(pipeline.send(MESSAGE, { model: `ai-sdk/${model}` }));
    const text = chunks
      .flatMap((chunk) => (chunk.type === "text-delta" ? chunk.delta : []))
      .join("");
    assert.equal(text, said);
    assert.deepEqual([chunks.at(0)?.type, chunks.at(-1)?.type], ["start", "finish"]);
  }
});

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ["ai-sdk/future/m", /not a language model of the AI SDK/],
  [
    "ai-sdk/gone/m",
    /not-installed cannot be loaded .*; npm install not-installed in the workspace/,
  ],
  ["ai-sdk/wrong/m", /echo-provider exports no function notAFunction/],
  ["ai-sdk/none/m", /the configuration does not name its package; put at its top: ai_sdk\.none = /],
  ["ai-sdk/echo/unknown", /the model ai-sdk\/echo\/unknown is not known/],
  ["ai-sdk/echo/refusing", /the provider refused the request \(401\): no: \*\*\* \*\*\*$/],
  ["ai-sdk/echo/broken", /the provider refused the request \(404\): no such model/],
];

for (const [model, message] of REFUSED) {
  test(`${model} is refused with a reason of one line`, async (t) => {
    const pipeline = await pipelineIn(t);
    await assert.rejects(take(pipeline.send(MESSAGE, { model })), (error: Error) => {
      assert.match(error.message, message);
      assert.equal(error.message.includes("\n"), false);
      return true;
    });
  });
}

test("an error in the middle of a stream quotes no key", async (t) => {
  const chunks = await take((await pipelineIn(t)).send(MESSAGE, { model: "ai-sdk/echo/leaking" }));
  const said = chunks.flatMap((chunk) => (chunk.type === "error" ? [chunk.errorText] : []));
  assert.deepEqual(said, ["no: *** ***"]);
});

test("a package that the project itself names is not run before the user trusts the project", async (t) => {
  const pipeline = await pipelineIn(t, "project");
  await assert.rejects(
    pipeline.proof(MESSAGE, { model: "ai-sdk/echo/m" }),
    /came with the project and wants the code of echo-provider run/,
  );
});
