export type { ClientInput } from "./client/call.ts";
export { ClientError } from "./client/client-error.ts";
export { type Client, createClient } from "./client/create-client.ts";
export type { PromptAttachment, PromptOptions } from "./client/prompt.ts";
export type { CommandList, ComposedMessage } from "./compositor/compositor.ts";
export { CompositorError } from "./compositor/compositor-error.ts";
export type { GivenSample } from "./compositor/context-samples.ts";
export type { MentionHit } from "./compositor/mention-search.ts";
export { type Env, loadSettings, type Settings, type SettingsInput } from "./config/settings.ts";
export { HostError } from "./host-error.ts";
export { type RunningServer, type ServerInput, startServer } from "./http/server.ts";
export type { SessionBackend, SubmitAnswer, SubmitInput } from "./http/session-backend.ts";
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
export type { Rehearsing } from "./pipeline/rehearse.ts";
export { createHost, type Host } from "./sessions/create-host.ts";
export type { HostInput } from "./sessions/host-input.ts";
export { findHost, type HostAddress, type HostState } from "./sessions/host-lock.ts";
export type { Served, ServeInput } from "./sessions/serve.ts";
export { type OtelApi, type OtelSpan, otelTracer } from "./telemetry/otel-tracer.ts";
export { type OtlpInput, type OtlpTracer, otlpTracer } from "./telemetry/otlp-tracer.ts";
export { fileLoader } from "./workspace/loader.ts";
