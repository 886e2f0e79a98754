/** The public surface of `@galley/rehearsal`. */
export { type AnswerContext, answer, type Reply } from "./answer.ts";
export { describeRequest } from "./default-answer.ts";
export type { Heard, HeardBlock, HeardMessage, HeardTool } from "./heard.ts";
export { REHEARSAL_MODELS, type RehearsalModel } from "./model.ts";
export type { ProtocolId, Target } from "./protocol.ts";
export type { Received } from "./record.ts";
export { type Route, routeOf } from "./route.ts";
export type { Usage } from "./said.ts";
export type { Fault, Script, ScriptedCall, Step } from "./script.ts";
export { type Rehearsal, RehearsalError, type RehearsalOptions, startRehearsal } from "./server.ts";
export type { StageOptions } from "./stage.ts";
export type { CountTokens } from "./tokens.ts";
export { type Refusal, type Validated, type ValidateOptions, validate } from "./validate.ts";
