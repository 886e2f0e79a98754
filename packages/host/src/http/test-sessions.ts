/**
 * Real sessions on a store that is forgotten, with a model that plays by the words of the message:
 * `wait` says a word and waits for `release`, `ask` asks a question, `danger` calls a tool that needs
 * leave, `fail` is refused by its provider; everything else is said back.
 */
import type { TestContext } from "node:test";
import { type AssembledContext, DEFAULT_LOAD_POLICY } from "@galley/assemble";
import { idMinter, type Outcome, type UiChunk, type UserPart } from "@galley/parts";
import { openSqliteStore, type Store } from "@galley/persist";
import type { ModelProfile } from "@galley/shape";
import {
  createLiveSessions,
  DEFAULT_TURN_LIMITS,
  type LiveSessions,
  NO_TRACE,
  type OpenModel,
  questionTool,
  SendError,
  type Tool,
  type TurnDeps,
} from "@galley/turn";
import type { ServerInput } from "./server.ts";
import type { SessionBackend, SubmitInput } from "./session-backend.ts";
import { serverFor, type TestServer } from "./test-server.ts";

export type SmallSessions = SessionBackend & {
  /** Lets every answer that waits go on. */
  release(): void;
  readonly reported: readonly unknown[];
};

export type SessionServer = TestServer & { readonly sessions: SmallSessions };

export async function sessionServer(
  t: TestContext,
  input: Partial<ServerInput> = {},
): Promise<SessionServer> {
  const sessions = await smallSessions(t);
  return { ...(await serverFor(t, { sessions, ...input })), sessions };
}

export async function smallSessions(t: TestContext): Promise<SmallSessions> {
  const store = await openSqliteStore({ path: ":memory:" });
  let gate = Promise.withResolvers<void>();
  const reported: unknown[] = [];
  const deps = depsOf(store, reported, () => gate.promise);
  const live = createLiveSessions(deps);
  t.after(async () => {
    await live.close(0);
    await store.close();
  });
  return {
    store,
    live,
    reported,
    now: deps.now,
    modelOf: (name) => ({ provider_id: name.split("/")[0] ?? "", model_id: name.slice(5) }),
    submit: (id, submission) => submit(live, id, submission),
    release() {
      gate.resolve();
      gate = Promise.withResolvers();
    },
  };
}

async function submit(live: LiveSessions, session: string, given: SubmitInput) {
  const { id, input, payload } = given;
  const typed = (input.draft?.parts ?? []).map((part) =>
    part.type === "typed" ? { ...part, type: "text" } : part,
  );
  const text = input.text === undefined ? [] : [{ type: "text", text: input.text }];
  const parts = [...text, ...typed, ...(input.parts ?? [])] as UserPart[];
  const isAction = String(parts[0]?.text).startsWith("/");
  const submitted = await live.submit(session, {
    message: { role: "user", parts, ...(id !== undefined && { id }) },
    ...(id !== undefined && { payload }),
    ...(isAction && { turn: false }),
  });
  return { ...submitted, notes: [], actions: [] };
}

function depsOf(store: Store, reported: unknown[], gate: () => Promise<void>): TurnDeps {
  let clock = 1_000;
  const now = () => ++clock;
  const random = (count: number) => crypto.getRandomValues(new Uint8Array(count));
  return {
    store,
    now,
    mint: idMinter({ now, random }),
    chance: () => 0,
    report: (error) => reported.push(error),
    limits: { ...DEFAULT_TURN_LIMITS, attempts: 1 },
    tracer: NO_TRACE,
    models: { open: async () => playing(gate) },
    tools: {
      open: async () => [questionTool, danger],
      permit: async ({ tool }) => ({ action: tool === danger ? "ask" : "allow" }),
    },
    surroundings: {
      layers: async () => [{ id: "agent", text: "be brief" }],
      loader: () => ({ read: noFiles, readRange: noFiles, directoryProblem: async () => NO_FILES }),
      loadPolicy: async () => DEFAULT_LOAD_POLICY,
      defaultModel: () => ({ provider_id: "small", model_id: "one" }),
    },
  };
}

const NO_FILES = "there are no files";
const noFiles = async (): Promise<never> => {
  throw new Error(NO_FILES);
};

const danger: Tool = {
  definition: { name: "danger", description: "does it", input_schema: { type: "object" } },
  run: async () => ({ type: "output", data: "done" }),
};

const PROFILE: ModelProfile = {
  provider: "small",
  id: "one",
  protocol: "anthropic-messages",
  contextWindow: 100_000,
  maxOutput: 1_000,
  accepts: ["text/*"],
  toolResultMedia: true,
  provenance: { source: "test", as_of: "undated" },
};

function playing(gate: () => Promise<void>): OpenModel {
  return {
    profile: PROFILE,
    fit: async (message) => message,
    async print(context) {
      return {
        method: "POST",
        url: "http://model.test/",
        headers: { authorization: "***" },
        body: new TextEncoder().encode(JSON.stringify(context.messages)),
        outcomes: () => outcomesOf(context),
        send: (signal) => play(context, gate(), signal),
      };
    },
  };
}

const outcomesOf = ({ messages }: AssembledContext): Outcome[] =>
  messages.flatMap(({ parts }) =>
    parts.map(({ type }, part) => ({ part, type, outcome: "text" as const, bytes: [] })),
  );

const text = (delta: string): UiChunk => ({ type: "text-delta", id: "0", delta });
const END: readonly UiChunk[] = [
  { type: "text-end", id: "0" },
  {
    type: "message-metadata",
    messageMetadata: {
      finish_reason: "stop",
      usage: { input: 3, output: 2, reasoning: 0, cache_read: 0, cache_write: 0 },
    },
  },
  { type: "finish-step" },
];

async function* play(
  { messages }: AssembledContext,
  gate: Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<readonly UiChunk[], void, undefined> {
  const said = messages.findLast(({ role }) => role === "user")?.parts[0];
  const words = String(said?.text ?? "");
  if (words.includes("fail")) {
    throw SendError.make("refused", { status: 400, reason: "it does not like it" });
  }
  const isFirst = messages.at(-1)?.role === "user";
  const called = isFirst ? words.match(/\b(ask|danger)\b/g) : null;
  if (called) {
    yield [{ type: "start-step" }, ...called.flatMap(call), ...CALLED];
    return;
  }
  yield [{ type: "start-step" }, { type: "text-start", id: "0" }, text("you said ")];
  if (words.includes("wait")) {
    const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
    await Promise.race([gate, aborted]);
  }
  if (signal.aborted) return;
  yield [text(words), ...END];
}

const CALLED: readonly UiChunk[] = [
  { type: "message-metadata", messageMetadata: { finish_reason: "tool-calls" } },
  { type: "finish-step" },
];

function call(name: string): readonly UiChunk[] {
  const toolCallId = `call_${name}`;
  const toolName = name === "ask" ? "question" : name;
  const input = name === "ask" ? { questions: [{ question: "Which?" }] } : {};
  return [
    { type: "tool-input-start", toolCallId, toolName },
    { type: "tool-input-available", toolCallId, toolName, input },
  ];
}
