/**
 * What the budget may leave out of a laid-out history, and the history without it.
 *
 * Old means: a tool result before the last rounds, an attachment before the message that is
 * answered. A message of which something is left out is a new object, the same one every time.
 */
import type { BudgetPolicy, Candidate, LeftOut } from "./budget.ts";
import type { ContextMessage } from "./context.ts";
import { derivation } from "./derive.ts";
import { type Measure, NO_TOKENS, tokensOf } from "./estimate.ts";
import type { Line } from "./filters.ts";
import type { Laid } from "./lay-out.ts";
import type { ElisionRecord, ManifestBlock } from "./manifest.ts";

/** A block that may be left out, and where it stands: `index` counts in `laid`. */
export type Placed = Candidate & { readonly index: number; readonly part: number };

/** What a block is remembered by; one without a message id, by its place and its content. */
function idOf({ line: { message, at } }: Laid, part: number, digest: string | undefined): string {
  return message.id === undefined ? `#${at}/${part}:${digest}` : `${message.id}/${part}`;
}

/** The oldest first. `task` is the first block of the message that is answered. */
export function candidatesOf(
  laid: readonly Laid[],
  task: number,
  { rounds, keeps }: Pick<BudgetPolicy, "rounds" | "keeps">,
): Placed[] {
  const all = laid.reduce((sum, { facts }) => sum + facts.rounds, 0);
  const kept = new Set(keeps);
  const found: Placed[] = [];
  let before = 0;
  laid.forEach((one, index) => {
    const { facts, start, measures } = one;
    if (facts.hasElidable) {
      facts.blocks.forEach(({ elidable, block }, part) => {
        if (!elidable) return;
        const { stage, name, round = 0, tokens, line, left } = elidable;
        const isOld = stage === "attachment" ? start < task : before + round < all - rounds;
        if (!isOld || (stage === "tool-result" && kept.has(name))) return;
        const id = idOf(one, part, block.digest);
        const elision = { tokens, line };
        const measure = measures[part] ?? NO_TOKENS;
        found.push({ id, stage, measure, elision, left, index, part });
      });
    }
    before += facts.rounds;
  });
  return found;
}

export type Elided = {
  readonly lines: readonly Line[];
  readonly blocks: readonly ManifestBlock[];
  readonly records: readonly ElisionRecord[];
};

export function leaveOut(
  laid: readonly Laid[],
  blocks: readonly ManifestBlock[],
  leftOut: readonly LeftOut<Placed>[],
): Elided {
  const lines = laid.map(({ line }) => line);
  if (leftOut.length === 0) return { lines, blocks, records: [] };
  const changed = [...blocks];
  const byLine = new Map<number, Record<number, string>>();
  const records = leftOut.map(({ index, part, stage, elision, left, fresh }): ElisionRecord => {
    const block = (laid[index]?.start ?? 0) + part;
    const old = changed[block] as ManifestBlock;
    const { tokens, line: why } = elision;
    changed[block] = elidedBlock(old, why, left);
    const out = byLine.get(index) ?? { ...laid[index]?.line.message.elided };
    out[part] = why;
    byLine.set(index, out);
    const about = old.message_id === undefined ? {} : { message_id: old.message_id };
    return { block, ...about, part, stage, tokens, fresh };
  });
  for (const [index, elided] of byLine) {
    const line = lines[index] as Line;
    const make = (): ContextMessage => ({ ...line.message, elided });
    const message = elisions.of(line.message, JSON.stringify(elided), make);
    lines[index] = { ...line, message };
  }
  return { lines, blocks: changed, records: records.toSorted((a, b) => a.block - b.block) };
}

const elisions = derivation();

/** The same object each time, so that two manifests are compared at a glance. */
const made = new WeakMap<ManifestBlock, ManifestBlock>();

function elidedBlock(block: ManifestBlock, why: string, left: Measure): ManifestBlock {
  const known = made.get(block);
  const tokens = tokensOf(left);
  if (known?.why === why && known.tokens === tokens) return known;
  const fresh: ManifestBlock = { ...block, tokens, outcome: "elided", why };
  made.set(block, fresh);
  return fresh;
}
