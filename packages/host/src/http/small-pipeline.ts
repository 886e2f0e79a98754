/**
 * A pipeline small enough to see through, for the tests of the surface: it proofs by quoting the
 * message, and its model says back the text. `wait` in the text makes the answer last until it is
 * aborted, `break` makes it fail in the middle, `refuse` before its first word.
 */
import { createHash } from "node:crypto";
import {
  defineErrors,
  MessageError,
  readUserMessage,
  type UiChunk,
  type UserMessage,
} from "@galley/parts";
import { listModels } from "@galley/shape";
import type { ComposeInput, Pipeline, Proof } from "../pipeline/pipeline.ts";

const SmallError = defineErrors("small", {
  unknown_model: ({ model }: { model: string }) => `the model ${model} is not known`,
  no_key: (_: object) => "there is no key: set one",
});

const BUILT_IN = ["anthropic", "openai", "openai-chat", "gemini"];

export type SmallPipeline = Pipeline & {
  /** Settles when an answer that was to last has been aborted. */
  readonly aborted: Promise<void>;
};

export function smallPipeline(): SmallPipeline {
  const aborted = Promise.withResolvers<void>();
  return {
    aborted: aborted.promise,
    compose: async (input) => ({ message: composed(input), notes: [], actions: [], turn: true }),
    commands: async () => ({ commands: [], collisions: [], findings: [] }),
    mentions: async (query, limit) => ({
      mentions: [{ kind: "file", name: `${query} of ${limit}` }],
      notes: [],
    }),
    proof: async (message, { model = "anthropic/claude-opus-5-5" }) => {
      if (model === "no/such") throw SmallError.make("unknown_model", { model });
      return proofOf(checked(message), model);
    },
    proofAll: async (message) =>
      BUILT_IN.map((each) => proofOf(checked(message), `${each}/default`)),
    send: (message, { signal }) => answer(textOf(checked(message)), signal, aborted.resolve),
    models: () => listModels(),
    doctor: async () => [],
    close: async () => {},
  };
}

function checked(raw: unknown): UserMessage {
  const read = readUserMessage(raw);
  if (!read.ok) throw MessageError.make("invalid", { issues: read.issues });
  return read.value;
}

function composed({ text, refs = [], parts = [] }: ComposeInput): UserMessage {
  const said = text ? [{ type: "text" as const, text }] : [];
  const named = refs.map((path) => ({
    type: "file-ref" as const,
    ref: { kind: "path" as const, path },
  }));
  return { role: "user", metadata: { schema_version: 1 }, parts: [...said, ...named, ...parts] };
}

const textOf = ({ parts }: UserMessage): string =>
  parts.map((part) => (part.type === "text" ? String(part.text) : "")).join("");

function proofOf(message: UserMessage, name: string): Proof {
  const [provider = "", model = ""] = name.split("/");
  const body = { model, messages: [message] };
  const body_text = JSON.stringify(body);
  const outcomes = message.parts.map(({ type }, part) => ({
    part,
    type,
    outcome: "text" as const,
    bytes: [[0, 1] as [number, number]],
  }));
  const headers = { "x-api-key": "***" };
  return {
    provider,
    model,
    request: { method: "POST", url: "https://api.example.com/v1", headers, body },
    outcomes,
    manifest: {
      layers: [],
      tools: [],
      blocks: [],
      estimate: 3,
      limit: 100,
      over_limit: false,
      settlements: [],
    },
    body_text,
    body_sha256: createHash("sha256").update(body_text).digest("hex"),
    stages: { composed: message, persisted: message, assembled: {}, lowered: {}, wire: {} },
  };
}

async function* answer(
  text: string,
  signal: AbortSignal | undefined,
  onAbort: () => void,
): AsyncGenerator<UiChunk, void, undefined> {
  if (text.includes("refuse")) throw SmallError.make("no_key", {});
  yield { type: "start" };
  yield { type: "text-start", id: "0" };
  yield { type: "text-delta", id: "0", delta: text };
  if (text.includes("break")) throw new TypeError("a pipe burst");
  if (text.includes("wait")) {
    await new Promise((resolve) => signal?.addEventListener("abort", resolve, { once: true }));
    onAbort();
    yield { type: "abort" };
    return;
  }
  yield { type: "text-end", id: "0" };
  yield { type: "finish" };
}
