/**
 * What a file may say of a session that a host takes in: its words, and not what is to be done. The
 * marks of a run are taken where they are about messages of the same file, nothing that waits fires
 * before somebody says so, and nobody's leave comes with a file.
 *
 * A file without any of these is stored as it is, to the byte.
 */
import type { ImportedFile, Receipt, Tables } from "@galley/persist";
import { marksOf, type RunMark } from "./run-mark.ts";

export type ReceivedSession = {
  readonly receipt: Receipt;
  /** What was not taken as it came, in words. */
  readonly notes: readonly string[];
};

export async function receiveSession(
  file: ImportedFile,
  tx: Pick<Tables, "messages">,
  at: number,
): Promise<ReceivedSession> {
  const { session } = file;
  const notes: string[] = [];
  const metadata: Record<string, unknown> = {};
  const said = JSON.parse(session.metadata_json) as Readonly<Record<string, unknown>>;
  const { run, pause } = marksOf(session);
  if (said.run !== undefined && !(run && (await isOfFile(run, file, tx)))) {
    metadata.run = undefined;
    notes.push("the turn that it says is open was left out: it cannot go on here");
  }
  const ids = new Set(file.messages.map(({ id }) => id));
  const isForeign =
    pause?.reason === "error" && pause.message_id !== null && !ids.has(pause.message_id);
  if (isForeign) metadata.pause = undefined;
  const waiting = file.messages.filter(({ queue_order }) => queue_order !== null).length;
  if (waiting > 0 && (pause === null || isForeign)) {
    metadata.pause = { reason: "hold", at };
    notes.push(`${waiting} messages wait: they fire when somebody resumes the session`);
  }
  const rules = withoutLeave(session.permissions_json);
  if (rules) notes.push(`${rules.count} rules allow something: they count for nothing here`);
  const permissions = rules && { permissions_json: rules.permissions_json };
  return { receipt: { metadata, ...permissions }, notes };
}

/**
 * Its answer may not have begun; then nobody else's has its id. What a person allowed somewhere else
 * and has not run yet would run here without a question.
 */
async function isOfFile(
  run: RunMark,
  { messages, parts }: ImportedFile,
  tx: Pick<Tables, "messages">,
): Promise<boolean> {
  const role = (id: string) => messages.find((message) => message.id === id)?.role;
  if (role(run.message_id) !== "user") return false;
  const answer = role(run.answer_id);
  if (answer === undefined) return (await tx.messages.get(run.answer_id)) === undefined;
  const isAllowed = parts.some(
    ({ message_id, tool_state }) =>
      message_id === run.answer_id && tool_state === "approval-responded",
  );
  return answer === "assistant" && run.answered.length === 0 && !isAllowed;
}

/** Marked, so that everybody sees what the file said; undefined when nothing in it allows. */
function withoutLeave(permissions_json: string) {
  const rules: unknown = JSON.parse(permissions_json);
  if (!Array.isArray(rules)) return undefined;
  const marked = rules.map((rule) => (isAllowing(rule) ? { ...rule, imported: true } : rule));
  const count = rules.filter(isAllowing).length;
  return count === 0 ? undefined : { permissions_json: JSON.stringify(marked), count };
}

const isAllowing = (rule: unknown): rule is object =>
  typeof rule === "object" && rule !== null && (rule as { action?: unknown }).action === "allow";
