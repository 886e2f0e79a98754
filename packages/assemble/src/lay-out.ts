/**
 * The history laid out: every part that came in as one block, in order, with what it costs now.
 *
 * Sizes come from the facts of the messages; here only what depends on this send is added: media
 * that this model is not shown, and what filters took out.
 */
import type { HistoryMessage } from "./context.ts";
import {
  addMeasure,
  type Measure,
  NO_TOKENS,
  type Tally,
  tallyInto,
  tokensOf,
} from "./estimate.ts";
import type { Filtered, Line } from "./filters.ts";
import { DESCRIPTOR_TOKENS } from "./held-media.ts";
import type { FilterRecord, ManifestBlock } from "./manifest.ts";
import { type BlockFacts, factsOf, type MessageFacts, withMedia } from "./message-facts.ts";

export type Shows = (mime: string) => boolean;

/** A message of the history that goes on, with its blocks. */
export type Laid = {
  readonly line: Line;
  readonly facts: MessageFacts;
  /** Its first block. */
  readonly start: number;
  readonly blocks: readonly ManifestBlock[];
  /** Aligned with blocks. */
  readonly measures: readonly Measure[];
};

export type LaidOut = {
  readonly laid: readonly Laid[];
  readonly blocks: readonly ManifestBlock[];
  readonly filters: readonly FilterRecord[];
  readonly measure: Measure;
  readonly tokens: number;
};

/** `lines` are those of the filter, settled. */
export function layOut(
  history: readonly HistoryMessage[],
  lines: readonly Line[],
  { gone, taken, mended }: Filtered,
  shows: Shows | undefined,
): LaidOut {
  const laid: Laid[] = [];
  const blocks: ManifestBlock[] = [];
  const filters: FilterRecord[] = [];
  const starts: number[] = [];
  const measure: Tally = { ...NO_TOKENS };
  let tokens = 0;
  let next = 0;
  history.forEach((original, at) => {
    const start = blocks.length;
    starts.push(start);
    const why = gone.get(at);
    if (why !== undefined) {
      for (const block of leftBehind(original, why, taken.get(at))) blocks.push(block);
      filters.push({ block: start, ...idOf(original), why });
      return;
    }
    const line = lines[next] as Line;
    next += 1;
    const one = layMessage(line, original, start, { taken: taken.get(at), shows });
    laid.push(one.laid);
    for (const block of one.laid.blocks) blocks.push(block);
    tallyInto(measure, one.measure);
    tokens += one.tokens;
  });
  for (const [at, parts] of taken) {
    for (const [part, why] of parts) filters.push(record(history, starts, at, part, why));
  }
  for (const { at, part, why } of mended) filters.push(record(history, starts, at, part, why));
  return { laid, blocks, filters, measure, tokens };
}

const idOf = ({ id }: HistoryMessage) => (id === undefined ? {} : { message_id: id });

function record(
  history: readonly HistoryMessage[],
  starts: readonly number[],
  at: number,
  part: number,
  why: string,
): FilterRecord {
  const message = history[at];
  return { block: (starts[at] ?? 0) + part, ...(message && idOf(message)), part, why };
}

const leftBehind = (
  message: HistoryMessage,
  why: string,
  taken: ReadonlyMap<number, string> | undefined,
): ManifestBlock[] =>
  message.parts.map(({ type }, part) => ({
    ...idOf(message),
    role: message.role,
    part,
    type,
    tokens: 0,
    outcome: "resolved-out",
    why: taken?.get(part) ?? why,
    placed: false,
  }));

type Special = {
  readonly taken: ReadonlyMap<number, string> | undefined;
  readonly shows: Shows | undefined;
};

function layMessage(line: Line, original: HistoryMessage, start: number, special: Special) {
  const facts = factsOf(line.message);
  const { shows, taken } = special;
  const hides = shows !== undefined && facts.hasMedia;
  const isChanged = line.message.parts !== original.parts;
  if (!hides && !isChanged) {
    const { listed: blocks, measures } = facts;
    const laid: Laid = { line, facts, start, blocks, measures };
    return { laid, measure: facts.measure, tokens: facts.tokens };
  }
  const measures = facts.blocks.map((each) => (hides ? hiding(each, shows) : each.measure));
  const blocks = facts.blocks.map(({ block }, part): ManifestBlock => {
    const why = taken?.get(part);
    const type = original.parts[part]?.type ?? block.type;
    const tokens = tokensOf(measures[part] ?? NO_TOKENS);
    const sized = { ...block, type, tokens };
    return why === undefined ? sized : { ...sized, outcome: "resolved-out", why };
  });
  const laid: Laid = { line, facts, start, blocks, measures };
  return {
    laid,
    measure: measures.reduce((sum, each) => addMeasure(sum, each), NO_TOKENS),
    tokens: blocks.reduce((sum, each) => sum + each.tokens, 0),
  };
}

/** Media that the model is not shown cost the line that names them. */
const hiding = ({ text, media }: BlockFacts, shows: Shows): Measure =>
  withMedia(
    text,
    media.map(({ mime, tokens }) => ({ tokens: shows(mime) ? tokens : DESCRIPTOR_TOKENS })),
  );
