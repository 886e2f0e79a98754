export { optionsForV2, optionsForV3 } from "./ai-sdk/older.ts";
export { type AiSdkCall, callOptions } from "./ai-sdk/options.ts";
export { type AiSdkPrompt, toPrompt } from "./ai-sdk/prompt.ts";
export {
  type AiSdkStream,
  type AiSdkStreamPart,
  endStream,
  fromStreamPart,
  START as AI_SDK_START,
} from "./ai-sdk/stream.ts";
export { anthropicMessages } from "./anthropic/protocol.ts";
export type { Block, MediaBlock, Origin, TextBlock, UserBlock } from "./block.ts";
export {
  acceptsMedia,
  BUILT_IN_MODELS,
  defaultModel,
  type Found,
  findModel,
  listModels,
  type Merged,
  mergeOverrides,
} from "./catalogue/lookup.ts";
export { type ModelProfile, modelName, type ProtocolId } from "./catalogue/model.ts";
export type { ModelOverride, ModelOverrides } from "./catalogue/override.ts";
export { firstDifference } from "./first-difference.ts";
export {
  createForme,
  type Forme,
  FormeError,
  type RequestInput,
  type SegmentCache,
  type WireRequest,
} from "./forme.ts";
export { geminiGenerate } from "./gemini/protocol.ts";
export { type Lowered, lowerPart, lowerUser, type PartOutcome, type Target } from "./lower.ts";
export { OPENAI_BASE_URL } from "./openai/endpoint.ts";
export { openAiChat } from "./openai-chat/protocol.ts";
export { openAiResponses } from "./openai-responses/protocol.ts";
export type {
  Decoding,
  Endpoint,
  EndpointInput,
  Frame,
  Protocol,
  Settings,
  WireEvent,
  WireItem,
} from "./protocol.ts";
export { descriptorText, editorContextText, fence, plainName } from "./render.ts";
export { readStream, type StreamReader } from "./sse.ts";
export { wireJson } from "./wire-json.ts";
