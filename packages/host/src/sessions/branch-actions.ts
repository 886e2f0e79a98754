/** `/fork`, `/rewind` and `/btw`: other ways on from the conversation in which they are typed. */
import type { Json } from "@galley/compose";
import type { MessageWithParts } from "@galley/persist";
import { HostError } from "../host-error.ts";
import { type Action, restOf } from "./host-action.ts";

export const forkAction: Action = async (call, session, _errand, { live }) => {
  const title = restOf(call);
  const made = await live.fork(session.id, title === "" ? {} : { title });
  return { session_id: made.id, title: made.title };
};

/** A sidecar that answers by itself; this conversation is not touched, even while it runs. */
export const btwAction: Action = async (call, session, _errand, { live }) => {
  const text = restOf(call);
  if (text === "") throw bad(call.id, "give the question behind it");
  const sidecar = await live.fork(session.id, { metadata: { ephemeral: true } });
  const parts = [{ type: "text" as const, text }];
  const { message_id } = await live.submit(sidecar.id, { message: { role: "user", parts } });
  return { session_id: sidecar.id, message_id };
};

/** Back to the last message, the Nth from the end, or the named one; `undo` takes it back. */
export const rewindAction: Action = async (call, session, _errand, { live, store }) => {
  const word = restOf(call);
  if (word === "undo") {
    const { rewind_id, shown } = await live.unrewind(session.id);
    return { rewind_id, shown: [...shown] };
  }
  const id = word.startsWith("msg_")
    ? word
    : nthFromEnd(await store.messages.history(session.id), placeIn(word, call.id));
  if (id === undefined) throw bad(call.id, "there is no such message to go back to");
  const rewound = await live.rewind(session.id, id, "edit");
  const { message_id, rewind_id } = rewound;
  const parts = rewound.mode === "edit" ? rewound.draft.parts : [];
  // They were read from a row: plain JSON, which their type does not say.
  return { message_id, rewind_id, draft: { parts: JSON.parse(JSON.stringify(parts)) as Json } };
};

function placeIn(word: string, command: string): number {
  if (word === "") return 1;
  if (/^[1-9]\d{0,6}$/.test(word)) return Number(word);
  throw bad(command, `${word} is no message: give its id, a number counted from the end, or undo`);
}

const nthFromEnd = (history: readonly MessageWithParts[], place: number): string | undefined =>
  history
    .filter(({ message }) => message.role === "user" && message.disposition !== "settled")
    .at(-place)?.message.id;

const bad = (command: string, reason: string) =>
  HostError.make("bad_argument", { command, reason });
