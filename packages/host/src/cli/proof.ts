/** `galley proof`: the dry run, as JSON. */
import type { Pipeline, Proof, Stage } from "../pipeline/pipeline.ts";
import { type Io, json } from "./io.ts";
import { type MessageInput, readInput } from "./message-input.ts";
import { tellNotes } from "./notes.ts";
import { type CommonFlags, withPipeline } from "./open-pipeline.ts";
import { noSessions, UsageError } from "./usage.ts";

export type ProofFlags = CommonFlags & {
  readonly stage?: Stage;
  readonly all?: boolean;
  readonly text?: string;
  readonly plain?: boolean;
  readonly session?: string;
};

export function runProof(file: string | undefined, flags: ProofFlags, io: Io): Promise<number> {
  if (flags.session !== undefined) throw noSessions();
  if (flags.text !== undefined && file !== undefined) {
    throw new UsageError("give either a FILE or --text, not both");
  }
  if (flags.all && flags.model !== undefined) {
    throw new UsageError("--all asks every provider's own model: leave out --model");
  }
  if (flags.text === undefined && file === undefined && io.stdin() === undefined) {
    throw new UsageError("there is no message: give a FILE, --text, or pipe one in");
  }
  return withPipeline(flags, io, async ({ pipeline, settings }) => {
    const message = await readMessage(file, flags, pipeline, io, settings.limits.message_bytes);
    const view = (proof: Proof) => viewOf(proof, flags.stage, flags.all === true);
    const shown = flags.all
      ? (await pipeline.proofAll(message)).map(view)
      : view(await pipeline.proof(message, {}));
    await io.out(json(shown));
    return 0;
  });
}

async function readMessage(
  file: string | undefined,
  flags: Pick<ProofFlags, "text" | "plain">,
  pipeline: Pipeline,
  io: Io,
  maxBytes: number,
): Promise<unknown> {
  const input: MessageInput =
    flags.text === undefined
      ? await readInput(file, io, maxBytes)
      : { kind: "text", text: flags.text };
  if (input.kind === "message") return input.value;
  const plain = flags.plain ?? false;
  const { message, notes } = await pipeline.compose({ text: input.text, plain });
  tellNotes(notes, io);
  return message;
}

/** Exported for tests. */
export function viewOf(proof: Proof, stage: Stage | undefined, all: boolean): unknown {
  const { stages, body_text, ...rest } = proof;
  if (stage !== undefined) {
    const { provider, model } = proof;
    return all ? { provider, model, stage, made: stages[stage] } : stages[stage];
  }
  // Whoever serializes `body` without spaces has the exact bytes; where not, they are given too.
  const same = JSON.stringify(proof.request.body) === body_text;
  return same ? rest : { ...rest, body_text };
}
