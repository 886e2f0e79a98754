/** The public surface of `turn`: live sessions, the ports they need, and one request on the wire. */
export type { Account, RowPlace, StoredAccount } from "./context-delta.ts";
export { type PinnedRef, pinnedTo, putPin, removePin } from "./context-pins.ts";
export { type WholeManifest, wholeManifests } from "./context-rows.ts";
export { createLiveSessions } from "./create-live-sessions.ts";
export {
  type Calibrations,
  DEFAULT_TURN_LIMITS,
  type Surroundings,
  type TurnDeps,
  type TurnLimits,
} from "./deps.ts";
export { type ReceivedSession, receiveSession } from "./imported-session.ts";
export type {
  Answer,
  Fork,
  LiveSessions,
  NewLiveSession,
  QueuePlace,
  QueueReport,
  RewindMode,
  Rewound,
  RewoundToEdit,
  RewoundToResend,
  Submission,
  Submitted,
  Unrewound,
} from "./live.ts";
export type { ModelPort, OpenModel, PrintedRequest } from "./model.ts";
export type {
  Claim,
  LiveBatch,
  LiveTurn,
  Recorder,
  SegmentEnd,
  Transcript,
  WritableLiveTurn,
} from "./recording.ts";
export { RESERVED_METADATA } from "./run-mark.ts";
export { isPlainHeader, MASK, withoutSecrets } from "./secrets.ts";
export { SendError, type SendInput, send } from "./send.ts";
export {
  runSubagent,
  type SubagentOrder,
  subagentOf,
} from "./subagent.ts";
export {
  type HostCall,
  NO_TOOLS,
  type Permit,
  type Tool,
  type ToolBox,
  type ToolContext,
  type ToolMetadata,
  type ToolOutput,
  type ToolRequest,
} from "./tool.ts";
export { NOBODY_ANSWERS, questionTool } from "./tools/question.ts";
export { todoTool } from "./tools/todo.ts";
export { NO_TRACE, type Span, type SpanName, type SpanValue, type Tracer } from "./trace.ts";
export { TurnError } from "./turn-error.ts";
