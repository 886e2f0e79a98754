/** What the calls answer with, for the published description, and the wire spelling of models. */
import { ARGUMENT_TYPES, NOTE_CODES } from "@galley/compose";
import { OUTCOMES, Outcome, UserMessage } from "@galley/parts";
import { type ModelProfile, modelName } from "@galley/shape";
import { z } from "zod";
import type { Proof, Stage } from "../pipeline/pipeline.ts";

const tokens = z.int().min(0);

const range = z.tuple([tokens, tokens]).describe("half open, in bytes of the body");
const block = tokens.describe("counts in blocks");
const why = z.string();

/** Everything after `settlements` is absent in accounts that older versions wrote. */
export const Manifest = z.looseObject({
  layers: z.array(z.looseObject({ id: z.string(), tokens })),
  tools: z.array(z.looseObject({ name: z.string(), tokens })),
  blocks: z
    .array(
      z.looseObject({
        message_id: z.string().optional(),
        role: z.enum(["user", "assistant", "system"]),
        part: z.int().min(0),
        type: z.string(),
        tokens,
        digest: z.string().optional().describe("changes when what the model is shown of it does"),
        outcome: z.enum(OUTCOMES).optional(),
        why: why.optional(),
        placed: z.literal(false).optional().describe("nothing of its message is in the request"),
        bytes: z.array(range).optional(),
      }),
    )
    .describe("every part that came in, once and in order, whatever became of it"),
  estimate: tokens,
  limit: z.int(),
  over_limit: z.boolean(),
  settlements: z.array(
    z.looseObject({
      message_id: z.string().optional(),
      part: z.int().optional(),
      why,
    }),
  ),
  pins: z
    .array(z.looseObject({ id: z.string(), tokens, failed: z.string().optional() }))
    .optional(),
  task: z.looseObject({ blocks: z.tuple([block, block]), tokens }).optional(),
  added: z
    .array(z.looseObject({ what: z.enum(["opening", "pins"]), block, parts: tokens, tokens }))
    .optional()
    .describe("what is in the request and came from no block"),
  filters: z.array(z.looseObject({ block: block.optional(), why })).optional(),
  merges: z
    .array(z.looseObject({ role: z.string(), block }))
    .optional()
    .describe("messages that share one on the wire with the one before"),
  elisions: z
    .array(z.looseObject({ block, part: tokens, stage: z.string(), tokens, fresh: z.boolean() }))
    .optional()
    .describe("left out to fit; fresh: by this request"),
  failures: z
    .array(z.looseObject({ block: block.optional(), pin: z.string().optional(), why }))
    .optional(),
  measured: z.record(z.string(), z.number()).optional().describe("the input by class, unweighted"),
  floor: tokens.optional().describe("the estimate of all that may not be left out"),
  cache_boundary: z
    .looseObject({ block, tokens })
    .optional()
    .describe("how far the next request will be the same"),
  refusal: z
    .looseObject({ estimate: tokens, limit: z.int(), floor: tokens, ways_out: z.array(why) })
    .optional(),
  changed: z
    .looseObject({
      same_tokens: tokens,
      lost_tokens: tokens,
      why,
      first_byte: tokens.optional().describe("of the body: where it parts from the one before"),
      byte_block: block.optional(),
    })
    .optional()
    .describe("since the request before: why a prompt cache would miss, and from where"),
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
