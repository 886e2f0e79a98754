/**
 * What the model says, before it is put on a wire: the result of one script step.
 *
 * Ids are derived from the number of the answer, so a run gives the same bytes every time.
 */
export type SaidCall = { readonly id: string; readonly name: string; readonly input: unknown };

export type Usage = {
  /** Everything that was read, cached or not. */
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Everything that was written, reasoning included. */
  readonly output: number;
  readonly reasoning: number;
};

export type Said = {
  /** 1-based number of the answer. */
  readonly number: number;
  readonly createdSeconds: number;
  readonly reasoning: string | undefined;
  /** The text, in the pieces in which it is streamed. */
  readonly chunks: readonly string[];
  readonly toolCalls: readonly SaidCall[];
  readonly refusal: string | undefined;
  readonly stop: "stop" | "length" | "tool-calls" | "refusal";
  readonly usage: Usage;
};

export const saidText = (said: Said): string => said.chunks.join("");

/** `msg_rehearsal_000007`: unique within a server, sortable, the same in every run. */
export const saidId = (prefix: string, number: number, part?: string | number): string =>
  `${prefix}_rehearsal_${String(number).padStart(6, "0")}${part === undefined ? "" : `_${part}`}`;

/** Arguments arrive in at least two pieces, so that a reader which does not join them is seen. */
export function jsonPieces(input: unknown): [string, string] {
  const json = JSON.stringify(input ?? {});
  const half = Math.ceil(json.length / 2);
  // Never between the two halves of one character.
  const middle = /[\udc00-\udfff]/.test(json.charAt(half)) ? half + 1 : half;
  return [json.slice(0, middle), json.slice(middle)];
}
