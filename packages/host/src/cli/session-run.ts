/** `galley session answer|dismiss|retry|resume|abort`: what a turn that stands still goes on with. */
import type { MessageId, SessionId, UiChunk } from "@galley/parts";
import type { Answer } from "../client/answers.ts";
import { createHeard } from "../client/catch-up.ts";
import type { Client } from "../client/create-client.ts";
import { lastTurn } from "../client/follow-message.ts";
import { replayAnswer } from "../client/replay.ts";
import type { Io } from "./io.ts";
import type { CommonFlags } from "./open-pipeline.ts";
import { printerOf } from "./print-chunks.ts";
import { onceInterrupted } from "./stop-turn.ts";
import { UsageError } from "./usage.ts";
import { withHost } from "./with-host.ts";

export type RunFlags = CommonFlags & { readonly json?: boolean };

export type AnswerFlags = RunFlags & {
  readonly allow?: boolean;
  readonly deny?: boolean;
  readonly always?: boolean;
  readonly answers?: string;
};

export function answerCall(
  session: SessionId,
  call: string,
  words: readonly string[],
  flags: AnswerFlags,
  io: Io,
): Promise<number> {
  const answer = answerOf(call, words, flags);
  return goOn(session, flags, io, (client) => client.answer(session, answer));
}

function answerOf(
  tool_call_id: string,
  words: readonly string[],
  { allow, deny, always, answers }: AnswerFlags,
): Answer {
  const ways = [allow, deny, answers !== undefined, words.length > 0].filter(Boolean).length;
  if (ways !== 1) {
    throw new UsageError("give --allow, --deny, one ANSWER for each question, or --answers");
  }
  if (allow || deny) {
    const scope = always ? { scope: "session" as const } : {};
    return { tool_call_id, decision: allow ? "allow" : "deny", ...scope };
  }
  return { tool_call_id, answers: answers === undefined ? words.map(one) : listsOf(answers) };
}

const one = (word: string): string[] => [word];

function listsOf(text: string): string[][] {
  const isList = (value: unknown): value is unknown[] => Array.isArray(value);
  try {
    const value: unknown = JSON.parse(text);
    const isRight =
      isList(value) &&
      value.every((each) => isList(each) && each.every((word) => typeof word === "string"));
    if (isRight) return value as string[][];
  } catch (error) {
    throw new UsageError(`--answers is not JSON: ${(error as SyntaxError).message}`);
  }
  throw new UsageError('--answers is one list for each question: [["yes"],["a","b"]]');
}

export const dismissCall = (session: SessionId, call: string, flags: RunFlags, io: Io) =>
  goOn(session, flags, io, (client) => client.dismiss(session, call));

/** Does it, and prints how the turn that stood still goes on. */
function goOn(
  session: SessionId,
  flags: RunFlags,
  io: Io,
  act: (client: Client) => Promise<unknown>,
): Promise<number> {
  return withHost(flags, io, async ({ client }) => {
    const turn = lastTurn(await client.messages.list(session));
    await act(client);
    if (turn === undefined) return 0;
    const heard = createHeard();
    if (turn.answer) for (const chunk of replayAnswer(turn.answer)) heard.note(chunk);
    return printTurns(client, session, [turn], flags, io, heard.beyond());
  });
}

export function retrySession(session: SessionId, flags: RunFlags, io: Io): Promise<number> {
  return withHost(flags, io, async ({ client }) => {
    const { message_id } = await client.retry(session);
    return printTurns(client, session, [{ message_id, fired: true }], flags, io);
  });
}

/** One after the other, until one of them fails or waits for a person. */
export function resumeSession(session: SessionId, flags: RunFlags, io: Io): Promise<number> {
  return withHost(flags, io, async ({ client }) => {
    const { entries } = await client.queue.list(session);
    await client.resume(session);
    const turns = entries.map(({ id }) => ({ message_id: id, fired: false }));
    return printTurns(client, session, turns, flags, io);
  });
}

export type AbortFlags = CommonFlags & { readonly clearQueue?: boolean };

export function abortSession(session: SessionId, flags: AbortFlags, io: Io): Promise<number> {
  return withHost(flags, io, async ({ client }) => {
    await client.abort(session, flags.clearQueue ? { clear_queue: true } : {});
    return 0;
  });
}

export type Turn = { readonly message_id: MessageId; readonly fired: boolean };

export async function printTurns(
  client: Client,
  session: SessionId,
  turns: readonly Turn[],
  flags: RunFlags,
  io: Io,
  isNew: (chunk: UiChunk) => UiChunk | undefined = (chunk) => chunk,
): Promise<number> {
  const mend = `galley session retry ${session} tries again`;
  const printer = printerOf(io, { json: flags.json, session, mend });
  const interrupt = onceInterrupted(io, () => client.abort(session));
  try {
    for (const { message_id, fired } of turns) {
      for await (const chunk of client.follow(session, message_id, { fired })) {
        const fresh = isNew(chunk);
        if (fresh) await printer.print(fresh);
      }
      if (interrupt.came() || !(await goesOn(client, session))) break;
    }
    return await printer.end();
  } finally {
    await interrupt.end();
  }
}

async function goesOn(client: Client, session: SessionId): Promise<boolean> {
  const { state } = await client.status(session);
  return state === "idle" || state === "busy" || state === "retrying";
}
