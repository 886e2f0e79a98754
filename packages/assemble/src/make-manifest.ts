/** The manifest of a send, put together from what each stage of the assembly has to say. */
import type { BudgetState, Sum } from "./budget.ts";
import type { Elided } from "./elide.ts";
import type { Line } from "./filters.ts";
import type { LaidOut } from "./lay-out.ts";
import type { Added, Failure, ManifestBlock, Merge, SendManifest } from "./manifest.ts";
import type { ReadPins, Spot } from "./pins.ts";
import { refusalOf } from "./refusal.ts";
import type { SizedFront } from "./size-front.ts";

export type History = LaidOut &
  Pick<SendManifest, "settlements"> & {
    /** Whether an opening of ours stands before it. */
    readonly opened: boolean;
    /** The first block of the message that is answered; the number of blocks when there is none. */
    readonly task: number;
  };

export type Fitted = {
  readonly elided: Elided;
  readonly sum: Sum;
  readonly state: BudgetState;
  readonly limit: number;
  readonly estimate: number;
  readonly floor: number;
};

export type Made = {
  readonly front: SizedFront;
  readonly history: History;
  readonly fitted: Fitted;
  readonly pins: ReadPins | undefined;
  readonly spot: Spot | undefined;
  /** As they go on, pins among them. */
  readonly lines: readonly Line[];
};

export function makeManifest(made: Made): SendManifest {
  const { front, history, fitted, pins } = made;
  const { estimate, limit, floor } = fitted;
  const { blocks, records } = fitted.elided;
  const over_limit = estimate > limit;
  const task = taskOf(history, blocks);
  const manifest = {
    layers: front.layers,
    tools: front.tools,
    blocks,
    pins: pins?.records ?? [],
    task,
    added: addedTo(made),
    filters: history.filters,
    merges: mergesOf(made),
    elisions: records,
    failures: failuresOf(history, pins),
    settlements: history.settlements,
    measured: fitted.sum.measure,
    estimate,
    limit,
    floor,
    over_limit,
    cache_boundary: boundaryOf(made),
  };
  if (!over_limit) return manifest;
  const sent = sumTokens(blocks) - task.tokens;
  const weights = { estimate, limit, floor, history: sent, task: task.tokens };
  return { ...manifest, refusal: refusalOf({ ...weights, pins: manifest.pins }) };
}

const sumTokens = (blocks: readonly ManifestBlock[]): number =>
  blocks.reduce((sum, { tokens }) => sum + tokens, 0);

function taskOf({ laid, task }: History, blocks: readonly ManifestBlock[]): SendManifest["task"] {
  const count = laid.findLast(({ start }) => start === task)?.blocks.length ?? 0;
  return { blocks: [task, task + count], tokens: sumTokens(blocks.slice(task, task + count)) };
}

/** The block before which the pins stand. */
function pinBlock({ history, spot }: Made): number {
  if (!spot) return history.blocks.length;
  const held = history.laid[spot.line];
  return held ? held.start + spot.part : history.blocks.length;
}

function addedTo(made: Made): Added[] {
  const { front, history, pins, spot } = made;
  const { tokens, digest } = front.opening;
  const opening: Added = { what: "opening", block: 0, parts: 1, digest, tokens };
  const added = history.opened ? [opening] : [];
  if (!pins || !spot) return added;
  const { digest: mark, tokens: cost, records } = pins;
  const at = { block: pinBlock(made), parts: records.length, anchor: spot.anchor };
  return [...added, { what: "pins", ...at, digest: mark, tokens: cost }];
}

function failuresOf({ laid }: History, pins: ReadPins | undefined): Failure[] {
  const ofBlocks = laid.flatMap(({ facts, start }) =>
    facts.hasFailed
      ? facts.blocks.flatMap(({ failed }, part) =>
          failed === undefined ? [] : [{ block: start + part, why: failed }],
        )
      : [],
  );
  const ofPins = (pins?.records ?? []).flatMap(({ id, failed }) =>
    failed === undefined ? [] : [{ pin: id, why: failed }],
  );
  return [...ofBlocks, ...ofPins];
}

/** Lines of one role in a row: on the wire they share a message. */
function mergesOf({ lines, history }: Made): Merge[] {
  const merges: Merge[] = [];
  let index = 0;
  lines.forEach(({ message, at }, place) => {
    const start = history.laid[index]?.start ?? history.blocks.length;
    if (at !== undefined) index += 1;
    const { role, id } = message;
    if (lines[place - 1]?.message.role !== role) return;
    merges.push({ role, block: start, ...(id !== undefined && { message_id: id }) });
  });
  return merges;
}

/** The next send takes the pins out of the message that holds them; before it nothing changes. */
function boundaryOf(made: Made): SendManifest["cache_boundary"] {
  const { front, history, fitted, pins, spot } = made;
  const block =
    pins && spot ? (history.laid[spot.line]?.start ?? history.blocks.length) : undefined;
  const upTo = block ?? history.blocks.length;
  const opening = history.opened ? front.opening.tokens : 0;
  const before = sumTokens(fitted.elided.blocks.slice(0, upTo));
  return { block: upTo, tokens: front.tokens + opening + before };
}
