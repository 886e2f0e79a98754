/** What the contract's tests share: short names for ids, rows with little in them, and one session. */
import type { MessageId } from "@galley/parts";
import type { Admission, MessageWithParts } from "../port/messages.ts";
import type { Store } from "../store.ts";

export type MakeStore = () => Promise<Store>;

/** Runs a test on a fresh store that has the session `ses_main`, and closes it. */
export function onStore(makeStore: MakeStore, test: (store: Store) => Promise<void>) {
  return async () => {
    const store = await makeStore();
    try {
      await store.sessions.create({ id: "ses_main", agent: "default", at: 1 });
      await test(store);
    } finally {
      await store.close();
    }
  };
}

export const textPart = (text: string) => `{"type":"text","text":${JSON.stringify(text)}}`;

let parts = 0;
/** Part ids are minted by the host: a retry of the same message comes with others. */
export const newPart = (data_json: string) => ({ id: `prt_${++parts}`, data_json });

export function userMessage(name: string, over: Partial<Admission> = {}): Admission {
  return {
    id: `msg_${name}`,
    session_id: "ses_main",
    metadata_json: '{"schema_version":1}',
    parts: [newPart(textPart(name))],
    disposition: "fired",
    at: 10,
    ...over,
  };
}

export const queued = (name: string, over: Partial<Admission> = {}) =>
  userMessage(name, { disposition: "queued", ...over });

export const answer = (name: string, metadata_json = "{}") => ({
  id: `msg_${name}`,
  session_id: "ses_main",
  role: "assistant" as const,
  metadata_json,
  at: 20,
});

export async function fill(store: Store, ...names: string[]): Promise<void> {
  for (const name of names) await store.messages.admit(userMessage(name));
}

export async function queueUp(store: Store, ...names: string[]): Promise<void> {
  for (const name of names) await store.messages.admit(queued(name));
}

export const idsOf = (rows: readonly MessageWithParts[]): MessageId[] =>
  rows.map(({ message }) => message.id);

export const visible = async (store: Store) => idsOf(await store.messages.history("ses_main"));

export const waiting = async (store: Store) => idsOf(await store.queue.list("ses_main"));

export const usage = (input: number) => ({
  input,
  output: 2,
  reasoning: 3,
  cache_read: 4,
  cache_write: 5,
});
