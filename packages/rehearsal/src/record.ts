/**
 * What the server received, byte for byte, and what became of it.
 *
 * Bounded, so that a long session does not fill the memory; what is let go is counted. Keys travel in
 * the headers: the record lives in memory and is written nowhere.
 */
import type { ProtocolId } from "./protocol.ts";

export type Received = {
  /** 0-based, in order of arrival; it keeps counting when old entries are let go. */
  readonly index: number;
  /** Undefined when no protocol stands at the path. */
  readonly protocol: ProtocolId | undefined;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
  /** False when reading stopped at the size limit or the client left. */
  readonly isWhole: boolean;
  readonly status: number;
  readonly accepted: boolean;
  /** How the reply ended, as far as it has. */
  readonly ending: "open" | "sent" | "cut" | "client-left" | "server-closed";
};

export interface Recorder {
  readonly received: readonly Received[];
  readonly released: () => number;
  /** Returns the door through which the ending is told. */
  add(entry: Omit<Received, "index" | "ending">): (ending: Received["ending"]) => void;
}

export function recorder(kept: number): Recorder {
  const received: Received[] = [];
  let count = 0;
  return {
    received,
    released: () => count - received.length,
    add(entry) {
      const row = { ...entry, index: count++, ending: "open" as Received["ending"] };
      received.push(row);
      if (received.length > kept) received.shift();
      return (ending) => {
        row.ending = ending;
      };
    },
  };
}
