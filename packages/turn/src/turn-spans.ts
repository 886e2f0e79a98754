/** The spans around one segment: who runs what, and what it came to. Never what was said. */
import type { ModelChoice, SessionRow } from "@galley/parts";
import type { TurnDeps } from "./deps.ts";
import type { Span } from "./trace.ts";

export interface TurnSpans {
  /** For what happens inside the turn. */
  readonly turn: Span;
  spent(tokens: number): void;
  end(stop_reason: string, failed?: boolean): void;
}

export function openSpans(
  session: SessionRow,
  choice: ModelChoice,
  { tracer, now }: Pick<TurnDeps, "tracer" | "now">,
): TurnSpans {
  const { id: session_id, agent } = session;
  const { provider_id, model_id } = choice;
  const run = tracer.span("session.run", { session_id, agent, model_id, provider_id });
  const turn = run.span("session.turn", { session_id });
  const began = now();
  let tokens = 0;
  return {
    turn,
    spent(more) {
      tokens += more;
    },
    end(stop_reason, failed = false) {
      turn.set({ tokens, stop_reason, duration_ms: Math.max(0, now() - began) });
      for (const span of [turn, run]) span.end(failed ? stop_reason : undefined);
    },
  };
}
