export {
  AssistantPart,
  type AssistantPartKind,
  type AssistantPartShapes,
  kindOfAssistantPart,
  type ProviderMetadata,
  TOOL_STATES,
  ToolState,
  toolNameOf,
} from "./assistant-part.ts";
export { canonicalJson } from "./canonical-json.ts";
export { FINISH_REASONS, FinishReason, StepMetadata, UiChunk } from "./chunk.ts";
export { defineErrors, GalleyError, isGalleyError, Problem } from "./error.ts";
export { HostEvent } from "./event.ts";
export { type IdPrefix, type IdSource, idMinter } from "./id.ts";
export { IMAGE_HEAD_BYTES, type ImageSize, imageSize, isAnimatedGif } from "./image-size.ts";
export {
  base64Head,
  base64Size,
  decodeBase64,
  isBase64,
  type MediaClass,
  mediaClass,
  SNIFF_BYTES,
  sniffMedia,
} from "./media.ts";
export {
  AssistantMessage,
  Message,
  MessageId,
  MessageMetadata,
  ModelChoice,
  PartId,
  SCHEMA_VERSION,
  SessionId,
  Trigger,
  UserMessage,
} from "./message.ts";
export { ByteRange, OUTCOMES, Outcome, type OutcomeKind } from "./outcome.ts";
export {
  COMMAND_OUTCOMES,
  ContentId,
  type ExpansionPart,
  FileRef,
  ForeignPart,
  isPart,
  PART_TYPES,
  Part,
  type PartOf,
  type PartType,
  Range,
  UserPart,
} from "./part.ts";
export { type PublishedName, publishedSchemas } from "./published.ts";
export {
  MessageRow,
  PartRow,
  RUN_STATES,
  SessionRow,
  SessionStatus,
} from "./session.ts";
export {
  lift,
  MessageError,
  type Read,
  readMessage,
  readUserMessage,
  stampVersion,
} from "./upgrade.ts";
export { Usage } from "./usage.ts";
