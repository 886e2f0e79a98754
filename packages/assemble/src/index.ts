export { AccountError, accountFor, blockAtByte } from "./account.ts";
export { type AssembleInput, type Assembly, assemble } from "./assemble.ts";
export {
  type BudgetPolicy,
  type BudgetState,
  DEFAULT_BUDGET_POLICY,
  type Elision,
  NOTHING_ELIDED,
} from "./budget.ts";
export {
  type Calibration,
  type Count,
  calibrate,
  countedInput,
  UNCALIBRATED,
} from "./calibration.ts";
export { changesSince } from "./changes.ts";
export type {
  AssembledContext,
  AssistantContext,
  ContextMessage,
  EntityContext,
  HistoryMessage,
  Layer,
  Material,
  SystemContext,
  ToolChoice,
  ToolDefinition,
  UserContext,
} from "./context.ts";
export { estimateMedia, estimateTokens, type Measure, type TokenClass } from "./estimate.ts";
export type {
  Added,
  Changed,
  ElisionRecord,
  Failure,
  FilterRecord,
  Manifest,
  ManifestBlock,
  ManifestLayer,
  ManifestPin,
  ManifestTool,
  Merge,
  Refusal,
  SendManifest,
} from "./manifest.ts";
export {
  type AttachedFile,
  DEFAULT_LOAD_POLICY,
  type Loaded,
  type LoadedRange,
  type Loader,
  type LoadPolicy,
  materializeParts,
  toBase64,
} from "./materialize.ts";
export type { Pin } from "./pins.ts";
export {
  type Category,
  categoryOf,
  PLACEMENTS,
  type Placement,
  type Position,
  placeLayers,
} from "./placement.ts";
export { refusalText } from "./refusal.ts";
export { type Settled, type Settlement, settleHistory } from "./settle-history.ts";
