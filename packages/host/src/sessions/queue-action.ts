/** `/queue`: the messages that wait, shown, dropped one by one, or all of them. */
import type { ActionCall } from "@galley/compose";
import { isPart, type UserPart } from "@galley/parts";
import type { MessageWithParts } from "@galley/persist";
import { HostError } from "../host-error.ts";
import { type Action, restOf } from "./host-action.ts";

export const queueAction: Action = async (call, session, _errand, { live }) => {
  const { entries, paused, stop_policy } = await live.queue(session.id);
  switch (verbOf(call)) {
    case "list":
      return { paused, stop_policy, waiting: entries.map(shown) };
    case "clear":
      for (const { message } of entries) await live.cancel(session.id, message.id);
      return { dropped: entries.map(({ message }) => message.id) };
    case "drop": {
      const { message } = entryIn(call, entries);
      await live.cancel(session.id, message.id);
      return { dropped: [message.id] };
    }
  }
};

const wordsIn = (call: ActionCall): readonly string[] => restOf(call).split(/\s+/).filter(Boolean);

const VERBS = ["list", "clear", "drop"] as const;

/** Throws where there is no such one. */
export function verbOf(call: ActionCall): (typeof VERBS)[number] {
  const [said = "list"] = wordsIn(call);
  const verb = VERBS.find((each) => each === said);
  if (verb === undefined) throw bad(call.id, `${said} is not one of list, clear, drop N`);
  return verb;
}

/** What `drop N` names; throws where nothing stands in that place. */
export function entryIn(call: ActionCall, entries: readonly MessageWithParts[]): MessageWithParts {
  const place = wordsIn(call)[1] ?? "";
  const entry = /^[1-9]\d*$/.test(place) ? entries[Number(place) - 1] : undefined;
  if (!entry) throw bad(call.id, `drop takes a number from 1 to ${entries.length}`);
  return entry;
}

const bad = (command: string, reason: string) =>
  HostError.make("bad_argument", { command, reason });

const MOST_SHOWN = 80;

const shown = ({ message, parts }: MessageWithParts, index: number) => ({
  place: index + 1,
  id: message.id,
  text: parts
    .map(({ data_json }) => JSON.parse(data_json) as UserPart)
    .map(wordsOf)
    .join(" ")
    .slice(0, MOST_SHOWN),
});

function wordsOf(part: UserPart): string {
  if (!isPart(part)) return "";
  return part.type === "text" ? part.text : part.type === "command" ? part.id : `[${part.type}]`;
}
