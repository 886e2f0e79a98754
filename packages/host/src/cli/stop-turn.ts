/** Ctrl-C on a turn: the first ends it and keeps what was said, the second leaves at once. */
import type { MessageId, SessionId } from "@galley/parts";
import { ClientError } from "../client/client-error.ts";
import type { Client } from "../client/create-client.ts";
import type { Io } from "./io.ts";

export interface Interrupt {
  came(): boolean;
  /** Stops listening, and waits for what the interrupt began. */
  end(): Promise<void>;
}

export function onceInterrupted(io: Io, stop: () => Promise<void>): Interrupt {
  let stopping: Promise<void> | undefined;
  const unlisten = io.onInterrupt(["SIGINT"], () => {
    stopping = stop().catch((error: Error) => io.err(`galley: ${error.message}`));
  });
  return {
    came: () => stopping !== undefined,
    async end() {
      unlisten();
      await stopping;
    },
  };
}

/** Takes the message back while it waits; else ends its own turn, and no other. */
export async function stopTurn(
  client: Client,
  session: SessionId,
  message: MessageId,
): Promise<void> {
  try {
    return await client.queue.cancel(session, message);
  } catch (error) {
    if (!isConflict(error)) throw error;
  }
  const { state, message_id = message } = await client.status(session);
  const runs = state === "busy" || state === "retrying";
  if (!runs || message_id !== message) return;
  await client.abort(session).catch((error: unknown) => {
    // It came to its end by itself.
    if (!isConflict(error)) throw error;
  });
}

const isConflict = (error: unknown): boolean =>
  ClientError.is(error, "problem") && error.data.status === 409;
