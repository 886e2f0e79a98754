/**
 * The manifest: the account of one send. Every part that came in stands in `blocks` exactly once and
 * in order, whatever became of it; what was put in by us stands in `added`.
 *
 * Tokens of layers, tools, blocks and pins are measured, without calibration, so that the same text
 * has the same size in every manifest; `estimate` is calibrated, and is their sum where nothing is.
 */
import type { ByteRange, OutcomeKind } from "@galley/parts";
import type { Measure } from "./estimate.ts";
import type { Settlement } from "./settle-history.ts";

export type ManifestBlock = {
  readonly message_id?: string;
  /** A system row in a history is accounted for; it is never part of a request. */
  readonly role: "user" | "assistant" | "system";
  readonly part: number;
  readonly type: string;
  readonly tokens: number;
  /** Changes when what the model would be shown of it changes. */
  readonly digest?: string;
  /** What the assembler made of it; without one it goes on, and lowering decides. */
  readonly outcome?: OutcomeKind;
  readonly why?: string;
  /** Its whole message stays behind: no part of the context stands for it. */
  readonly placed?: false;
  /** Where it stands in the body; told by lowering. */
  readonly bytes?: readonly ByteRange[];
};

export type ManifestLayer = {
  readonly id: string;
  readonly tokens: number;
  readonly digest?: string;
};

export type ManifestTool = {
  readonly name: string;
  readonly tokens: number;
  readonly digest?: string;
};

export type ManifestPin = {
  readonly id: string;
  readonly tokens: number;
  readonly digest: string;
  readonly failed?: string;
};

/** Something that was left out or put right, and why. `block` counts in `blocks`. */
export type FilterRecord = {
  readonly block?: number;
  readonly message_id?: string;
  readonly part?: number;
  readonly why: string;
};

/** Neighbours of one role share a message on the wire. */
export type Merge = {
  readonly role: "user" | "assistant";
  /** The first block of the message that follows its like. */
  readonly block: number;
  readonly message_id?: string;
};

export type ElisionRecord = {
  readonly block: number;
  readonly message_id?: string;
  readonly part: number;
  readonly stage: "tool-result" | "attachment";
  /** What was left out, counted when it was. */
  readonly tokens: number;
  /** Decided by this send; the others were left out before, and stay so. */
  readonly fresh: boolean;
};

/** Something of the request that could not be had. */
export type Failure = {
  readonly block?: number;
  readonly pin?: string;
  readonly why: string;
};

/** Parts of the context that came from no block: they stand before `block`. */
export type Added = {
  readonly what: "opening" | "pins";
  readonly block: number;
  readonly parts: number;
  /** Of pins: the message that they stand in. */
  readonly anchor?: "typed" | "carrier" | "synthetic";
  readonly digest: string;
  readonly tokens: number;
};

/** Why a request that is too large cannot be made to fit. */
export type Refusal = {
  readonly estimate: number;
  readonly limit: number;
  readonly floor: number;
  readonly ways_out: readonly string[];
};

/** What differs from the request before, and what a provider's cache makes of it. */
export type Changed = {
  /** Tokens in front that are the same as before. */
  readonly same_tokens: number;
  /** Tokens of the request before that are not found again in their place. */
  readonly lost_tokens: number;
  /** Where the two part; absent when the request before is the beginning of this one. */
  readonly first?: {
    readonly kind: "tool" | "layer" | "block" | "added";
    /** The tool's name, the layer's id, or what was added. */
    readonly name?: string;
    readonly block?: number;
  };
  readonly why: string;
  /** Of the body: the first byte that differs from the one before, and the block it belongs to. */
  readonly first_byte?: number;
  readonly byte_block?: number;
};

/** What every manifest has, also one that an older version stored. */
type Core = {
  readonly layers: readonly ManifestLayer[];
  readonly tools: readonly ManifestTool[];
  readonly blocks: readonly ManifestBlock[];
  /** Tokens of input, and how many fit beside the longest answer. */
  readonly estimate: number;
  readonly limit: number;
  readonly over_limit: boolean;
  /** What was changed in the history so that a provider takes it. */
  readonly settlements: readonly Settlement[];
};

type Account = {
  readonly pins: readonly ManifestPin[];
  /** The message that is answered: its blocks, half open. */
  readonly task: { readonly blocks: readonly [number, number]; readonly tokens: number };
  readonly added: readonly Added[];
  readonly filters: readonly FilterRecord[];
  readonly merges: readonly Merge[];
  readonly elisions: readonly ElisionRecord[];
  readonly failures: readonly Failure[];
  /** The input by class of character: what the provider's count is held against. */
  readonly measured: Measure;
  /** The estimate of all that may not be left out. */
  readonly floor: number;
  /** How far the next request will be the same, if nothing but answers and messages come. */
  readonly cache_boundary: { readonly block: number; readonly tokens: number };
  readonly refusal?: Refusal;
  readonly changed?: Changed;
};

export type Manifest = Core & Partial<Account>;
export type SendManifest = Core & Account;
