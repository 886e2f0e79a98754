/**
 * A running turn from its very first chunk. A segment after a person's answer streams only what is
 * new; who comes without the rest is first given what the answer held when the segment began.
 */
import type { AssistantPart, SessionId } from "@galley/parts";
import type { LiveTurn } from "@galley/turn";
import type { SessionDeps } from "./session-deps.ts";
import type { SseSource } from "./sse-hub.ts";
import { after, framesOf, turnSource } from "./sse-source.ts";
import { partChunks, type WireChunk } from "./stored-answer.ts";

/** The running segment alone. */
export const segment = (turn: LiveTurn, { isCut, metrics }: SessionDeps): SseSource =>
  turnSource(turn, { isCut, onChunks: metrics.chunks });

export async function wholeTurn(
  session: SessionId,
  turn: LiveTurn,
  deps: SessionDeps,
): Promise<SseSource> {
  if (turn.segment === 0) return segment(turn, deps);
  const known = beginnings.get(turn) ?? earlier(session, turn, deps);
  beginnings.set(turn, known);
  return after(framesOf(await known), segment(turn, deps));
}

/** Looked up once: whoever comes back must hear the same again, though the rows went on. */
const beginnings = new WeakMap<LiveTurn, ReturnType<typeof earlier>>();

type Run = {
  readonly turn_id: string;
  readonly answer_id: string;
  readonly segment: number;
  readonly parts_before?: number;
};

async function earlier(
  session: SessionId,
  turn: LiveTurn,
  { backend: { store } }: SessionDeps,
): Promise<readonly WireChunk[]> {
  const row = await store.sessions.get(session);
  const { run } = JSON.parse(row?.metadata_json ?? "{}") as { run?: Run };
  // The turn ended meanwhile: all of it is stored, and the segment still tells its own part.
  if (run?.turn_id !== turn.turn_id || run.segment !== turn.segment) return [];
  const answer = await store.messages.get(run.answer_id);
  if (answer === undefined) return [];
  // Counted when the segment began: clocks can be set back.
  const before = answer.parts.slice(0, run.parts_before ?? 0);
  const parts = before.map(({ data_json }) => JSON.parse(data_json) as AssistantPart);
  return [{ type: "start", messageId: answer.message.id }, ...partChunks(parts)];
}
