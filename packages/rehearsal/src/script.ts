/**
 * A script: what the model answers, step by step, and what goes wrong on the way.
 *
 * A list gives one step to each accepted request and then runs out, loudly; a function is asked each
 * time. Requests that are refused take no step: a real model would not have seen them.
 */
import type { Heard } from "./heard.ts";
import type { Usage } from "./said.ts";

export type Fault =
  | { readonly status: 429; readonly retryAfterSeconds?: number }
  | { readonly status: 500 | 503 | 529 }
  /** The connection breaks after n events (whole answers: in the middle of the body). */
  | { readonly cutAfterEvents: number }
  /** Event n (0-based) is not JSON; whole answers: the body is not. */
  | { readonly malformedEventAt: number }
  /** Instead of event n (0-based) comes the provider's error event; whole answers: a 500. */
  | { readonly errorEventAt: number }
  /** Nothing more is sent and the connection stays open; without a number, not even headers. */
  | { readonly hang: true; readonly afterEvents?: number };

export type ScriptedCall = {
  readonly name: string;
  readonly input: unknown;
  readonly id?: string;
};

export type Step = {
  /** A list is streamed piece by piece as it stands; a string is cut at words. */
  readonly say?: string | readonly string[];
  readonly reasoning?: string;
  readonly toolCalls?: readonly ScriptedCall[];
  readonly refusal?: string;
  /** Before the first byte. */
  readonly delayMs?: number;
  /** Between events. */
  readonly chunkDelayMs?: number;
  /** Overrides the estimate, number by number. */
  readonly usage?: Partial<Usage>;
  readonly stop?: "stop" | "length";
  readonly fault?: Fault;
};

export type Script = readonly Step[] | ((request: Heard, index: number) => Step);

export type NextStep =
  | { readonly ok: true; readonly step: Step }
  | { readonly ok: false; readonly status: 400 | 500; readonly reason: string };

export interface ScriptReader {
  next(request: Heard): NextStep;
}

export function readScript(script: Script): ScriptReader {
  let index = 0;
  return {
    next(request) {
      const at = index++;
      if (typeof script === "function") return ask(script, request, at);
      const step = script[at];
      return step ? { ok: true, step } : ranOut(script.length);
    },
  };
}

/** A 400, because clients retry a 500 and would hide that a request came that nobody expected. */
const ranOut = (steps: number): NextStep => ({
  ok: false,
  status: 400,
  reason: `the script has ${steps} steps, and this request came after the last.`,
});

/** A script is the caller's code: what it throws becomes an answer that says so. */
function ask(script: Exclude<Script, readonly Step[]>, request: Heard, index: number): NextStep {
  try {
    return { ok: true, step: script(request, index) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, status: 500, reason: `the script failed: ${why}` };
  }
}

/** Words with the white space behind them: joined, they are the text again. */
export const wordPieces = (text: string): readonly string[] => text.match(/\s*\S+\s*|\s+/g) ?? [];
