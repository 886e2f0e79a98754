/**
 * The parts a user message may carry.
 *
 * One schema a part is the only source of truth: the type, the check at every door and the
 * published JSON Schema come from it. Keys are spelled as they are persisted. Objects are open:
 * a field that we do not know belongs to somebody, and is kept.
 */
import { z } from "zod";

/** Lines are 1-based with both ends included; bytes are 0-based and half open. */
export const Range = z
  .looseObject({
    start: z.int().min(0),
    end: z.int().min(0),
    unit: z.enum(["line", "byte"]).optional(),
  })
  .refine((range) => range.end >= range.start, "the end of a range is not before its start")
  .refine((range) => range.unit === "byte" || range.start >= 1, "lines are counted from 1");
export type Range = z.infer<typeof Range>;

export const ContentId = z.string().regex(/^sha256:[0-9a-f]{64}$/, "sha256: and 64 hex digits");

export const FileRef = z.discriminatedUnion("kind", [
  z.looseObject({ kind: z.literal("path"), path: z.string().min(1), range: Range.optional() }),
  z.looseObject({ kind: z.literal("url"), url: z.url(), range: Range.optional() }),
  z.looseObject({ kind: z.literal("content-id"), content_id: ContentId, range: Range.optional() }),
]);
export type FileRef = z.infer<typeof FileRef>;

const TextPart = z.looseObject({ type: z.literal("text"), text: z.string() });

const FileRefPart = z.looseObject({ type: z.literal("file-ref"), ref: FileRef });

const DirectoryRefPart = z.looseObject({
  type: z.literal("directory-ref"),
  ref: z.looseObject({ kind: z.literal("path"), path: z.string().min(1) }),
});

const FileAttachmentPart = z.looseObject({
  type: z.literal("file-attachment"),
  name: z.string(),
  mime: z.string(),
  /** Bytes of the file, not of its base64. */
  size: z.int().min(0).optional(),
  data: z.base64().optional(),
  content_id: ContentId.optional(),
  url: z.url().optional(),
  /** The file is told of and its bytes are not given; `reason` says why. */
  delivery: z.literal("descriptor").optional(),
  reason: z.string().optional(),
});

const MentionPart = z.looseObject({
  type: z.literal("mention"),
  target: z.looseObject({
    kind: z.string().min(1),
    name: z.string().optional(),
    path: z.string().optional(),
    id: z.string().optional(),
    range: Range.optional(),
  }),
});

const EditorContextPart = z.looseObject({
  type: z.literal("editor-context"),
  kind: z.string().min(1),
  source: z.string().optional(),
  /** The host's business: opaque here, and checked by nobody but the host. */
  payload: z.record(z.string(), z.json()),
  /** Epoch ms at which the host sampled it. */
  emitted_at: z.int(),
});

/** What a command may leave in its place. It holds no command: expansion happens once. */
const ExpansionPart = z.discriminatedUnion("type", [
  TextPart,
  FileRefPart,
  DirectoryRefPart,
  FileAttachmentPart,
  MentionPart,
  EditorContextPart,
]);
export type ExpansionPart = z.infer<typeof ExpansionPart>;

export const COMMAND_OUTCOMES = ["host-action", "expanded", "intent", "pass-through"] as const;

const CommandPart = z.looseObject({
  type: z.literal("command"),
  id: z.string().regex(/^\/\S/, "a slash and a name"),
  args: z
    .looseObject({
      raw: z.string().optional(),
      argv: z.array(z.string()).optional(),
      named: z.record(z.string(), z.json()).optional(),
    })
    .optional(),
  /** Absent until the command is settled. */
  outcome: z.enum(COMMAND_OUTCOMES).optional(),
  /** What the model reads instead of the command; absent when there is nothing to read. */
  expansion: z.array(ExpansionPart).optional(),
});

export const Part = z.discriminatedUnion("type", [
  TextPart,
  FileRefPart,
  DirectoryRefPart,
  FileAttachmentPart,
  CommandPart,
  MentionPart,
  EditorContextPart,
]);
export type Part = z.infer<typeof Part>;
export type PartType = Part["type"];
export type PartOf<T extends PartType> = Extract<Part, { type: T }>;

export const PART_TYPES: readonly PartType[] = Part.options.map(
  (option) => option.shape.type.value,
);
const KNOWN = new Set<string>(PART_TYPES);

/** A part of a newer kit or of another program: carried and stored as it came. */
export const ForeignPart = z.looseObject({
  type: z
    .string()
    .min(1)
    // It aborts, so that a union reports the shape that was meant and not this line.
    .refine((type) => !KNOWN.has(type), { error: "the type of a known part", abort: true })
    .meta({ not: { enum: PART_TYPES } }),
});
export type ForeignPart = z.infer<typeof ForeignPart>;

export const UserPart = z.union([Part, ForeignPart]);
export type UserPart = z.infer<typeof UserPart>;

export function isPart(part: { readonly type: string }): part is Part {
  return KNOWN.has(part.type);
}
