/** `galley queue …`: the messages of a session that wait for their turn. */
import type { MessageId, SessionId } from "@galley/parts";
import type { QueuePlace } from "../client/answers.ts";
import { HostError } from "../host-error.ts";
import { type Io, json } from "./io.ts";
import type { CommonFlags } from "./open-pipeline.ts";
import { shortText } from "./print-session.ts";
import { table } from "./table.ts";
import { UsageError } from "./usage.ts";
import { LOOKS_ONLY, withHost } from "./with-host.ts";

type QueueFlags = CommonFlags & { readonly json?: boolean };

export function listQueue(session: SessionId, flags: QueueFlags, io: Io): Promise<number> {
  return withHost(
    flags,
    io,
    async ({ client }) => {
      const queue = await client.queue.list(session);
      if (flags.json) {
        await io.out(json(queue));
        return 0;
      }
      const rows = queue.entries.map(({ id, parts }, index) => [
        String(index + 1),
        id,
        shortText(parts),
      ]);
      await io.out(table(["place", "message", "says"], rows));
      if (queue.paused !== null) {
        io.err(`galley: paused (${queue.paused}): galley session resume ${session} goes on`);
      }
      return 0;
    },
    LOOKS_ONLY,
  );
}

export function cancelQueued(
  session: SessionId,
  message: MessageId,
  flags: QueueFlags,
  io: Io,
): Promise<number> {
  return withHost(flags, io, async ({ client }) => {
    await client.queue.cancel(session, message);
    return 0;
  });
}

/** Its words become these, as they are: commands were for the time at which it was sent. */
export function editQueued(
  session: SessionId,
  message: MessageId,
  words: readonly string[],
  flags: QueueFlags,
  io: Io,
): Promise<number> {
  const text = words.join(" ");
  if (text.trim() === "") throw HostError.make("empty_message", {});
  return withHost(flags, io, async ({ client }) => {
    await client.queue.edit(session, message, [{ type: "text", text }]);
    return 0;
  });
}

export type MoveFlags = QueueFlags & { readonly before?: MessageId; readonly after?: MessageId };

export function moveQueued(
  session: SessionId,
  message: MessageId,
  flags: MoveFlags,
  io: Io,
): Promise<number> {
  const place = placeOf(flags);
  return withHost(flags, io, async ({ client }) => {
    await client.queue.move(session, message, place);
    return 0;
  });
}

function placeOf({ before, after }: MoveFlags): QueuePlace {
  if (before !== undefined && after === undefined) return { before };
  if (after !== undefined && before === undefined) return { after };
  throw new UsageError("give --before or --after with another message's id");
}
