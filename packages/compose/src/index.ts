export { splitWords } from "./argv.ts";
export { damageOf } from "./attachment/damage.ts";
export {
  type Delivery,
  deliverBytes,
  describeDelivery,
  type MediaTaker,
  type TakerLimits,
} from "./attachment/delivery.ts";
export { ATTACHMENT_LIMITS, type AttachmentLimits } from "./attachment/limits.ts";
export { attachmentClass, refined as refinedMedia } from "./attachment/media-route.ts";
export {
  type AttachedFile,
  type AttachmentFacts,
  attachmentFacts,
  type PlannedAttachment,
  planAttachment,
} from "./attachment/plan.ts";
export { REACH_TOOLS, type ReachTool, reachFor, reachOf } from "./attachment/reach.ts";
export { type Bound, bindArgs, readArgs, usageOf } from "./command/bind.ts";
export { BUILTIN_COMMANDS } from "./command/builtin.ts";
export {
  type Catalogue,
  type Collision,
  createCatalogue,
  type ListedPrompt,
  promptCommand,
  skillCommand,
} from "./command/catalogue.ts";
export { type CommandFile, type ReadCommand, readCommandFile } from "./command/command-file.ts";
export { type CommandPlace, nameInFolder, placeOfFile } from "./command/command-name.ts";
export { type Completion, complete, completionOf } from "./command/complete.ts";
export {
  ARGUMENT_TYPES,
  type ArgumentSpec,
  type ArgumentType,
  addressOf,
  type CommandDeed,
  type CommandEntry,
  type CommandSettings,
  type CommandSource,
} from "./command/entry.ts";
export type { Finding } from "./command/finding.ts";
export { type ComposeOptions, composeMessage } from "./compose.ts";
export type { Composed, HostActionRecord } from "./composed.ts";
export {
  composePlain,
  type Draft,
  type DraftPart,
  type Json,
  type PastedEntity,
  type PastedText,
  type TypedText,
} from "./draft.ts";
export {
  addContext,
  isAutomatic,
  type Removed,
  removeContext,
} from "./editor/context-in-message.ts";
export {
  type ContextCatalogue,
  type ContextMention,
  contextCatalogue,
  DEFAULT_CONTEXT_MENTIONS,
  mentionedContext,
} from "./editor/context-mention.ts";
export type { ContextPart } from "./editor/context-part.ts";
export { type KnownContext, knownContext } from "./editor/known-context.ts";
export {
  CONTEXT_BYTES,
  CONTEXT_PATTERNS,
  CONTEXT_POLICIES,
  type ContextPattern,
  type ContextPolicy,
  type ContextRule,
} from "./editor/policy.ts";
export { type Reference, referencePart } from "./editor/reference.ts";
export type { EditorSample, SliceSample, StateSample } from "./editor/sample.ts";
export { type ContextAsk, type SampledContext, sampleContext } from "./editor/sample-context.ts";
export { ComposeError } from "./error.ts";
export type { Findable } from "./fuzzy/holdings.ts";
export {
  type AsyncOptions,
  createPathIndex,
  type Hit,
  type PathIndex,
  type SearchEnd,
  type SearchOptions,
  type SliceOptions,
} from "./fuzzy/path-index.ts";
export type {
  ActionCall,
  ActionPlan,
  ActionResult,
  ComposeHost,
  MentionTarget,
  PathKind,
  PromptMessage,
  PromptResult,
  ShellCall,
  ShellResult,
} from "./host.ts";
export {
  type ContextToken,
  DEFAULT_MENTIONS,
  extendMentions,
  type MentionCatalogue,
  type MentionKind,
} from "./mention.ts";
export { NOTE_CODES, type Note, type NoteCode } from "./note.ts";
export { PASTE_CHARS } from "./paste.ts";
export { findRef, type PathRef, readRef, splitRange } from "./range.ts";
export { literalText, reopen } from "./reopen.ts";
export { composeSkill } from "./skill/compose-skill.ts";
export type {
  ArtifactRef,
  ComposedPrompt,
  ComposedSkill,
  CompositionNote,
  ExitCondition,
  ExitKind,
  GraphNode,
  PassedOver,
  PlacedInterrupt,
  PromptSection,
  SkillComposition,
  SubgraphShape,
  WithheldTool,
} from "./skill/composition.ts";
export { holds, type Subject } from "./skill/expression/evaluate.ts";
export {
  type Expression,
  type ParsedExpression,
  parseExpression,
} from "./skill/expression/parse.ts";
export type { ExpressionFault } from "./skill/expression/token.ts";
export {
  packageFromFolder,
  type ReadSkillFolder,
  type SkillFolder,
} from "./skill/folder/package-from-folder.ts";
export type { FolderFile } from "./skill/folder/skill-artifacts.ts";
export { INPUT_NODE, OUTPUT_NODE, stageNode, WORK_NODE } from "./skill/graph-node.ts";
export { invocationOf, refusedDispatch, type SkillInvocation } from "./skill/invocation.ts";
export {
  ARTIFACT_KINDS,
  type ArtifactKind,
  INVOCATION_SOURCES,
  InvocationSource,
  SkillArtifact,
  SkillInterrupt,
  SkillPackage,
  type SkillPackageInput,
} from "./skill/package.ts";
export { type PackageFault, type ReadPackage, readSkillPackage } from "./skill/package-faults.ts";
export {
  type Rendered,
  type SchemaIssue,
  type ShapeAsk,
  SKILL_LIMITS,
  type SkillLimits,
  type SkillPorts,
  type TemplateLimits,
} from "./skill/ports.ts";
export {
  type ComposeSkillRequest,
  MEMORY_TIERS,
  type MemoryItem,
  type MemoryTier,
  type ToolDescriptor,
} from "./skill/request.ts";
export { SKILL_ERROR_NAMES, type SkillError, type SkillErrorName } from "./skill/skill-error.ts";
export {
  AUTHORING_TOOLS,
  refusedCall,
  type SkillAsk,
  type SkillCaller,
  skillRequest,
} from "./skill/tool-ceiling.ts";
export { type Expansion, expandTemplate, expandText } from "./template/expand.ts";
export { parseTemplate } from "./template/parse.ts";
export {
  type CommandArgs,
  DIALECTS,
  type DialectId,
  type Template,
  type TemplateNode,
} from "./template/tree.ts";
