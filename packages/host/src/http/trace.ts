/**
 * A session turn by turn, for an inspector: the messages of each turn with what they cost, the model
 * calls behind them, and the long texts that they name by their hash.
 */
import type { SessionRow } from "@galley/parts";
import type { MessageWithParts, RequestRow, Store } from "@galley/persist";
import { z } from "zod";
import { answeredBy } from "./await-turn.ts";
import { messageJson, SessionAnswer, StoredMessageAnswer, sessionJson } from "./session-answers.ts";

export const TraceAnswer = z.looseObject({
  session: SessionAnswer,
  turns: z.array(
    z.looseObject({
      message_id: z.string().nullable().describe("the user message that began it"),
      hidden: z.boolean(),
      messages: z.array(StoredMessageAnswer),
      calls: z.array(z.looseObject({ turn: z.int(), round: z.int(), sha256: z.string() })),
    }),
  ),
  texts: z
    .record(z.string(), z.looseObject({ kind: z.string(), body: z.string() }))
    .describe("system prompts, tool catalogues and permissions by their digest"),
});

type Turn = { readonly messages: readonly MessageWithParts[]; readonly calls: readonly Call[] };
type Call = Omit<RequestRow, "session_id" | "headers_json"> & {
  readonly estimate?: number;
  readonly limit?: number;
};

export async function traceJson(session: SessionRow, store: Store): Promise<string> {
  const messages = await store.messages.history(session.id, { include_hidden: true });
  const calls = await callsOf(session, store);
  const turns = turnsOf(messages, calls).map(turnJson);
  const texts = await textsOf(messages, store);
  return `{"session":${sessionJson(session)},"turns":[${turns.join(",")}],"texts":${JSON.stringify(texts)}}`;
}

/** What was sent and what it was estimated at, side by side. */
async function callsOf({ id }: SessionRow, store: Store): Promise<readonly Call[]> {
  const manifests = new Map<string, { estimate?: number; limit?: number }>();
  for (const { turn, round, manifest_json } of await store.manifests.list(id)) {
    const { estimate, limit } = JSON.parse(manifest_json) as { estimate?: number; limit?: number };
    manifests.set(`${turn}.${round}`, {
      ...(estimate !== undefined && { estimate }),
      ...(limit !== undefined && { limit }),
    });
  }
  const requests = await store.requests.list(id);
  return requests.map(({ session_id: _, headers_json: __, ...row }) => ({
    ...row,
    ...manifests.get(`${row.turn}.${row.round}`),
  }));
}

/** A user message begins a turn, and an answer says which; what says nothing follows the last one. */
function turnsOf(messages: readonly MessageWithParts[], calls: readonly Call[]): readonly Turn[] {
  const groups = new Map<string, MessageWithParts[]>();
  let last = "";
  for (const each of messages) {
    const { id, role } = each.message;
    if (role === "user") last = id;
    const key = answeredBy(each.message) ?? last;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups].map(([key, group]) => ({
    messages: group,
    calls: calls.filter(({ message_id }) => message_id === key),
  }));
}

function turnJson({ messages, calls }: Turn): string {
  const first = messages[0]?.message;
  const head = {
    message_id: first?.role === "user" ? first.id : null,
    hidden: typeof first?.hidden_at === "number",
    calls,
  };
  return `${JSON.stringify(head).slice(0, -1)},"messages":[${messages.map(messageJson).join(",")}]}`;
}

async function textsOf(messages: readonly MessageWithParts[], store: Store) {
  const digests = new Set<string>();
  for (const { message } of messages) {
    const metadata = JSON.parse(message.metadata_json) as Record<string, unknown>;
    for (const [key, value] of Object.entries(metadata)) {
      if (key.endsWith("_digest") && typeof value === "string") digests.add(value);
    }
  }
  const found = await Promise.all([...digests].map((digest) => store.systemPrompts.get(digest)));
  return Object.fromEntries(
    found.flatMap((text) => (text ? [[text.digest, { kind: text.kind, body: text.body }]] : [])),
  );
}
