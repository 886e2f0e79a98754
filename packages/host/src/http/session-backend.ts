/**
 * What the routes of sessions need from the host that they stand in, as one port. The sessions
 * decide, the store is only read beside them; composing and the names of models are the host's.
 */
import type { HostActionRecord, Note } from "@galley/compose";
import type { MessageId, ModelChoice, SessionId } from "@galley/parts";
import type { Store } from "@galley/persist";
import type { LiveSessions, Submitted } from "@galley/turn";
import type { ComposeInput } from "../pipeline/pipeline.ts";

export type SubmitInput = {
  /** The key under which a retry is known; minted when absent. */
  readonly id?: MessageId;
  /** The message in words, parts, or both; commands are settled on the way. */
  readonly input: ComposeInput;
  /** `provider/model`; the session's own when absent. */
  readonly model?: string;
  /** The request as the client sent it: a retry under the same id is compared with this. */
  readonly payload: unknown;
};

/** `Submitted`, and what composing had to say. Both are empty for a retry of a known id. */
export type SubmitAnswer = Submitted & {
  readonly notes: readonly Note[];
  readonly actions: readonly HostActionRecord[];
};

export interface SessionBackend {
  readonly live: LiveSessions;
  readonly store: Store;
  submit(id: SessionId, submission: SubmitInput): Promise<SubmitAnswer>;
  /** Throws a `host.*` error that names the nearest when `provider/model` leads nowhere. */
  modelOf(name: string): ModelChoice;
  /** Epoch ms. */
  now(): number;
}
