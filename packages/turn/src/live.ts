/**
 * What a process can do with its sessions, as one port: HTTP, ACP and the command line call these.
 * Everything is refused with a `turn.*` error or done; reading never starts work.
 */
import type {
  HostEvent,
  MessageId,
  ModelChoice,
  SessionId,
  SessionRow,
  SessionStatus,
  Trigger,
  UserMessage,
  UserPart,
} from "@galley/parts";
import type { MessageWithParts } from "@galley/persist";
import type { StopPolicy } from "@galley/queue";
import type { LiveTurn } from "./recording.ts";

export type NewLiveSession = {
  readonly id?: SessionId;
  readonly agent?: string;
  readonly workspace?: string;
  readonly model?: ModelChoice;
  readonly title?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
};

export type Submission = {
  /** Composed and checked; its id, when it has one, is the key under which a retry is known. */
  readonly message: UserMessage;
  /** What the client sent, where composing changed it: a retry is compared with this. */
  readonly payload?: unknown;
  /** For this message and those after it. */
  readonly model?: ModelChoice;
  /** Absent on a person's message. */
  readonly trigger?: Trigger;
  /** False for host actions alone: recorded in its place, and no turn begins. */
  readonly turn?: boolean;
};

export type Submitted = {
  readonly message_id: MessageId;
  readonly disposition: "fired" | "queued" | "settled";
  /** 1: the next to fire; while it waits. */
  readonly position?: number;
};

export type QueueReport = {
  readonly entries: readonly MessageWithParts[];
  /** Why the next one does not fire by itself. */
  readonly paused: "hold" | "error" | null;
  readonly stop_policy: StopPolicy;
};

export type Answer =
  | {
      readonly tool_call_id: string;
      readonly decision: "allow" | "deny";
      readonly scope?: "once" | "session";
    }
  | { readonly tool_call_id: string; readonly answers: readonly (readonly string[])[] };

export type RewindMode = "resend" | "edit";

/** `rewind_id` is what undoes it; null when there was nothing to hide. */
export type RewoundToResend = Submitted & {
  readonly mode: "resend";
  readonly rewind_id: string | null;
};

export type RewoundToEdit = {
  readonly mode: "edit";
  readonly rewind_id: string | null;
  /** The message that was hidden, and its parts for the next one. */
  readonly message_id: MessageId;
  readonly draft: { readonly parts: readonly UserPart[] };
};

export type Rewound = RewoundToResend | RewoundToEdit;

export type Unrewound = {
  /** What brings the branch back that was visible before; null when there was none. */
  readonly rewind_id: string | null;
  /** The messages that can be seen again. */
  readonly shown: readonly MessageId[];
};

export type Fork = {
  /** The last message that is taken along; the last settled one when absent. */
  readonly from_message_id?: MessageId;
  readonly title?: string;
  /** `ephemeral: true` makes a sidecar, which may be opened while the parent runs. */
  readonly metadata?: Readonly<Record<string, unknown>>;
};

export type QueuePlace = { readonly before: MessageId } | { readonly after: MessageId };

export interface LiveSessions {
  create(session: NewLiveSession): Promise<SessionRow>;
  /** Persisted when it resolves; fired or queued in the same transaction. */
  submit(id: SessionId, submission: Submission): Promise<Submitted>;
  cancel(id: SessionId, message_id: MessageId): Promise<void>;
  edit(id: SessionId, message_id: MessageId, parts: readonly UserPart[]): Promise<void>;
  move(id: SessionId, message_id: MessageId, place: QueuePlace): Promise<void>;
  queue(id: SessionId): Promise<QueueReport>;
  status(id: SessionId): Promise<SessionStatus>;
  abort(id: SessionId, options?: { readonly clear_queue?: boolean }): Promise<void>;
  /** The failed message again; its partial answer is hidden. */
  retry(id: SessionId): Promise<Submitted>;
  /** Hides every message after this one and answers it anew. */
  resend(id: SessionId, message_id: MessageId): Promise<RewoundToResend>;
  /** `resend`: as above. `edit`: hides the message too, and gives what it was made of. */
  rewind(id: SessionId, to_message_id: MessageId, mode: RewindMode): Promise<Rewound>;
  /** Undoes the latest rewind, or the named one: its branch and the present one change places. */
  unrewind(id: SessionId, rewind_id?: string): Promise<Unrewound>;
  /** A session of its own that begins with what can be seen here up to a message. */
  fork(id: SessionId, fork: Fork): Promise<SessionRow>;
  /** A sidecar becomes a session like any other. */
  promote(id: SessionId): Promise<SessionRow>;
  resume(id: SessionId): Promise<void>;
  answer(id: SessionId, answer: Answer): Promise<void>;
  dismiss(id: SessionId, tool_call_id: string): Promise<void>;
  setStopPolicy(id: SessionId, policy: StopPolicy): Promise<void>;
  archive(id: SessionId, archived: boolean): Promise<SessionRow>;
  /** Stops what runs, then deletes everything. */
  delete(id: SessionId): Promise<void>;
  /** The running segment, if any. */
  live(id: SessionId): LiveTurn | undefined;
  /** Every event of every session, from now on; a listener that throws harms nobody else. */
  listen(heard: (event: HostEvent) => void): () => void;
  /** Closes what a dead process left running and kicks the queues; called once, at the start. */
  start(): Promise<void>;
  /**
   * Takes nothing more; waits for what runs, at most so long, then ends it. Its record is kept, and
   * the next start closes it and goes on with the queue.
   */
  close(grace_ms: number): Promise<void>;
}
