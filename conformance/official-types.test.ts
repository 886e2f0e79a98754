/**
 * Every body of every case has the request type of the provider's official SDK.
 *
 * The bodies are written as typed constants into an ignored folder and compiled: the compiler
 * refuses unknown fields, wrong words and missing keys. Wrong bodies go along, each expected to fail,
 * so that a check that has stopped checking is seen.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { root } from "../scripts/repo-files.mjs";
import { readCases } from "./case-file.ts";
import { parseBody, printCase } from "./print-case.ts";
import { PROVIDERS, type ProviderName } from "./providers.ts";
import { verifies } from "./verifies.ts";

const TYPES = `import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages";
import type { Content, GenerationConfig, Tool, ToolConfig } from "@google/genai";
import type { ChatCompletionCreateParams } from "openai/resources/chat/completions";
import type { ResponseCreateParams } from "openai/resources/responses/responses";

/** The SDK has enums where the wire has their words. */
type Wire<T> = T extends string
  ? \`\${T}\`
  : T extends readonly (infer Each)[]
    ? Wire<Each>[]
    : T extends object
      ? { [Key in keyof T]: Wire<T[Key]> }
      : T;

/** Older models, which the SDK's types have left behind, take these two. */
type anthropic = MessageCreateParams & { temperature?: number; top_p?: number };
type openai = ResponseCreateParams;
type openai_chat = ChatCompletionCreateParams;
/** The SDK's own parameters are not the wire's; the pieces are. */
type gemini = Wire<{
  contents: Content[];
  systemInstruction?: Content;
  tools?: Tool[];
  toolConfig?: ToolConfig;
  generationConfig?: GenerationConfig;
}>;
`;

const CONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: "es2024",
    lib: ["es2024", "dom"],
    module: "nodenext",
    types: [],
  },
  include: ["*.ts"],
};

const hi = [{ role: "user", content: [{ type: "text", text: "hi" }] }];
const parts = [{ role: "user", parts: [{ text: "hi" }] }];

/** Each is wrong in one place. */
const WRONG: readonly (readonly [ProviderName, object])[] = [
  ["anthropic", { model: "m", max_tokens: 1, messages: hi, top_k: 1 }],
  ["anthropic", { model: "m", messages: hi }],
  [
    "anthropic",
    {
      model: "m",
      max_tokens: 1,
      messages: [{ role: "user", content: [{ type: "text", text: "hi", cache: true }] }],
    },
  ],
  ["anthropic", { model: "m", max_tokens: 1, messages: [{ role: "model", content: "hi" }] }],
  [
    "openai",
    {
      model: "m",
      input: [{ type: "message", role: "user", content: [{ type: "text", text: "hi" }] }],
    },
  ],
  ["openai", { model: "m", input: "hi", max_tokens: 1 }],
  [
    "openai-chat",
    { model: "m", messages: [{ role: "user", content: [{ type: "input_text", text: "hi" }] }] },
  ],
  ["openai-chat", { model: "m", messages: hi, system: "x" }],
  ["gemini", { contents: parts, generationConfig: { max_tokens: 1 } }],
  [
    "gemini",
    { contents: [{ role: "user", parts: [{ inlineData: { mime: "image/png", data: "" } }] }] },
  ],
  ["gemini", { contents: parts, toolConfig: { functionCallingConfig: { mode: "SOME" } } }],
];

const typeOf = (name: ProviderName): string => name.replace("-", "_");

async function sourceOfBodies(): Promise<string> {
  const lines: string[] = [];
  for (const each of readCases()) {
    for (const provider of PROVIDERS) {
      const body = JSON.stringify(parseBody(await printCase(each, provider)));
      const name = `${each.name}_for_${provider.name}`.replaceAll("-", "_");
      lines.push(`export const ${name}: ${typeOf(provider.name)} = ${body};`);
    }
  }
  return lines.join("\n");
}

const sourceOfWrong = (): string =>
  WRONG.map(
    ([name, body], index) =>
      `// @ts-expect-error: wrong on purpose\nexport const wrong_${index}: ${typeOf(name)} = ${JSON.stringify(body)};`,
  ).join("\n");

verifies(
  "wire/official-types",
  "the compiler takes every body, and refuses every wrong one",
  async () => {
    const folder = join(root, ".galley", "generated", "official-types");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(CONFIG));
    writeFileSync(
      join(folder, "bodies.ts"),
      `${TYPES}${await sourceOfBodies()}\n${sourceOfWrong()}\n`,
    );
    const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
    const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", folder], {
      encoding: "utf8",
    });
    assert.equal(stdout, "");
    assert.equal(status, 0);
    // Left where it is when it fails: the compiler's lines point into it.
    rmSync(folder, { recursive: true });
  },
);
