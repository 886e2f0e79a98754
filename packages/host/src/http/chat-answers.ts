/**
 * What a person answered, found in the assistant message that `useChat` sends back: the output of a
 * question, the response to an approval. Only calls that wait are answered; each is an answer of its
 * own, so that a request which is repeated goes on where the first one stopped. One that was heard
 * whole is heard again: it brings nothing new, and may follow what came of it.
 */
import { kindOfAssistantPart, type PartRow, type SessionId } from "@galley/parts";
import type { Answer } from "@galley/turn";
import type { UiMessage } from "./chat-request.ts";
import { HttpError } from "./problem.ts";
import type { SessionBackend } from "./session-backend.ts";

type UiCall = {
  readonly toolCallId?: unknown;
  readonly state?: unknown;
  readonly output?: unknown;
  readonly approval?: { readonly approved?: unknown };
};

export type Reply =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "dismiss"; readonly tool_call_id: string };

/** What is said about calls that wait, in their order, and the answer that they stand in. */
export async function repliesIn(
  { id, parts }: UiMessage,
  session: SessionId,
  { store }: SessionBackend,
): Promise<{ readonly replies: readonly Reply[]; readonly answer_id: string }> {
  const open = await store.parts.toolCalls(session, ["input-available", "approval-requested"]);
  const said = new Map<unknown, UiCall>();
  for (const part of parts) {
    if (kindOfAssistantPart(part.type) === "tool") said.set(part.toolCallId, part as UiCall);
  }
  const found = open.flatMap((row) => {
    const call = said.get(row.tool_call_id);
    const reply =
      call && replyTo(row.tool_call_id ?? "", row.tool_state === "input-available", call);
    return reply ? [{ reply, answer_id: row.message_id }] : [];
  });
  const [first] = found;
  if (first !== undefined) {
    return { replies: found.map(({ reply }) => reply), answer_id: first.answer_id };
  }
  const answer = await store.messages.get(id);
  const isOurs = answer?.message.session_id === session;
  if (isOurs && wasHeard(answer.parts, said)) return { replies: [], answer_id: id };
  throw HttpError.make("not_an_answer", { reason: "no call of it waits for what was sent" });
}

/** Whether everything that a person has answered so far was answered with these words. */
function wasHeard(rows: readonly PartRow[], said: ReadonlyMap<unknown, UiCall>): boolean {
  const asked = rows
    .map(({ data_json }) => JSON.parse(data_json) as UiCall & { readonly type: string })
    .filter(isAnswered);
  return asked.length > 0 && asked.every((call) => isSame(call, said.get(call.toolCallId)));
}

function isAnswered({ type, state, approval }: UiCall & { readonly type: string }): boolean {
  if (approval) return typeof approval.approved === "boolean";
  return type === "tool-question" && (state === "output-available" || state === "output-error");
}

function isSame(heard: UiCall, said: UiCall | undefined): boolean {
  if (heard.approval) {
    const approved = said?.state === "output-error" ? false : said?.approval?.approved;
    return heard.approval.approved === approved;
  }
  if (heard.state === "output-error") return said?.state === "output-error";
  if (said?.state !== "output-available") return false;
  return JSON.stringify(answersIn(heard.output)) === JSON.stringify(answersIn(said.output));
}

function replyTo(tool_call_id: string, isQuestion: boolean, call: UiCall): Reply | undefined {
  if (call.state === "output-error") return { kind: "dismiss", tool_call_id };
  if (isQuestion) {
    if (call.state !== "output-available") return undefined;
    return { kind: "answer", answer: { tool_call_id, answers: answersIn(call.output) } };
  }
  const { approved } = call.approval ?? {};
  if (typeof approved !== "boolean") return undefined;
  return { kind: "answer", answer: { tool_call_id, decision: approved ? "allow" : "deny" } };
}

/** As our tool gives them, as a page would write them, or one plain text for one question. */
function answersIn(output: unknown): readonly (readonly string[])[] {
  if (typeof output === "string") return [[output]];
  const fields = output as { answers?: unknown; data?: { answers?: unknown } } | null;
  const answers = Array.isArray(output) ? output : (fields?.answers ?? fields?.data?.answers);
  const isRows = (rows: unknown): rows is string[][] =>
    Array.isArray(rows) &&
    rows.every((row) => Array.isArray(row) && row.every((each) => typeof each === "string"));
  if (isRows(answers)) return answers;
  throw HttpError.make("not_an_answer", {
    reason: "the output of a question is { answers: [[…], …] }, one list for each question",
  });
}
