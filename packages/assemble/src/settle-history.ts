/**
 * A history as every provider takes it: it begins with the user, and a call id names one call.
 *
 * Messages that are right are handed on as they are, the same objects, so that what was made of
 * them can be used again. Whatever is changed is recorded.
 */
import { kindOfAssistantPart } from "@galley/parts";
import type { AssistantContext, ContextMessage } from "./context.ts";
import { derivation } from "./derive.ts";

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
export const OPENING: ContextMessage = {
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
  const renamed: [index: number, id: string][] = [];
  for (const [index, id] of callIdsOf(message)) {
    const own = freeId(id, seen);
    seen.add(own);
    if (own === id) continue;
    renamed.push([index, own]);
    const about = message.id === undefined ? {} : { message_id: message.id };
    settlements.push({ ...about, part: index, why: `the call id ${id} was used before` });
  }
  if (renamed.length === 0) return message;
  return renamings.of(message, JSON.stringify(renamed), () => {
    const parts = [...message.parts];
    for (const [index, toolCallId] of renamed) {
      parts[index] = { ...parts[index], toolCallId } as (typeof parts)[number];
    }
    return { ...message, parts };
  });
}

const renamings = derivation();

/** Kept by the identity of the message: a long history is not searched again for each turn. */
const known = new WeakMap<AssistantContext, readonly (readonly [index: number, id: string])[]>();

function callIdsOf(message: AssistantContext) {
  const ids = known.get(message);
  if (ids) return ids;
  const found = message.parts.flatMap((part, index) => {
    const id = callIdOf(part);
    return id === undefined ? [] : [[index, id] as const];
  });
  known.set(message, found);
  return found;
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
