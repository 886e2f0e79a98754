/** What a turn waits for when it ends: questions and approvals, and how to answer them here. */
import type { UiChunk } from "@galley/parts";
import { plainName } from "@galley/shape";

type Asked = { readonly toolName: string; readonly input: unknown };

export interface OpenQuestions {
  note(chunk: UiChunk): void;
  /** One line each; none when nothing waits. */
  lines(session: string): readonly string[];
}

export function openQuestions(): OpenQuestions {
  const calls = new Map<string, Asked>();
  const approvals = new Set<string>();
  return {
    note(chunk) {
      if (chunk.type === "tool-input-available") {
        calls.set(chunk.toolCallId, { toolName: chunk.toolName, input: chunk.input });
      }
      if (chunk.type === "tool-approval-request") approvals.add(chunk.toolCallId);
      if (/^tool-output-/.test(chunk.type)) calls.delete(String(chunk.toolCallId));
    },
    lines(session) {
      return [...calls].flatMap(([id, call]) => {
        if (approvals.has(id)) return approvalLines(session, id, call);
        return call.toolName === "question" ? questionLines(session, id, call.input) : [];
      });
    },
  };
}

function approvalLines(session: string, id: string, { toolName, input }: Asked): string[] {
  const asks = `galley: may it call ${plainName(toolName)} with ${plainName(JSON.stringify(input))}?`;
  return [asks, `galley: galley session answer ${session} ${id} --allow, or --deny`];
}

type Question = {
  readonly question?: unknown;
  readonly options?: readonly { readonly label?: unknown }[];
};

function questionLines(session: string, id: string, input: unknown): string[] {
  const { questions } = (input ?? {}) as { questions?: readonly Question[] };
  const all: readonly Question[] = Array.isArray(questions) ? questions : [];
  const asks = all.map(({ question, options = [] }) => {
    const labels = options.map(({ label }) => plainName(String(label)));
    const choice = labels.length > 0 ? ` (${labels.join(" | ")})` : "";
    return `galley: ${plainName(String(question))}${choice}`;
  });
  const words = all.map((_, index) => `ANSWER${all.length > 1 ? index + 1 : ""}`).join(" ");
  return [...asks, `galley: galley session answer ${session} ${id} ${words}`];
}
