/** What composing a draft gives: a message, or an error and the draft as it was. */
import type { GalleyError, UserMessage } from "@galley/parts";
import type { Draft, Json } from "./draft.ts";
import type { Note } from "./note.ts";
import type { CommandArgs } from "./template/tree.ts";

/** A host action that a message asked for. */
export type HostActionRecord = {
  /** Index of the command in the message. */
  readonly part: number;
  readonly id: string;
  readonly action: string;
  readonly args: CommandArgs;
  /** `ran`: done. `deferred`: queued by the host. `not-run`: this host only looks. */
  readonly state: "ran" | "deferred" | "not-run";
  readonly result?: Json;
};

export type Composed =
  | {
      readonly ok: true;
      readonly message: UserMessage;
      readonly actions: readonly HostActionRecord[];
      readonly notes: readonly Note[];
      /** False when the message holds host actions alone: it is recorded, and nothing fires. */
      readonly turn: boolean;
    }
  | { readonly ok: false; readonly error: GalleyError; readonly draft: Draft };
