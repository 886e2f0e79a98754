/** `galley session fork|promote|rewind|unrewind`: back to an earlier message, and into a copy. */
import type { MessageId, SessionId } from "@galley/parts";
import { type Io, json } from "./io.ts";
import { printTurns, type RunFlags } from "./session-run.ts";
import { withHost } from "./with-host.ts";

export type ForkFlags = RunFlags & { readonly title?: string; readonly sidecar?: boolean };

export function forkSession(
  id: SessionId,
  message: MessageId | undefined,
  flags: ForkFlags,
  io: Io,
): Promise<number> {
  const { title, sidecar } = flags;
  return withHost(flags, io, async ({ client }) => {
    const session = await client.fork(id, {
      ...(message !== undefined && { from_message_id: message }),
      ...(title !== undefined && { title }),
      ...(sidecar && { metadata: { ephemeral: true } }),
    });
    await io.out(flags.json ? json(session) : `${session.id}\n`);
    return 0;
  });
}

export function promoteSession(id: SessionId, flags: RunFlags, io: Io): Promise<number> {
  return withHost(flags, io, async ({ client }) => {
    const session = await client.promote(id);
    if (flags.json) await io.out(json(session));
    return 0;
  });
}

export type RewindFlags = RunFlags & { readonly resend?: boolean };

export function rewindSession(
  id: SessionId,
  message: MessageId,
  flags: RewindFlags,
  io: Io,
): Promise<number> {
  return withHost(flags, io, async ({ client }) => {
    const rewound = await client.rewind(id, message, flags.resend ? "resend" : "edit");
    if (rewound.mode === "resend") {
      const { message_id } = rewound;
      return printTurns(client, id, [{ message_id, fired: true }], flags, io);
    }
    // The message in the shape that `galley proof` and the API take back.
    const draft = { role: "user", parts: rewound.draft.parts };
    await io.out(json(flags.json ? rewound : draft));
    return 0;
  });
}

export function unrewindSession(
  id: SessionId,
  rewind: string | undefined,
  flags: RunFlags,
  io: Io,
): Promise<number> {
  return withHost(flags, io, async ({ client }) => {
    const undone = await client.unrewind(id, rewind);
    if (flags.json) await io.out(json(undone));
    return 0;
  });
}
