/**
 * A piece of work that an answer hands to an agent of its own: a child session, with the same loop
 * and its own slot, whose last words are the outcome. It runs while its parent waits, never longer:
 * stopping the parent stops it.
 *
 * It begins with the rules of its parent. That no rule of an ancestor's is passed by is for whoever
 * permits calls to see to; `subagentOf` and the row's `parent_id` are what they need.
 */
import type { AssistantPart, HostEvent, MessageId, SessionId, SessionRow } from "@galley/parts";
import type { MessageWithParts, Store } from "@galley/persist";
import type { TurnDeps } from "./deps.ts";
import type { LiveSessions } from "./live.ts";
import { needSession } from "./session-rows.ts";
import type { ToolOutput } from "./tool.ts";
import { TurnError } from "./turn-error.ts";

export type SubagentOrder = {
  readonly parent: SessionRow;
  /** The answer that the call stands in, and the call. */
  readonly message_id: MessageId;
  readonly tool_call_id: string;
  readonly prompt: string;
  readonly signal: AbortSignal;
};

export type SubagentDeps = Pick<TurnDeps, "mint" | "now"> & {
  readonly store: Pick<Store, "sessions" | "messages">;
  readonly live: Pick<LiveSessions, "submit" | "abort" | "listen" | "status">;
};

/** A session that a person began is 0 deep. */
export const DEEPEST_SUBAGENT = 5;

export const ABORTED_BY_PARENT = "aborted by parent";

/** What a session's row says of the work that it was made for; nothing of one that a person began. */
export function subagentOf({ metadata_json }: SessionRow): { readonly depth: number } | undefined {
  const { relation, subagent } = JSON.parse(metadata_json) as Readonly<Record<string, unknown>>;
  if (relation !== "subagent") return undefined;
  const { depth } = (subagent ?? {}) as { readonly depth?: unknown };
  // One that does not say is taken for the deepest: it makes no more.
  return { depth: typeof depth === "number" ? depth : DEEPEST_SUBAGENT };
}

export async function runSubagent(order: SubagentOrder, deps: SubagentDeps): Promise<ToolOutput> {
  const { live } = deps;
  const { signal } = order;
  const depth = (subagentOf(order.parent)?.depth ?? 0) + 1;
  if (depth > DEEPEST_SUBAGENT) {
    return refused(`subagents nest at most ${DEEPEST_SUBAGENT} deep: do this work here`);
  }
  const { id } = await createChild(order, depth, deps);
  const end = endOf(id, live);
  const stop = stopped(signal);
  try {
    const parts = [{ type: "text" as const, text: order.prompt }];
    const { message_id } = await live.submit(id, { message: { role: "user", parts } });
    const reason = await Promise.race([end.promise, stop.promise]);
    if (reason !== "stopped") return await outcomeOf(id, message_id, reason, deps);
    // It is told and ends by itself; the parent need not wait for that.
    await live.abort(id, { clear_queue: true }).catch(unlessIdle);
    return refused(ABORTED_BY_PARENT);
  } finally {
    end.forget();
    stop.forget();
  }
}

async function createChild(
  { parent, message_id, tool_call_id }: SubagentOrder,
  depth: number,
  { store, mint, now }: SubagentDeps,
): Promise<SessionRow> {
  // As it is now: a person may have allowed something since the turn began.
  const { agent, workspace_root, model_json, permissions_json } = await needSession(
    store,
    parent.id,
  );
  const answer = await store.messages.get(message_id);
  const { model } = JSON.parse(answer?.message.metadata_json ?? "{}") as { model?: unknown };
  const metadata = { ephemeral: true, relation: "subagent", subagent: { depth, tool_call_id } };
  return store.sessions.create({
    id: mint("ses"),
    agent,
    workspace_root,
    model_json: model === undefined ? model_json : JSON.stringify(model),
    permissions_json,
    parent_id: parent.id,
    parent_message_id: message_id,
    metadata_json: JSON.stringify(metadata),
    at: now(),
  });
}

type Reason = Extract<HostEvent, { readonly type: "turn-finished" }>["reason"];

/** The end of its turn; one that asks a person is not over. */
function endOf(id: SessionId, { listen }: SubagentDeps["live"]) {
  const { promise, resolve } = Promise.withResolvers<Reason>();
  const forget = listen((event) => {
    if (event.type !== "turn-finished" || event.session_id !== id) return;
    if ((event.pending ?? null) === null) resolve(event.reason);
  });
  return { promise, forget };
}

function stopped(signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<"stopped">();
  const heard = (): void => resolve("stopped");
  if (signal.aborted) heard();
  else signal.addEventListener("abort", heard, { once: true });
  return { promise, forget: () => signal.removeEventListener("abort", heard) };
}

async function outcomeOf(
  id: SessionId,
  message_id: MessageId,
  reason: Reason,
  { store, live }: SubagentDeps,
): Promise<ToolOutput> {
  if (reason === "abort") return refused(`the subagent (${id}) was stopped`);
  if (reason === "error") {
    const { message = "it did not say why" } = await live.status(id);
    return refused(`the subagent (${id}) failed: ${message}`);
  }
  const rows = await store.messages.history(id);
  const answer = rows.findLast(({ message }) => replyOf(message.metadata_json) === message_id);
  const output = answer === undefined ? "" : lastWords(answer);
  if (output === "") return refused(`the subagent (${id}) ended without a word`);
  return { type: "output", data: { output, session_id: id } };
}

const replyOf = (metadata_json: string): unknown =>
  (JSON.parse(metadata_json) as { readonly in_reply_to?: unknown }).in_reply_to;

/** The text of its last step that has any: what came before told what it was about to do. */
function lastWords({ parts }: MessageWithParts): string {
  const steps: string[] = [""];
  for (const { data_json } of parts) {
    const part = JSON.parse(data_json) as AssistantPart;
    if (part.type === "step-start") steps.push("");
    else if (part.type === "text") steps.push(`${steps.pop() ?? ""}${String(part.text)}`);
  }
  return steps.findLast((text) => text.trim() !== "") ?? "";
}

/** It came to its end before it was told. */
function unlessIdle(error: unknown): void {
  if (!TurnError.is(error, "nothing-running")) throw error;
}

const refused = (error_text: string): ToolOutput => ({ type: "error", error_text });
