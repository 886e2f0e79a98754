/** Sessions that run real turns. */
import type { TurnDeps } from "./deps.ts";
import type { LiveSessions } from "./live.ts";
import { liveSessions } from "./live-sessions.ts";
import { createLiveTurn } from "./live-turn.ts";
import { createRecorder } from "./recorder.ts";
import { runTurn } from "./run-turn.ts";

export const createLiveSessions = (deps: TurnDeps): LiveSessions =>
  liveSessions(deps, { runTurn, createRecorder, createLiveTurn });
