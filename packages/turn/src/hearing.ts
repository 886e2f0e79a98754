/**
 * What one try of a model call says, on its way to the record.
 *
 * Nothing is handed on before the model has said something: until then the try can be taken back and
 * made again, and whoever listens has seen no trace of it. How it ended is kept here and not handed
 * on: that is told once, when the turn ends.
 */
import type { FinishReason, StepMetadata, UiChunk, Usage } from "@galley/parts";
import { ownCallIds } from "./call-ids.ts";

export type ToolCall = {
  readonly tool_call_id: string;
  readonly tool_name: string;
  readonly input: unknown;
};

export type Heard = {
  /** Something was said: the try cannot be taken back. */
  readonly said: boolean;
  /** It came to its own end. */
  readonly complete: boolean;
  readonly error?: string;
  readonly finishReason?: FinishReason;
  /** Ours to run, in order. */
  readonly calls: readonly ToolCall[];
  /** Calls with an input that nobody can run: the model has yet to hear of it. */
  readonly broken: number;
  /** Of all five kinds. */
  readonly tokens: number;
  /** As the provider counted; nothing where it did not. */
  readonly usage?: Usage;
};

export interface Hearing {
  hear(batch: readonly UiChunk[]): void;
  /** The try is over and nothing was said: what it cost is kept all the same. */
  keepCost(): void;
  heard(): Heard;
}

/** Chunks that say nothing yet: they wait for the first that does. */
const SILENT = new Set<UiChunk["type"]>([
  "start",
  "start-step",
  "text-start",
  "text-end",
  "reasoning-start",
  "reasoning-end",
  "message-metadata",
]);

export function hearTry(take: (chunks: readonly UiChunk[]) => void, used: Set<string>): Hearing {
  const own = ownCallIds(used);
  const calls = new Map<string, ToolCall>();
  const held: UiChunk[] = [];
  const state: { -readonly [K in keyof Omit<Heard, "calls">]: Heard[K] } = {
    said: false,
    complete: false,
    broken: 0,
    tokens: 0,
  };

  function learn({ finish_reason, usage }: StepMetadata): void {
    if (finish_reason) state.finishReason = finish_reason;
    if (!usage) return;
    state.tokens = tokensOf(usage);
    state.usage = usage;
  }

  /** Whether the chunk goes on to the record. */
  function note(chunk: UiChunk): boolean {
    switch (chunk.type) {
      case "error":
        state.error ??= chunk.errorText;
        return false;
      case "abort":
      case "finish":
        return false;
      case "finish-step":
        state.complete = true;
        return true;
      case "message-metadata":
        learn(chunk.messageMetadata);
        return true;
      case "tool-input-available":
        if (!chunk.providerExecuted) calls.set(chunk.toolCallId, callOf(chunk));
        return true;
      case "tool-input-error":
        if (!chunk.providerExecuted) state.broken += 1;
        return true;
      case "tool-output-available":
      case "tool-output-error":
        calls.delete(chunk.toolCallId);
        return true;
      default:
        return true;
    }
  }

  return {
    hear(batch) {
      const kept = batch.map(own).filter(note);
      if (kept.length === 0) return;
      if (state.said) return take(kept);
      held.push(...kept);
      if (held.every(({ type }) => SILENT.has(type))) return;
      state.said = true;
      take(held.splice(0));
    },
    keepCost() {
      const cost = held.splice(0).filter(isCost);
      if (cost.length > 0) take(cost);
    },
    heard: () => ({ ...state, calls: [...calls.values()] }),
  };
}

type Available = Extract<UiChunk, { type: "tool-input-available" }>;

const callOf = ({ toolCallId, toolName, input }: Available): ToolCall => ({
  tool_call_id: toolCallId,
  tool_name: toolName,
  input,
});

function isCost(chunk: UiChunk): boolean {
  const usage = chunk.type === "message-metadata" ? chunk.messageMetadata.usage : undefined;
  return usage !== undefined && tokensOf(usage) > 0;
}

const tokensOf = ({ input, output, reasoning, cache_read, cache_write }: Usage): number =>
  input + output + reasoning + cache_read + cache_write;
