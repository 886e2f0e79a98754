/**
 * A history as every provider takes it: it begins with the user, and a call id names one call.
 *
 * Messages that are right are handed on as they are, the same objects, so that what was made of
 * them can be used again. Whatever is changed is recorded.
 */
import { kindOfAssistantPart } from "@galley/parts";
import type { AssistantContext, ContextMessage } from "./context.ts";

export type Settlement = {
  readonly message_id?: string;
  readonly part?: number;
  readonly why: string;
};

export type Settled = {
  readonly messages: readonly ContextMessage[];
  readonly settlements: readonly Settlement[];
};

/** Stands where a conversation begins with an answer, for example one that was started by it. */
const OPENING: ContextMessage = {
  role: "user",
  parts: [{ type: "text", text: "[The conversation begins with an answer.]" }],
  materials: [],
};

export function settleHistory(messages: readonly ContextMessage[]): Settled {
  const settlements: Settlement[] = [];
  const seen = new Set<string>();
  const settled = messages.map((message) =>
    message.role === "assistant" ? withOwnIds(message, seen, settlements) : message,
  );
  if (settled[0]?.role !== "assistant") return { messages: settled, settlements };
  const why = "a request begins with the user's voice";
  return { messages: [OPENING, ...settled], settlements: [{ why }, ...settlements] };
}

/** A call whose id an earlier one had gets an id of its own; its result goes with it. */
function withOwnIds(
  message: AssistantContext,
  seen: Set<string>,
  settlements: Settlement[],
): AssistantContext {
  let parts: AssistantContext["parts"] | undefined;
  message.parts.forEach((part, index) => {
    const id = callIdOf(part);
    if (id === undefined) return;
    const own = freeId(id, seen);
    seen.add(own);
    if (own === id) return;
    parts = (parts ?? message.parts).with(index, { ...part, toolCallId: own } as typeof part);
    const about = message.id === undefined ? {} : { message_id: message.id };
    settlements.push({ ...about, part: index, why: `the call id ${id} was used before` });
  });
  return parts ? { ...message, parts } : message;
}

function callIdOf(part: AssistantContext["parts"][number]): string | undefined {
  const isCall = kindOfAssistantPart(part.type) === "tool";
  return isCall && "toolCallId" in part ? String(part.toolCallId) : undefined;
}

function freeId(id: string, seen: ReadonlySet<string>): string {
  let own = id;
  for (let nth = 2; seen.has(own); nth += 1) own = `${id}_${nth}`;
  return own;
}
