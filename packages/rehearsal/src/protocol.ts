/**
 * What a wire protocol is to this package: a value that knows how to refuse, to read and to answer.
 *
 * The server, the faults and the record know protocols only through this interface; everything in a
 * provider's own words lives in the folder of that provider.
 */
import type { Heard } from "./heard.ts";
import type { RehearsalModel } from "./model.ts";
import type { StoredItems } from "./openai-responses/stored.ts";
import type { Complaint, RequestHeaders } from "./refuse.ts";
import type { Said } from "./said.ts";
import type { CountTokens } from "./tokens.ts";
import type { WireEvent } from "./wire.ts";

export type ProtocolId =
  | "anthropic-messages"
  | "openai-responses"
  | "openai-chat"
  | "gemini-generate";

/** What the address of a request says, where the protocol puts it there (Gemini). */
export type Target = {
  readonly model?: string;
  readonly stream?: boolean;
  /** `alt=sse`; without it a Gemini stream is one JSON array. */
  readonly sse?: boolean;
  readonly key?: string;
};

/** Everything a protocol may look at besides the body. */
export type Setting = {
  readonly headers: RequestHeaders;
  readonly target: Target;
  readonly findModel: (id: string) => RehearsalModel | undefined;
  readonly countTokens: CountTokens;
  readonly verifySeals: boolean;
  readonly stored: StoredItems;
};

/** A fault that a script asks for, in the words of the provider. */
export type FaultStatus = 429 | 500 | 503 | 529;

export interface Protocol {
  readonly id: ProtocolId;
  readonly maxBodyBytes: number;
  readonly refuseSize: (limit: number) => Complaint;
  readonly refuseJson: (reason: string) => Complaint;
  /** Keys and version headers: checked before the body is looked at. */
  readonly admit: (setting: Setting) => Complaint | undefined;
  readonly read: (body: unknown, setting: Setting) => Complaint | Heard;
  readonly whole: (said: Said, heard: Heard) => unknown;
  readonly events: (said: Said, heard: Heard) => readonly WireEvent[];
  readonly fault: (status: FaultStatus, retryAfterSeconds?: number) => Complaint;
  /** What the provider sends in the middle of a stream that has gone wrong. */
  readonly errorEvent: (at: number) => WireEvent;
  readonly errorBody: (complaint: Complaint, requestId: string) => unknown;
  readonly replyHeaders: (requestId: string) => Readonly<Record<string, string>>;
}
