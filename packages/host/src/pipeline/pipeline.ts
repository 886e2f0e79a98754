/**
 * What every surface of the host can do with a message, as one port: the CLI, the HTTP API and the
 * page call these and nothing below them, so that they cannot differ.
 */
import type { Manifest } from "@galley/assemble";
import type { ComposeHost, Draft } from "@galley/compose";
import type { Outcome, UiChunk, UserPart } from "@galley/parts";
import type { ModelProfile } from "@galley/shape";
import type { CommandList, ComposedMessage } from "../compositor/compositor.ts";
import type { GivenSample } from "../compositor/context-samples.ts";
import type { FoundMentions } from "../compositor/mention-search.ts";

/** The command line's and the API's way to say a message: text first, then what goes with it. */
export type ComposeInput = {
  /** As it was typed: commands and mentions are looked for in it. */
  readonly text?: string;
  /** Typed text, pastes and parts in any order; it follows `text`. */
  readonly draft?: Draft;
  /** `PATH` or `PATH:10-25`, in the grammar of ranges. */
  readonly refs?: readonly string[];
  /** Paths of files whose bytes go with the message. */
  readonly attach?: readonly string[];
  /** Parts that are structured already; they follow the rest, in order. */
  readonly parts?: readonly UserPart[];
  /** What the editor showed: `@selection` and the like stand for it, and what none names follows. */
  readonly editorContext?: readonly GivenSample[];
  /** Typed text is text: nothing is looked for in it. */
  readonly plain?: boolean;
};

export const STAGES = ["composed", "persisted", "assembled", "lowered", "wire"] as const;
export type Stage = (typeof STAGES)[number];

export type ProofOptions = {
  /** `provider/model`; the default model when absent. */
  readonly model?: string;
};

export type ProofRequest = {
  readonly method: string;
  readonly url: string;
  /** Secrets are `***`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, parsed; `body_text` is the same to the byte. */
  readonly body: unknown;
};

export type Proof = {
  readonly provider: string;
  readonly model: string;
  readonly request: ProofRequest;
  readonly outcomes: readonly Outcome[];
  readonly manifest: Manifest;
  /** The exact text of the body; `outcomes[].bytes` counts in its UTF-8 bytes. */
  readonly body_text: string;
  readonly body_sha256: string;
  /** What each stage made, by its name. `lowered` and `wire` are given with the rest of the proof. */
  readonly stages: { readonly [S in Stage]: unknown };
};

export type Finding = {
  readonly name: string;
  readonly status: "ok" | "missing" | "warning";
  readonly says: string;
  /** What to do about it. */
  readonly mend?: string;
};

export interface Pipeline {
  /** Without somebody to run them it runs nothing: a host action is recorded as not run. */
  compose(input: ComposeInput, act?: ComposeHost["act"]): Promise<ComposedMessage>;
  /** What can be typed behind a `/`, for a beginning of it or for none. */
  commands(prefix: string): Promise<CommandList>;
  /** What can be typed behind an `@`, the best first. */
  mentions(query: string, limit: number): Promise<FoundMentions>;
  /** Takes a message, or anything else that claims to be one: it is checked here. */
  proof(message: unknown, options: ProofOptions): Promise<Proof>;
  /** One proof for each built-in provider: anthropic, openai, openai-chat, gemini. */
  proofAll(message: unknown): Promise<readonly Proof[]>;
  send(message: unknown, options: ProofOptions & { signal?: AbortSignal }): AsyncIterable<UiChunk>;
  models(): readonly ModelProfile[];
  doctor(): Promise<readonly Finding[]>;
  /** Ends what was started on the way, such as the embedded offline model. */
  close(): Promise<void>;
}
