/** What a live session needs from its host: everything that meets the outside comes in here. */
import type { Calibration, Count, Layer, Loader, LoadPolicy } from "@galley/assemble";
import type { IdPrefix, ModelChoice, SessionRow } from "@galley/parts";
import type { Store, Tables } from "@galley/persist";
import type { ModelPort } from "./model.ts";
import type { ToolBox } from "./tool.ts";
import type { Tracer } from "./trace.ts";

/** Facts around a conversation: asked for, never decided here. */
export interface Surroundings {
  /** The system's layers; asked once a session, then frozen. */
  layers(session: SessionRow): Promise<readonly Layer[]>;
  /** Reads what the messages of this session refer to. */
  loader(session: SessionRow): Loader;
  /** How much of a file is written out, and which tool opens the rest. */
  loadPolicy(session: SessionRow): Promise<LoadPolicy>;
  /** The model of a session that names none. */
  defaultModel(session: SessionRow): ModelChoice;
}

/** What is known of how each model's provider counts, shared by all sessions. */
export interface Calibrations {
  /** By `provider/model`; undefined when nothing is known yet. */
  of(model: string): Calibration | undefined;
  /** A provider has counted a request. */
  learn(model: string, count: Count): void;
}

export type TurnLimits = {
  /** Model calls in one turn. */
  readonly steps: number;
  /** Tries of one call, the first included. */
  readonly attempts: number;
  /** The first back-off; it doubles, up to the longest. A provider's own `retry-after` wins. */
  readonly backoff_ms: number;
  readonly longest_backoff_ms: number;
  /** Silence after which a provider counts as gone. */
  readonly stall_ms: number;
  /** How long text may be in memory alone. */
  readonly flush_ms: number;
};

export const DEFAULT_TURN_LIMITS: TurnLimits = {
  steps: 100,
  attempts: 5,
  backoff_ms: 1_000,
  longest_backoff_ms: 60_000,
  stall_ms: 180_000,
  flush_ms: 40,
};

export type TurnDeps = {
  readonly store: Store;
  readonly models: ModelPort;
  readonly tools: ToolBox;
  readonly surroundings: Surroundings;
  /** Without it every estimate is as it was measured. */
  readonly calibrations?: Calibrations;
  /** Throws, inside the transaction that begins a turn, where another host begins them by now. */
  fence?(tx: Tables): Promise<void>;
  readonly limits: TurnLimits;
  readonly tracer: Tracer;
  /** Epoch ms. */
  now(): number;
  mint(prefix: IdPrefix): string;
  /** From 0 to below 1: spreads the tries of many sessions. */
  chance(): number;
  /** What went wrong beside everything else and has nobody to be thrown at. */
  report(error: unknown): void;
};
