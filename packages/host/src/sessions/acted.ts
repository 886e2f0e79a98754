/**
 * The actions of a message that ran before one of them failed. They are not undone, and the message
 * was not kept; so that sending it again under its id does not run them twice, what each gave is kept
 * on the session until the message is.
 *
 * An action is noted when it has run: a process that dies in between leaves it to be run again.
 */
import type { ActionCall, Json } from "@galley/compose";
import type { MessageId, SessionId, SessionRow } from "@galley/parts";
import type { ActionDeps } from "./host-action.ts";

type Done = {
  readonly place: number;
  readonly id: string;
  readonly raw: string;
  readonly result: Json;
};

type Acted = Readonly<Record<MessageId, readonly Done[]>>;

/** Failed messages that nobody sends again are forgotten, the oldest first. */
const KEPT = 16;

export interface ActedBefore {
  /** What the same call in the same place gave; nothing where it has not run. */
  of(call: ActionCall, place: number): { readonly result: Json } | undefined;
  note(call: ActionCall, place: number, result: Json): Promise<void>;
  /** The message is kept: from now on its own row answers. */
  forget(): Promise<void>;
}

/** Without an id nobody can send the same message again. */
const NEVER: ActedBefore = {
  of: () => undefined,
  note: async () => {},
  forget: async () => {},
};

export function actedBefore(
  session: SessionRow,
  message_id: MessageId | undefined,
  deps: Pick<ActionDeps, "store" | "now">,
): ActedBefore {
  if (message_id === undefined) return NEVER;
  let done = actedIn(session)[message_id] ?? [];

  async function keep(next: readonly Done[]): Promise<void> {
    const others = Object.entries(await actedNow(session.id, deps)).filter(
      ([id]) => id !== message_id,
    );
    const own: [MessageId, readonly Done[]][] = next.length > 0 ? [[message_id ?? "", next]] : [];
    const all = [...others, ...own].slice(-KEPT);
    const acted = all.length > 0 ? Object.fromEntries(all) : undefined;
    await deps.store.sessions.patch(session.id, { metadata: { acted }, at: deps.now() });
    done = next;
  }

  return {
    of: ({ id, args }, place) =>
      done.find((each) => each.place === place && each.id === id && each.raw === args.raw),
    note: ({ id, args }, place, result) =>
      keep([...done.filter((each) => each.place !== place), { place, id, raw: args.raw, result }]),
    forget: async () => {
      if (done.length > 0) await keep([]);
    },
  };
}

async function actedNow(id: SessionId, { store }: Pick<ActionDeps, "store">): Promise<Acted> {
  const row = await store.sessions.get(id);
  return row ? actedIn(row) : {};
}

function actedIn({ metadata_json }: SessionRow): Acted {
  const { acted } = JSON.parse(metadata_json) as { acted?: unknown };
  return typeof acted === "object" && acted !== null ? (acted as Acted) : {};
}
