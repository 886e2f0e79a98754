export type { CommandList, ComposedMessage } from "./compositor/compositor.ts";
export { CompositorError } from "./compositor/compositor-error.ts";
export type { GivenSample } from "./compositor/context-samples.ts";
export type { MentionHit } from "./compositor/mention-search.ts";
export { type Env, loadSettings, type Settings, type SettingsInput } from "./config/settings.ts";
export { HostError } from "./host-error.ts";
export { type RunningServer, type ServerInput, startServer } from "./http/server.ts";
export { createPipeline, type PipelineInput } from "./pipeline/create-pipeline.ts";
export {
  type ComposeInput,
  type Finding,
  type Pipeline,
  type Proof,
  type ProofOptions,
  type ProofRequest,
  STAGES,
  type Stage,
} from "./pipeline/pipeline.ts";
export { fileLoader } from "./workspace/loader.ts";
