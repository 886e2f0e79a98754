/**
 * The manifest with what lowering made of each block: its outcome, its bytes, and why the model is
 * shown less. What lowering took out or could not show is on record here like what the assembler did.
 *
 * It reads stored manifests as well: blocks and outcomes are in the same order, `added` says where
 * outcomes stand that belong to no block.
 */
import { type ByteRange, defineErrors, type Outcome } from "@galley/parts";
import type { Failure, FilterRecord, Manifest, ManifestBlock } from "./manifest.ts";

export const AccountError = defineErrors("account", {
  uneven: (data: { outcomes: number; expected: number }) =>
    `a request with ${data.outcomes} outcomes is not the one whose manifest expects ${data.expected}`,
});

/** Throws `account.uneven` when the outcomes are of another request. */
export function accountFor<M extends Manifest>(manifest: M, outcomes: readonly Outcome[]): M {
  const filters: FilterRecord[] = [];
  const failures: Failure[] = [];
  let next = 0;
  const added = Map.groupBy(manifest.added ?? [], ({ block }) => block);
  const skip = (block: number): void => {
    for (const { parts } of added.get(block) ?? []) next += parts;
  };
  const blocks = manifest.blocks.map((block, at): ManifestBlock => {
    skip(at);
    if (block.placed === false) return block;
    const outcome = outcomes[next];
    next += 1;
    if (!outcome || block.outcome === "resolved-out") return block;
    const why = outcome.note ?? block.why;
    const about = { block: at, ...idOf(block), part: block.part };
    if (outcome.outcome === "resolved-out" && why !== undefined) filters.push({ ...about, why });
    if (outcome.outcome === "placeholder") failures.push({ block: at, why: why ?? "unknown" });
    const { bytes } = outcome;
    return { ...block, outcome: outcome.outcome, ...(why !== undefined && { why }), bytes };
  });
  skip(manifest.blocks.length);
  if (next !== outcomes.length) {
    throw AccountError.make("uneven", { outcomes: outcomes.length, expected: next });
  }
  const ofPins = (manifest.failures ?? []).filter(({ pin }) => pin !== undefined);
  return {
    ...manifest,
    blocks,
    filters: [...(manifest.filters ?? []), ...filters],
    failures: [...failures, ...ofPins],
  };
}

const idOf = ({ message_id }: ManifestBlock) => (message_id === undefined ? {} : { message_id });

/** The block that a byte of the body belongs to; undefined in the envelope and between blocks. */
export function blockAtByte(
  { blocks }: Pick<Manifest, "blocks">,
  byte: number,
): number | undefined {
  const holds = ([from, to]: ByteRange): boolean => from <= byte && byte < to;
  const found = blocks.findIndex(({ bytes }) => bytes?.some(holds));
  return found < 0 ? undefined : found;
}
