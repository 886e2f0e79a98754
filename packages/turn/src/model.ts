/** The port through which a turn reaches models: found by name, printed to bytes, sent once. */
import type { AssembledContext, UserContext } from "@galley/assemble";
import type { ModelChoice, Outcome, SessionId, UiChunk } from "@galley/parts";
import type { ModelProfile } from "@galley/shape";

/** A request as it goes out. The bytes that are kept are the bytes that are sent. */
export interface PrintedRequest {
  readonly method: string;
  readonly url: string;
  /** Secrets are `***`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** What became of every part of every message. */
  outcomes(): readonly Outcome[];
  /**
   * One try. Batches as they arrive, each what one read of the wire gave; trouble after the first is
   * a chunk. Throws `send.refused` or `send.unreachable` when there is no answer.
   */
  send(signal: AbortSignal): AsyncIterable<readonly UiChunk[]>;
}

/** One model in one session. It may keep what it printed, so that a request costs what is new. */
export interface OpenModel {
  readonly profile: ModelProfile;
  /** The message as this model can take it; the same object where nothing had to change. */
  fit(message: UserContext): Promise<UserContext>;
  /** Throws a GalleyError where the request cannot be made, for example without a key. */
  print(context: AssembledContext): Promise<PrintedRequest>;
}

export interface ModelPort {
  /** Throws a GalleyError that says what to do when the name leads nowhere. */
  open(choice: ModelChoice, session: SessionId): Promise<OpenModel>;
}
