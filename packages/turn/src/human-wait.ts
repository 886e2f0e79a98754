/**
 * The calls of an answer that wait for a person, read off its rows, and how each is closed: by what
 * the person said, by a dismissal, or by a host that died. Pure: rows in, rows to write out.
 */
import type { PartRow } from "@galley/parts";
import { type MessageWithParts, type PartWrite, withMembers } from "@galley/persist";
import type { Interaction } from "@galley/queue";
import type { Answer } from "./live.ts";
import type { RunMark } from "./run-mark.ts";
import { TurnError } from "./turn-error.ts";

export const RESTARTED = "aborted by host restart";
const DISMISSED = "the user dismissed the question";

type Json = Readonly<Record<string, unknown>>;

/** A call that waits, and what kind of answer it waits for. */
export type Wait = { readonly row: PartRow; readonly kind: Interaction["kind"] };

export function waitOf(
  answer: MessageWithParts | undefined,
  tool_call_id: string,
): Wait | undefined {
  const row = answer?.parts.find((part) => part.tool_call_id === tool_call_id);
  if (row?.tool_state === "approval-requested") return { row, kind: "approval" };
  if (row?.tool_state === "input-available") return { row, kind: "question" };
  return undefined;
}

/**
 * What a person is still asked. A blocked turn has said so itself; of one that died in the middle
 * the rows tell: every request for approval, and every call of the tool that asks.
 */
export function openCalls(
  answer: MessageWithParts | undefined,
  { running, open }: RunMark,
): readonly Interaction[] {
  if (!running) return open.filter(({ tool_call_id }) => waitOf(answer, tool_call_id));
  return (answer?.parts ?? []).flatMap((row): Interaction[] => {
    const { tool_call_id, tool_state, type } = row;
    if (tool_call_id === null) return [];
    if (tool_state === "approval-requested") return [{ tool_call_id, kind: "approval" }];
    const asks = tool_state === "input-available" && type === "tool-question";
    return asks ? [{ tool_call_id, kind: "question" }] : [];
  });
}

const write = (row: PartRow, members: Json, at: number): PartWrite => ({
  id: row.id,
  message_id: row.message_id,
  index: row.index,
  data_json: withMembers(row.data_json, members),
  at,
});

const partOf = (row: PartRow): Json => JSON.parse(row.data_json) as Json;

/** The request's own id; a part that another program wrote may have none. */
function approvalOf(row: PartRow): Json {
  const { approval, toolCallId } = partOf(row);
  return { id: toolCallId, ...(approval as Json | undefined) };
}

const denied = (row: PartRow, at: number): PartWrite =>
  write(row, { state: "output-denied", approval: { ...approvalOf(row), approved: false } }, at);

export function dismissed({ row, kind }: Wait, at: number): PartWrite {
  if (kind === "approval") return denied(row, at);
  return write(row, { state: "output-error", errorText: DISMISSED }, at);
}

/** Throws `turn.wrong-answer` when the answer does not fit what was asked. */
export function answered({ row, kind }: Wait, answer: Answer, at: number): PartWrite {
  const { tool_call_id } = answer;
  if (kind === "approval") {
    const decision = "decision" in answer ? answer.decision : undefined;
    // Nothing but the word itself allows.
    if (decision !== "allow" && decision !== "deny") {
      const wants = 'a decision, "allow" or "deny"';
      throw TurnError.make("wrong-answer", { tool_call_id, wants });
    }
    if (decision === "deny") return denied(row, at);
    const approval = { ...approvalOf(row), approved: true };
    return write(row, { state: "approval-responded", approval }, at);
  }
  const count = questionCount(row);
  const answers = "answers" in answer && areTexts(answer.answers) ? answer.answers : undefined;
  if (answers === undefined || (count !== undefined && answers.length !== count)) {
    const wants = `answers, one list of texts for each of its ${count ?? ""} questions`;
    throw TurnError.make("wrong-answer", { tool_call_id, wants: wants.replace("  ", " ") });
  }
  const output = { type: "output", data: { answers } };
  return write(row, { state: "output-available", output }, at);
}

/** A caller may have read them from anywhere. */
const areTexts = (answers: unknown): boolean =>
  Array.isArray(answers) &&
  answers.every(
    (each: unknown) => Array.isArray(each) && each.every((text) => typeof text === "string"),
  );

function questionCount(row: PartRow): number | undefined {
  const { questions } = (partOf(row).input ?? {}) as Json;
  return Array.isArray(questions) ? questions.length : undefined;
}

const UNDONE = new Set(["input-streaming", "input-available", "approval-responded"]);

/** Calls whose outcome nobody will hear of any more, and text that nobody will go on with. */
export function cutOff(
  answer: MessageWithParts,
  open: readonly Interaction[],
  at: number,
): readonly PartWrite[] {
  const asked = new Set(open.map(({ tool_call_id }) => tool_call_id));
  return answer.parts.flatMap((row) => {
    if (row.tool_call_id === null) {
      return partOf(row).state === "streaming" ? [write(row, { state: "done" }, at)] : [];
    }
    const isUndone = row.tool_state !== null && UNDONE.has(row.tool_state);
    if (!isUndone || asked.has(row.tool_call_id)) return [];
    return [write(row, { state: "output-error", errorText: RESTARTED }, at)];
  });
}
