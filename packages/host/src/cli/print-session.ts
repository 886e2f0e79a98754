/** A session for people: what it is, what it does, what was said, what waits. */
import { kindOfAssistantPart } from "@galley/parts";
import { plainName } from "@galley/shape";
import type { MessageAnswer, QueueAnswer, SessionAnswer, StatusAnswer } from "../client/answers.ts";
import { forTerminal, type Io } from "./io.ts";

export type ShownSession = {
  readonly session: SessionAnswer;
  readonly status: StatusAnswer;
  readonly messages: readonly MessageAnswer[];
  readonly queue: QueueAnswer;
};

export async function printSession(shown: ShownSession, io: Io): Promise<void> {
  const text = [...headOf(shown), ...shown.messages.flatMap(messageLines), ...queueLines(shown)];
  const whole = `${text.join("\n")}\n`;
  await io.out(io.outIsTerminal ? forTerminal(whole) : whole);
}

function headOf({ session, status }: ShownSession): string[] {
  const { id, title, model, workspace_root, created_at, total_tokens } = session;
  const archived = session.archived_at === null ? "" : ", archived";
  return [
    `${id}  ${plainName(title ?? "(no title)")}`,
    `${stateOf(status)}${archived}; ${model ?? "the default model"}; ${total_tokens} tokens; since ${timeOf(created_at)}`,
    ...(workspace_root === null ? [] : [plainName(workspace_root)]),
  ];
}

/** UTC, to the minute. */
export const timeOf = (at: number): string =>
  new Date(at).toISOString().slice(0, 16).replace("T", " ");

const stateOf = ({ state, message }: StatusAnswer): string =>
  message === undefined ? state : `${state}: ${plainName(message)}`;

function messageLines(message: MessageAnswer): string[] {
  const { id, role, created_at, parts, metadata } = message;
  const marks = metadata as Readonly<Record<string, unknown>>;
  const ended = marks.aborted_at ? ", stopped" : marks.failed_at ? ", failed" : "";
  return ["", `-- ${role}  ${id}  ${timeOf(created_at)}${ended}`, ...parts.flatMap(partLines)];
}

type Part = MessageAnswer["parts"][number];

function partLines(part: Part): string[] {
  if (part.type === "text") return [String(part.text)];
  if (part.type === "step-start") return [];
  if (part.type === "reasoning") return [];
  if (kindOfAssistantPart(part.type) === "tool") {
    return [`[${part.type.replace(/^tool-/, "")} ${part.toolCallId}: ${part.state}]`];
  }
  return [`[${part.type} ${plainName(nameOf(part))}]`];
}

function nameOf({ name, id, ref, target, kind }: Part): string {
  const { path, url, content_id } = (ref ?? target ?? {}) as Record<string, unknown>;
  const found = [name, path, url, content_id, id, kind].find((each) => typeof each === "string");
  return String(found ?? "");
}

function queueLines({ queue }: ShownSession): string[] {
  const { entries, paused } = queue;
  if (entries.length === 0) return [];
  const why = paused === null ? "" : ` (paused: ${paused})`;
  return ["", `${entries.length} waiting${why}`, ...entries.map(waitingLine)];
}

export const waitingLine = ({ id, parts }: MessageAnswer): string => `${id}  ${shortText(parts)}`;

const SHORT = 80;

export function shortText(parts: readonly Part[]): string {
  const text = parts.flatMap(partLines).join(" ").replace(/\s+/g, " ").trim();
  return plainName(text.length > SHORT ? `${text.slice(0, SHORT)}…` : text);
}
