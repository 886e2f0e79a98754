export { type AssembleInput, assemble, type Manifest, type ManifestBlock } from "./assemble.ts";
export type {
  AssembledContext,
  AssistantContext,
  ContextMessage,
  EntityContext,
  Layer,
  Material,
  ToolChoice,
  ToolDefinition,
  UserContext,
} from "./context.ts";
export { estimateMedia, estimateTokens } from "./estimate.ts";
export {
  DEFAULT_LOAD_POLICY,
  type Loaded,
  type LoadedRange,
  type Loader,
  type LoadPolicy,
  materializeParts,
  toBase64,
} from "./materialize.ts";
export { type Settled, type Settlement, settleHistory } from "./settle-history.ts";
