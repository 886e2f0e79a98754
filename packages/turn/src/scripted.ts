/** A small world for the tests of a turn: a real store, and models and tools that play a script. */
import type { TestContext } from "node:test";
import type { AssembledContext, ContextMessage } from "@galley/assemble";
import type {
  AssistantPart,
  FinishReason,
  HostEvent,
  Outcome,
  UiChunk,
  UserPart,
} from "@galley/parts";
import { openSqliteStore, type Store } from "@galley/persist";
import type { ModelProfile } from "@galley/shape";
import { DEFAULT_TURN_LIMITS, type TurnDeps, type TurnLimits } from "./deps.ts";
import { createLiveTurn } from "./live-turn.ts";
import type { BackOffReport } from "./loop.ts";
import type { OpenModel } from "./model.ts";
import { createRecorder } from "./recorder.ts";
import type { Claim, SegmentEnd } from "./recording.ts";
import { runTurn } from "./run-turn.ts";
import type { Tool, ToolBox, ToolOutput } from "./tool.ts";
import { NO_TRACE, type Tracer } from "./trace.ts";

/** What the provider does with one try. */
export type Try = (signal: AbortSignal) => AsyncIterable<readonly UiChunk[]>;

const USAGE = { input: 3, output: 2, reasoning: 0, cache_read: 0, cache_write: 0 };
export const metadata = (finish_reason?: FinishReason): UiChunk => ({
  type: "message-metadata",
  messageMetadata: { usage: USAGE, ...(finish_reason && { finish_reason }) },
});
export const END = (finish_reason: FinishReason): UiChunk[] => [
  metadata(finish_reason),
  { type: "finish-step" },
];
export const BEGIN: readonly UiChunk[] = [{ type: "start-step" }, { type: "text-start", id: "0" }];
export const delta = (text: string): UiChunk => ({ type: "text-delta", id: "0", delta: text });

/** Batches that come one after the other. */
export const plays = (...batches: readonly (readonly UiChunk[])[]): Try =>
  async function* () {
    yield* batches;
  };

export const says = (text: string): Try =>
  plays(BEGIN, [delta(text)], [{ type: "text-end", id: "0" }, ...END("stop")]);

export type Called = readonly [id: string, tool: string, input?: unknown];

export const calls = (...called: readonly Called[]): Try =>
  plays([
    { type: "start-step" },
    ...called.flatMap(([toolCallId, toolName, input = {}]): UiChunk[] => [
      { type: "tool-input-start", toolCallId, toolName },
      { type: "tool-input-available", toolCallId, toolName, input } as UiChunk,
    ]),
    ...END("tool-calls"),
  ]);

export const throws = (error: unknown): Try =>
  // biome-ignore lint/correctness/useYield: a stream that breaks before its first batch
  async function* () {
    throw error;
  };

/** Plays its batches, then says nothing more until it is cut. */
export const hangs = (...batches: readonly (readonly UiChunk[])[]): Try =>
  async function* (signal) {
    yield* batches;
    if (!signal.aborted) {
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    }
    yield [{ type: "abort" }];
  };

export const PROFILE: ModelProfile = {
  provider: "scripted",
  id: "one",
  protocol: "anthropic-messages",
  contextWindow: 100_000,
  maxOutput: 1_000,
  accepts: ["text/*"],
  toolResultMedia: true,
  provenance: { source: "test", as_of: "undated" },
};

export type Scripted = OpenModel & {
  /** What was printed, one for each model call. */
  readonly contexts: readonly AssembledContext[];
  /** Tries so far. */
  readonly sent: () => number;
};

export function scripted(tries: readonly Try[], profile = PROFILE): Scripted {
  const contexts: AssembledContext[] = [];
  let sent = 0;
  return {
    profile,
    contexts,
    sent: () => sent,
    fit: async (message) => message,
    async print(context) {
      contexts.push(context);
      const body = new TextEncoder().encode(JSON.stringify(context.messages));
      return {
        method: "POST",
        url: "http://scripted.test/",
        headers: { authorization: "***" },
        body,
        outcomes: () => outcomesOf(context),
        send(signal) {
          const next = tries[sent];
          sent += 1;
          if (!next) throw new Error(`the script has no try ${sent}`);
          return next(signal);
        },
      };
    },
  };
}

/** As a model that shows everything as text tells it. */
const outcomesOf = ({ messages }: AssembledContext): Outcome[] =>
  messages.flatMap(({ id, parts }) =>
    parts.map(({ type }, part) => ({
      part,
      ...(id !== undefined && { message_id: id }),
      type,
      outcome: "text" as const,
      bytes: [],
    })),
  );

type ToolParts = Partial<Omit<Tool, "definition">> & { readonly input_schema?: object };

export function tool(name: string, parts: ToolParts = {}): Tool {
  const { input_schema = { type: "object" }, ...rest } = parts;
  const definition = { name, description: name, input_schema: { ...input_schema } };
  const run = async (): Promise<ToolOutput> => ({ type: "output", data: `${name} did it` });
  return { definition, run, ...rest };
}

export type World = {
  readonly tries?: readonly Try[];
  readonly model?: Scripted;
  readonly tools?: readonly Tool[];
  readonly box?: Partial<ToolBox>;
  readonly limits?: Partial<TurnLimits>;
  readonly tracer?: Tracer;
  readonly deps?: Partial<TurnDeps>;
};

export interface Stage {
  readonly store: Store;
  readonly deps: TurnDeps;
  readonly model: Scripted;
  readonly controller: AbortController;
  readonly reported: readonly unknown[];
  readonly backOffs: BackOffReport[];
  readonly announced: HostEvent[];
  readonly claim: Claim;
  /** One segment, on the rows as they are; gives its end and every chunk. */
  run(
    segment?: number,
    turn_id?: string,
  ): Promise<{ readonly end: SegmentEnd; readonly chunks: UiChunk[] }>;
  /** The stored parts of the answer. */
  parts(): Promise<AssistantPart[]>;
  /** The stored metadata of the answer. */
  metadata(): Promise<Readonly<Record<string, unknown>>>;
}

export async function stage(t: TestContext, world: World = {}): Promise<Stage> {
  const store = await openSqliteStore({ path: ":memory:" });
  t.after(() => store.close());
  const session = await store.sessions.create({ id: "ses_1", agent: "default", at: 1 });
  const part: UserPart = { type: "text", text: "hello" };
  await store.messages.admit({
    id: "msg_u",
    session_id: session.id,
    metadata_json: "{}",
    disposition: "fired",
    parts: [{ id: "prt_u", data_json: JSON.stringify(part) }],
    at: 1,
  });
  const model = world.model ?? scripted(world.tries ?? []);
  const reported: unknown[] = [];
  const deps = depsOf(store, model, reported, world);
  const controller = new AbortController();
  const backOffs: BackOffReport[] = [];
  const announced: HostEvent[] = [];
  const claim = { session, turn_id: "turn_1", segment: 0, message_id: "msg_u", answer_id: "msg_a" };
  const history: ContextMessage[] = [{ role: "user", id: "msg_u", parts: [part], materials: [] }];

  async function run(segment = 0, turn_id = claim.turn_id) {
    const { message_id } = claim;
    const live = createLiveTurn({ turn_id, segment, message_id, report: deps.report });
    const now = { ...claim, segment, turn_id };
    const parts = (await store.messages.get("msg_a"))?.parts ?? [];
    const recorder = createRecorder({ claim: now, deps, live, metadata: {}, parts });
    const end = await runTurn(now, deps, {
      transcript: { upTo: async () => history, forget: () => {} },
      live,
      recorder,
      signal: controller.signal,
      report: async (happening) => void backOffs.push(happening),
      announce: (event) => void announced.push(event),
    });
    const chunks: UiChunk[] = [];
    for (let next = live.readFrom(0); next; next = live.readFrom(next.next)) {
      chunks.push(...next.batch);
    }
    return { end, chunks };
  }

  const row = async () => (await store.messages.get("msg_a"))?.message.metadata_json ?? "{}";
  return {
    store,
    deps,
    model,
    controller,
    reported,
    backOffs,
    announced,
    claim,
    run,
    parts: async () =>
      ((await store.messages.get("msg_a"))?.parts ?? []).map(({ data_json }) =>
        JSON.parse(data_json),
      ),
    metadata: async () => JSON.parse(await row()),
  };
}

function depsOf(store: Store, model: Scripted, reported: unknown[], world: World): TurnDeps {
  let minted = 0;
  let time = 1_000;
  return {
    store,
    models: { open: async () => model },
    tools: {
      open: async () => world.tools ?? [],
      permit: async () => ({ action: "allow" }),
      ...world.box,
    },
    surroundings: {
      layers: async () => [{ id: "agent", text: "be kind" }],
      loader: () => {
        throw new Error("a turn of these tests reads no file");
      },
      loadPolicy: async () => {
        throw new Error("a turn of these tests reads no file");
      },
      defaultModel: () => ({ provider_id: "scripted", model_id: "one" }),
    },
    limits: { ...DEFAULT_TURN_LIMITS, backoff_ms: 1, ...world.limits },
    tracer: world.tracer ?? NO_TRACE,
    now: () => {
      time += 1;
      return time;
    },
    mint: (prefix) => {
      minted += 1;
      return `${prefix}_${String(minted).padStart(4, "0")}`;
    },
    chance: () => 0,
    report: (error) => void reported.push(error),
    ...world.deps,
  };
}
