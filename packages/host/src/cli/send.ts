/**
 * `galley send`: hands a message to a session, a new one where none is named, and prints the turn
 * that answers it. Attachments and references are read here, where the person is; commands and
 * mentions in the text are the session's.
 */
import { resolve } from "node:path";
import { isGalleyError, type MessageId, type SessionId } from "@galley/parts";
import type { NewMessage, SessionAnswer, SubmitAnswer } from "../client/answers.ts";
import { ClientError } from "../client/client-error.ts";
import type { Client } from "../client/create-client.ts";
import { mintId, submitSurely } from "../client/prompt.ts";
import { HostError } from "../host-error.ts";
import type { ComposeInput } from "../pipeline/pipeline.ts";
import { checkModel } from "./check-model.ts";
import { type Io, json } from "./io.ts";
import { tellNotes } from "./notes.ts";
import { type CommonFlags, withPipeline } from "./open-pipeline.ts";
import { INTERRUPTED, printerOf } from "./print-chunks.ts";
import { sendOnce } from "./send-once.ts";
import { onceInterrupted, stopTurn } from "./stop-turn.ts";
import { UsageError } from "./usage.ts";
import { withHost } from "./with-host.ts";
import { composeInput, type WordFlags } from "./words.ts";

export type SendFlags = CommonFlags &
  WordFlags & { readonly json?: boolean; readonly session?: string; readonly once?: boolean };

export async function runSend(words: readonly string[], flags: SendFlags, io: Io): Promise<number> {
  const { session: named, once } = flags;
  if (once && named !== undefined) throw new UsageError("--once is outside any session");
  if (once) return sendOnce(words, flags, io);
  const input = composeInput(words, flags);
  // Before a session is made for it: a file that cannot be read leaves nothing behind.
  const early = named === undefined ? await wordsOf(input, flags, io) : undefined;
  const check = named === undefined || flags.model !== undefined ? checkModel : undefined;
  const talk: Talk = {
    message_id: mintId("msg"),
    session_id: named ?? mintId("ses"),
    begun: false,
  };
  return withHost(
    flags,
    io,
    async ({ client }) => {
      const session = await (named === undefined
        ? newSession(client, talk.session_id, resolve(io.cwd, flags.workspace ?? "."))
        : client.sessions.get(named));
      const rooted = { ...flags, workspace: session.workspace_root ?? flags.workspace };
      const words = early ?? (await wordsOf(input, rooted, io));
      return converse(client, talk, { ...words, id: talk.message_id }, flags, io);
    },
    { check, again: () => !talk.begun },
  );
}

/** Known from the start: what is handed in twice is taken in once. */
type Talk = {
  readonly session_id: SessionId;
  readonly message_id: MessageId;
  /** Something of the answer was printed. */
  begun: boolean;
};

async function newSession(
  client: Client,
  id: SessionId,
  workspace: string,
): Promise<SessionAnswer> {
  try {
    return await client.sessions.create({ id, workspace });
  } catch (error) {
    // It was made already, by a host whose answer was lost.
    if (ClientError.is(error, "problem") && error.data.status === 409)
      return client.sessions.get(id);
    throw error;
  }
}

/** The message as it is handed in: what only this machine can read is in it. */
async function wordsOf(
  input: ComposeInput,
  flags: { readonly [K in keyof SendFlags]?: SendFlags[K] | undefined },
  io: Io,
): Promise<NewMessage> {
  const { text = "", refs = [], attach = [], editorContext = [], plain } = input;
  const files = refs.length + attach.length > 0;
  if (text.trim() === "" && !files && editorContext.length === 0) {
    throw HostError.make("empty_message", {});
  }
  const parts = files ? await partsOf({ refs, attach }, flags as CommonFlags, io) : [];
  return {
    ...(text !== "" && { text }),
    ...(parts.length > 0 && { parts }),
    ...(editorContext.length > 0 && { editor_context: editorContext }),
    ...(plain && { plain }),
    ...(flags.model !== undefined && { model: flags.model }),
  };
}

const partsOf = (
  files: Pick<ComposeInput, "refs" | "attach">,
  flags: CommonFlags,
  io: Io,
): Promise<NonNullable<NewMessage["parts"]>> =>
  withPipeline(flags, io, async ({ pipeline }) => {
    const { message, notes } = await pipeline.compose(files);
    tellNotes(notes, io);
    return message.parts;
  });

async function converse(
  client: Client,
  talk: Talk,
  message: NewMessage,
  flags: SendFlags,
  io: Io,
): Promise<number> {
  const isNew = flags.session === undefined;
  const { session_id: id } = talk;
  const submitted = await submit(client, id, message, isNew);
  tellNotes(submitted.notes ?? [], io);
  let code: number | undefined;
  try {
    code =
      submitted.disposition === "settled"
        ? await printActions(submitted, flags, io)
        : await printTurn(client, talk, submitted, flags, io);
    return code;
  } finally {
    // A turn that failed has named it already, with what to do; one that was lost begins anew.
    if (isNew && code !== 1 && (code !== undefined || talk.begun)) io.err(`session ${id}`);
  }
}

async function submit(
  client: Client,
  session: SessionId,
  message: NewMessage,
  isNew: boolean,
): Promise<SubmitAnswer> {
  try {
    return await submitSurely(() => client.messages.submit(session, message));
  } catch (error) {
    // Refused, so that nothing is in it: a session that nobody knows of is of no use.
    if (isNew && ClientError.is(error, "problem")) await client.sessions.delete(session);
    throw error;
  }
}

/** Host actions alone: what they gave, and no turn. */
async function printActions(
  { actions = [] }: SubmitAnswer,
  flags: SendFlags,
  io: Io,
): Promise<number> {
  if (flags.json) await io.out(`${JSON.stringify({ type: "data-actions", data: actions })}\n`);
  else for (const { result } of actions) if (result !== undefined) await io.out(json(result));
  return 0;
}

async function printTurn(
  client: Client,
  talk: Talk,
  submitted: SubmitAnswer,
  flags: SendFlags,
  io: Io,
): Promise<number> {
  const { session_id: session } = talk;
  const { message_id, disposition, position } = submitted;
  if (disposition === "queued") io.err(`galley: queued, ${position ?? "?"} from the front`);
  const mend = `galley session retry ${session} tries again`;
  const printer = printerOf(io, { json: flags.json, session, mend });
  const interrupt = onceInterrupted(io, () => stopTurn(client, session, message_id));
  try {
    const fired = disposition === "fired";
    for await (const chunk of client.follow(session, message_id, { fired })) {
      talk.begun = true;
      await printer.print(chunk);
    }
    return await printer.end();
  } catch (error) {
    // Taken back while it waited, which is what an interrupt does.
    if (interrupt.came() && ClientError.is(error, "gone")) return INTERRUPTED;
    // Nobody reads the answer any more, as behind `head`.
    if (!isGalleyError(error)) await stopTurn(client, session, message_id);
    throw error;
  } finally {
    await interrupt.end();
  }
}
