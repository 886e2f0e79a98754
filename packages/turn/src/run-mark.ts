/**
 * What the row of a session says about its run, under keys of its metadata that nobody else sets.
 * A mark that is not ours to read is no mark: a session never fails to open because of one.
 */
import type { MessageId, SessionRow } from "@galley/parts";
import type { Interaction, Pause, StopPolicy } from "@galley/queue";

/** A turn that was claimed and is not over: it runs, or a person is asked. */
export type RunMark = {
  readonly turn_id: string;
  readonly message_id: MessageId;
  /** Minted with the claim, so that a restart finds the answer. */
  readonly answer_id: MessageId;
  /** Its number in the session, by which its records are kept; every segment has the same. */
  readonly turn?: number;
  readonly segment: number;
  readonly started_at: number;
  /** Parts that the answer had when this segment began; absent in the first. */
  readonly parts_before?: number;
  readonly running: boolean;
  /** What a person is asked, while the turn is blocked. */
  readonly open: readonly Interaction[];
  /** Calls that were answered while others are still open. */
  readonly answered: readonly string[];
};

export type SessionMarks = {
  readonly run: RunMark | null;
  readonly pause: Pause | null;
  readonly stop_policy: StopPolicy;
  /** Bytes of attachments that stand in rows of this session. */
  readonly inline_bytes: number;
};

/** Keys of a session's metadata that a client may not set. */
export const RESERVED_METADATA: readonly string[] = [
  "run",
  "pause",
  "stop_policy",
  "inline_bytes",
  "system_prompt",
  "pins",
  "context_budget",
  "rewinds",
  "acted",
  "relation",
  "subagent",
];

type Json = Readonly<Record<string, unknown>>;

export function marksOf({ metadata_json }: SessionRow): SessionMarks {
  const { run, pause, stop_policy, inline_bytes } = JSON.parse(metadata_json) as Json;
  return {
    run: isRunMark(run) ? run : null,
    pause: isPause(pause) ? pause : null,
    stop_policy: isStopPolicy(stop_policy) ? stop_policy : "drain",
    inline_bytes: typeof inline_bytes === "number" ? inline_bytes : 0,
  };
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isStopPolicy = (value: unknown): value is StopPolicy =>
  value === "drain" || value === "hold" || value === "clear";

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === "string";

function isPause(value: unknown): value is Pause {
  if (!isObject(value) || typeof value.at !== "number") return false;
  if (value.reason === "hold") return true;
  const { reason, message, message_id, turn_id } = value;
  return (
    reason === "error" &&
    typeof message === "string" &&
    isTextOrNull(message_id) &&
    isTextOrNull(turn_id)
  );
}

function isRunMark(value: unknown): value is RunMark {
  if (!isObject(value)) return false;
  const texts = [value.turn_id, value.message_id, value.answer_id];
  const numbers = [value.segment, value.started_at, value.turn ?? 0, value.parts_before ?? 0];
  return (
    texts.every((each) => typeof each === "string") &&
    numbers.every((each) => typeof each === "number") &&
    typeof value.running === "boolean" &&
    Array.isArray(value.open) &&
    value.open.every(isInteraction) &&
    Array.isArray(value.answered) &&
    value.answered.every((each) => typeof each === "string")
  );
}

const isInteraction = (value: unknown): value is Interaction =>
  isObject(value) &&
  typeof value.tool_call_id === "string" &&
  (value.kind === "approval" || value.kind === "question");
