/**
 * What a surface of the host saw when it looked: one fact of its state, before it is a part.
 *
 * A sample says what is, not whether it goes along; that is the policy's. Of one surface there may
 * be several samples of one kind, as when two things are selected: together they are one fact.
 */
import type { Range } from "@galley/parts";
import type { Json } from "../draft.ts";

export type JsonObject = { readonly [key: string]: Json };

type Sampled = {
  /** `selection`, `open`, `cursor`, `viewport`, `last-action`, `history`, …: the host's word. */
  readonly kind: string;
  /** Which surface of the editor: a panel, a document. */
  readonly source?: string;
  /** Epoch ms. */
  readonly emitted_at: number;
};

export type StateSample = Sampled & { readonly payload: JsonObject; readonly file?: never };

/** A state that is a piece of a file, and nothing besides. */
export type SliceSample = Sampled & {
  readonly payload?: never;
  readonly file: {
    readonly path: string;
    readonly range: Range;
    /**
     * The host's name for what the file holds now: a hash, a count of edits. Without it nobody can
     * say that a slice is the same as before.
     */
    readonly revision?: string;
    /** The slice as the editor shows it, where the file on disk does not hold it yet. */
    readonly unsaved?: string;
  };
};

export type EditorSample = StateSample | SliceSample;

/** Kind and source: what one fact is about. */
export const subjectOf = ({ kind, source }: Pick<EditorSample, "kind" | "source">): string =>
  JSON.stringify([kind, source ?? null]);
