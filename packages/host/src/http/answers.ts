/** What the calls answer with, for the published description, and the wire spelling of models. */
import { ARGUMENT_TYPES, NOTE_CODES } from "@galley/compose";
import { Outcome, UserMessage } from "@galley/parts";
import { type ModelProfile, modelName } from "@galley/shape";
import { z } from "zod";
import type { Proof, Stage } from "../pipeline/pipeline.ts";

const tokens = z.int().min(0);

export const Manifest = z.looseObject({
  layers: z.array(z.looseObject({ id: z.string(), tokens })),
  tools: z.array(z.looseObject({ name: z.string(), tokens })),
  blocks: z.array(
    z.looseObject({
      message_id: z.string().optional(),
      role: z.enum(["user", "assistant"]),
      part: z.int().min(0),
      type: z.string(),
      tokens,
    }),
  ),
  estimate: tokens,
  limit: z.int(),
  over_limit: z.boolean(),
  settlements: z.array(
    z.looseObject({
      message_id: z.string().optional(),
      part: z.int().optional(),
      why: z.string(),
    }),
  ),
});

export const Note = z.looseObject({
  code: z.enum(NOTE_CODES),
  message: z.string(),
  part: z.int().min(0).optional().describe("index of the part that it is about"),
});

export const HostAction = z.looseObject({
  part: z.int().min(0),
  id: z.string().describe("as it was typed, with the slash"),
  action: z.string(),
  args: z.looseObject({ raw: z.string(), argv: z.array(z.string()) }),
  state: z.enum(["ran", "deferred", "not-run"]),
});

export const ComposedAnswer = z.looseObject({
  message: UserMessage,
  notes: z.array(Note),
  actions: z.array(HostAction),
  turn: z.boolean().describe("false when the message holds host actions alone"),
});

export const CommandRow = z.looseObject({
  id: z.string().describe("what to put in, with its slash"),
  name: z.string(),
  aliases: z.array(z.string()),
  source: z.enum(["builtin", "project", "user", "skill", "mcp"]),
  from: z.string().optional().describe("the file, the skill or the server behind it"),
  description: z.string(),
  argument_hint: z.string().optional(),
  arguments: z.array(
    z.looseObject({
      name: z.string(),
      type: z.enum(ARGUMENT_TYPES),
      required: z.boolean(),
    }),
  ),
  needs_idle: z.boolean(),
});

export const CommandsAnswer = z.looseObject({
  commands: z.array(CommandRow),
  collisions: z
    .array(z.looseObject({ name: z.string(), taken: z.string(), shadowed: z.array(z.string()) }))
    .describe("names with two owners, and who has them"),
  findings: z
    .array(
      z.looseObject({
        file: z.string(),
        line: z.int().min(1),
        severity: z.enum(["error", "warning"]),
        says: z.string(),
        fix: z.string(),
      }),
    )
    .describe("what is odd about the files behind them"),
});

export const MentionRow = z.looseObject({
  kind: z.string().describe("file, directory, skill, context, or a kind of the host's"),
  name: z.string().describe("the path, the skill's name, the token"),
  insert: z.string().optional().describe("what to put in; absent when it cannot be typed"),
  description: z.string().optional(),
  positions: z.array(z.int().min(0)).optional().describe("matched characters, in UTF-16 units"),
});
export const MentionsAnswer = z.looseObject({
  mentions: z.array(MentionRow),
  notes: z
    .array(z.looseObject({ kind: z.string(), count: z.int().min(1), says: z.string() }))
    .describe("what of the workspace is not offered, beyond what ignore files hide"),
});

export const ProofAnswer = z.looseObject({
  provider: z.string(),
  model: z.string(),
  request: z.looseObject({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()).describe("secrets are ***"),
    body: z.unknown(),
  }),
  outcomes: z.array(Outcome).describe("one for each part of the message, in order"),
  manifest: Manifest,
  body_text: z.string().describe("the exact body; outcomes[].bytes counts in its UTF-8 bytes"),
  body_sha256: z.string(),
  notes: z.array(Note).optional().describe("on a message that came in words, where there are any"),
});

export const StageAnswer = z.looseObject({
  provider: z.string(),
  model: z.string(),
  stage: z.string(),
  made: z.unknown(),
});

export const ModelRow = z.looseObject({
  name: z.string().describe("provider/model"),
  provider: z.string(),
  model: z.string(),
  protocol: z.string(),
  context_window: tokens,
  max_output: tokens,
  accepts: z.array(z.string()),
  source: z.string(),
  as_of: z.string(),
});
export type ModelRow = z.infer<typeof ModelRow>;

export const ModelsAnswer = z.looseObject({ models: z.array(ModelRow) });
export const StatusAnswer = z.looseObject({ status: z.literal("ok") });

/** The proof without its stages: they repeat the message and its attachments several times over. */
export function proofAnswer({ stages: _, ...proof }: Proof): Omit<Proof, "stages"> {
  return proof;
}

/** Of several models: what a stage made, with the model it was made for. */
export const stageAnswer = ({ provider, model, stages }: Proof, stage: Stage) => ({
  provider,
  model,
  stage,
  made: stages[stage],
});

export function modelRow(profile: ModelProfile): ModelRow {
  return {
    name: modelName(profile),
    provider: profile.provider,
    model: profile.id,
    protocol: profile.protocol,
    context_window: profile.contextWindow,
    max_output: profile.maxOutput,
    accepts: [...profile.accepts],
    source: profile.provenance.source,
    as_of: profile.provenance.as_of,
  };
}
