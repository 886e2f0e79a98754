/**
 * What a conforming kit must do, as data: each rule has an id, a level, one sentence and the
 * document that asks for it. Tests cite the ids; `gate.test.ts` fails when a rule has no test.
 */
export type Level = "MUST" | "SHOULD";

export type Requirement = {
  readonly level: Level;
  readonly says: string;
  /** The document, and the section inside it. */
  readonly source: string;
};

const rule = (level: Level, source: string, says: string): Requirement => ({ level, says, source });
const must = (source: string, says: string): Requirement => rule("MUST", source, says);
const should = (source: string, says: string): Requirement => rule("SHOULD", source, says);

const SHAPE = "compositor: The user message shape";
const REFS = "compositor: File references vs file attachments";
const BINARY = "compositor: Binary the model does not understand";
const COMMANDS = "compositor: Inline commands";
const TEMPLATES = "compositor: Command templates and argument substitution";
const MENTIONS = "compositor: Mentions";
const EDITOR = "compositor: Editor context";
const LONG_TAIL = "compositor: Attachments — the long tail";
const STORAGE = "compositor: Attachment storage";
const LOWERING = "compositor: The lowering rules";
const CHAIN = "compositor: The lowering chain";
const VERSIONS = "compositor: Versioning the user message shape";
const CHECKLIST = "compositor: Implementor checklist";
const LAW = "decisions: The one law";
const DECIDED = "decisions: Compositor";
const RUN = "decisions: Session, queue, run state";
const CONTEXT = "decisions: Context";
const SECURITY = "decisions: Security";
const INTERFACES = "interfaces: The command line";

export const REQUIREMENTS = {
  "compositor/shape/multipart": must(
    CHECKLIST,
    "A user message is a structured multipart object, never a string.",
  ),
  "compositor/shape/ref-or-attachment": must(
    REFS,
    "A reference and an attachment are two shapes that never pass for each other.",
  ),
  "compositor/shape/range": must(
    REFS,
    "A file reference carries a line or byte range when the selection is a slice of a file.",
  ),
  "compositor/shape/round-trip": must(
    SHAPE,
    "Unknown parts and unknown keys come out as they went in, to the byte.",
  ),
  "compositor/lowering/text": must(LOWERING, "Text reaches the model verbatim."),
  "compositor/lowering/file-ref": must(
    LOWERING,
    "A file reference shows the file's contents; the model never sees the literal @path.",
  ),
  "compositor/lowering/file-ref-range": must(
    REFS,
    "A range-carrying reference shows the selected lines, not the whole file.",
  ),
  "compositor/lowering/file-ref-image": must(
    LOWERING,
    "A reference to an image is a provider-native image block.",
  ),
  "compositor/lowering/attachment-native": must(
    CHECKLIST,
    "Attachments are provider-native blocks where the model takes them, descriptors elsewhere.",
  ),
  "compositor/lowering/order": must(SHAPE, "Parts are read in sequence: their order is kept."),
  "compositor/lowering/unmutated": must(
    CHAIN,
    "No stage on the way mutates a typed part or its order.",
  ),
  "compositor/lowering/nothing-lost": must(
    LAW,
    "Every part that comes in has an outcome; what cannot be shown leaves a line that says so.",
  ),
  "compositor/lowering/data-is-not-instruction": must(
    SECURITY,
    "Text from files, names and payloads can close no fence and no marker, and leaves no line.",
  ),
  "compositor/attachments/classes": must(
    LONG_TAIL,
    "Text, images, PDFs, audio, video and unknown binaries each have their treatment.",
  ),
  "compositor/attachments/binary-descriptor": must(
    BINARY,
    "Bytes that the model cannot use are never inlined: it sees a name, a type and a size.",
  ),
  "compositor/attachments/text-threshold": must(
    LONG_TAIL,
    "A small text is inlined; a large one is a reference or a descriptor.",
  ),
  "compositor/attachments/sniffed": must(
    DECIDED,
    "The bytes choose the route; the declared type is kept and noted where it lies.",
  ),
  "compositor/attachments/fallback-path": should(
    LONG_TAIL,
    "Any attachment that the model cannot read is reachable through a tool.",
  ),
  "compositor/attachments/blob-threshold": should(
    STORAGE,
    "Large attachments leave their row for a blob store and keep a content id.",
  ),
  "compositor/commands/host-action": must(
    COMMANDS,
    "A host action runs before the model and leaves nothing in the message.",
  ),
  "compositor/commands/never-literal": must(
    CHECKLIST,
    "A command that the host knows never reaches the model as a literal.",
  ),
  "compositor/commands/pass-through": must(
    COMMANDS,
    "A command that the host does not know passes through as text.",
  ),
  "compositor/commands/resolved-at-submission": must(
    CHECKLIST,
    "Commands are resolved when the message is submitted.",
  ),
  "compositor/commands/templates": should(
    TEMPLATES,
    "Templates substitute positional and aggregate arguments; arguments are data.",
  ),
  "compositor/commands/failure-keeps-draft": must(
    DECIDED,
    "A failing host action is a typed error: the draft is kept and no turn starts.",
  ),
  "compositor/drafts/reopen": must(
    DECIDED,
    "Editing a message opens its parts again, attachments included.",
  ),
  "compositor/mentions/skill-resolves-out": must(
    CHECKLIST,
    "A skill mention leaves nothing in the user message.",
  ),
  "compositor/mentions/skill-body-by-tool": must(
    MENTIONS,
    "The body of a mentioned skill comes through the normal skill tool.",
  ),
  "compositor/mentions/file": must(LOWERING, "A file mention is lowered as a file reference."),
  "compositor/mentions/entity": must(
    LOWERING,
    "Any other mention is editor context when it resolves, and is left out when it does not.",
  ),
  "compositor/mentions/tokens": must(
    MENTIONS,
    "Tokens in typed text become mentions where they resolve, and stay text elsewhere.",
  ),
  "compositor/editor-context/typed": must(
    CHECKLIST,
    "Editor state is emitted as editor-context parts, never inlined into the user's text.",
  ),
  "compositor/editor-context/range-is-file-ref": should(
    REFS,
    "A surface that knows path and lines sends a reference with its range, not editor state.",
  ),
  "compositor/editor-context/delta": must(
    DECIDED,
    "Editor state that has not changed since it was told costs nothing and stays visible.",
  ),
  "compositor/editor-context/removable": must(
    DECIDED,
    "Editor state is visible in the message, so that a person can take it out.",
  ),
  "compositor/editor-context/capped": must(
    DECIDED,
    "Editor state over its size is cut, with a note that says so.",
  ),
  "compositor/editor-context/marker": should(
    EDITOR,
    "The default marker is stable: kind, source where there is one, and the payload.",
  ),
  "compositor/versioning/stamped": must(VERSIONS, "A user message carries its schema version."),
  "compositor/versioning/unknown-part": must(
    VERSIONS,
    "A part of unknown type is shown by its text, or as an unsupported part.",
  ),
  "compositor/versioning/read-time": should(
    VERSIONS,
    "Old shapes are lifted when they are read, one version at a time; newer ones are not touched.",
  ),
  "compositor/persist/before-model": must(
    CHECKLIST,
    "A user message is persisted before it reaches the model.",
  ),
  "assistant/lowering/text": must(RUN, "What the model said goes back as it was said."),
  "assistant/lowering/reasoning": must(
    CONTEXT,
    "Reasoning goes back only to the provider that signed it; the rest goes to the record.",
  ),
  "assistant/lowering/tool-pairs": must(
    RUN,
    "Every call goes out with one result, right after it, whatever state it was frozen in.",
  ),
  "assistant/lowering/tool-media": must(
    DECIDED,
    "Media of a result go inside it where that is taken and follow it elsewhere.",
  ),
  "assistant/lowering/nothing-lost": must(LAW, "Every part of an answer has an outcome."),
  "context/elision-visible": must(
    CONTEXT,
    "What is left out to fit the budget says so in its place.",
  ),
  "context/layers-in-order": must(CONTEXT, "System layers stand in their order, before all else."),
  "context/settings": should(CONTEXT, "Settings and tools have the provider's own spelling."),
  "context/cache-stable": must(
    CONTEXT,
    "Bytes of old turns do not change when something is appended; what may be kept is marked.",
  ),
  "context/starts-with-user": must(
    CONTEXT,
    "A request always starts with a user message, whatever the history begins with.",
  ),
  "context/pairs-by-position": must(
    CONTEXT,
    "Tool pairs are matched by id and position: an id that comes twice breaks no request.",
  ),
  "context/every-block-once": must(
    LAW,
    "The manifest of a send accounts for every part that came in, exactly once.",
  ),
  "context/same-input-same-bytes": must(
    CONTEXT,
    "The same input gives the same bytes, and so does what was decided before.",
  ),
  "wire/accepted": must(DECIDED, "Whatever history there is, the body is one the provider takes."),
  "wire/byte-ranges": must(
    INTERFACES,
    "Each outcome names the bytes of the body that its part became.",
  ),
  "wire/official-types": should(DECIDED, "Bodies have the types of the official SDKs."),
  "wire/same-meaning": should(
    DECIDED,
    "Bodies mean what the AI SDK's own providers send for the same conversation.",
  ),
} as const satisfies Readonly<Record<string, Requirement>>;

export type RequirementId = keyof typeof REQUIREMENTS;

export const isRequirement = (id: string): id is RequirementId => Object.hasOwn(REQUIREMENTS, id);
