/**
 * What differs from the request before, and what that does to a provider's prompt cache.
 *
 * A cache holds beginnings. So there is one question: how far is this request the one before? It is
 * answered block by block, from the two manifests; where in bytes, the bodies tell.
 */
import type { Changed, Manifest, ManifestBlock } from "./manifest.ts";

/** One piece of a request, as far as its place and content matter. */
type Piece = {
  readonly kind: NonNullable<Changed["first"]>["kind"];
  readonly name?: string;
  readonly block?: number;
  readonly of: { readonly tokens: number; readonly digest?: string } & Partial<ManifestBlock>;
};

export function changesSince(before: Manifest, now: Manifest): Changed {
  const olds = piecesOf(before);
  const news = piecesOf(now);
  let same_tokens = 0;
  for (;;) {
    const old = olds.next().value;
    const fresh = news.next().value;
    if (old && fresh && isSame(old, fresh)) {
      same_tokens += fresh.of.tokens;
      continue;
    }
    if (!old) return { same_tokens, lost_tokens: 0, why: fresh ? APPENDED : SAME };
    const lost_tokens = [...olds].reduce((sum, { of }) => sum + of.tokens, old.of.tokens);
    const { of: _, ...first } = fresh ?? old;
    return { same_tokens, lost_tokens, first, why: whyOf(old, fresh) };
  }
}

const SAME = "nothing: the request is the one before";
const APPENDED = "something was appended: all of the request before can be read from the cache";

/** By content, not by the message's id: a fork's copy is the same text. */
function isSame(one: Piece, other: Piece): boolean {
  const { of: old } = one;
  const { of: fresh } = other;
  if (old === fresh) return true;
  if (one.kind !== other.kind || one.name !== other.name) return false;
  // Without a mark nobody knows.
  if (old.digest === undefined || old.digest !== fresh.digest || old.role !== fresh.role) {
    return false;
  }
  const wasElided = old.outcome === "elided";
  return wasElided === (fresh.outcome === "elided") && (!wasElided || old.why === fresh.why);
}

/** In the order in which providers keep them: tools, system, messages. */
function* piecesOf(manifest: Manifest): Generator<Piece, undefined> {
  for (const of of manifest.tools) yield { kind: "tool", name: of.name, of };
  for (const of of manifest.layers) yield { kind: "layer", name: of.id, of };
  const added = Map.groupBy(manifest.added ?? [], ({ block }) => block);
  for (let block = 0; block <= manifest.blocks.length; block += 1) {
    for (const of of added.get(block) ?? []) yield { kind: "added", name: of.what, block, of };
    const of = manifest.blocks[block];
    if (of && !isResolved(of)) yield { kind: "block", block, of };
  }
  return undefined;
}

/** Nothing of it is in the request, before lowering or after it. */
const isResolved = ({ outcome, tokens }: ManifestBlock): boolean =>
  outcome === "resolved-out" || (outcome === undefined && tokens === 0);

function whyOf(old: Piece, fresh: Piece | undefined): string {
  if (!fresh) return "the end of the request before is gone: the conversation was shortened";
  if (old.kind === "tool" || fresh.kind === "tool") {
    return "the tools changed: nothing can be read from the cache";
  }
  if (old.kind === "layer" || fresh.kind === "layer") {
    return `the system layer ${fresh.name ?? old.name ?? ""} changed: no message can be read from the cache`;
  }
  if (old.name === "pins" && fresh.name === "pins") return "the content of the pins changed";
  if (old.name === "pins") return "the pins stand in a newer message: this one lost them";
  if (fresh.name === "pins") return "pins were put into this message";
  if (fresh.of.outcome === "elided" && old.of.outcome !== "elided") {
    return "something was left out here to fit the budget";
  }
  if (old.of.outcome === "elided" && fresh.of.outcome !== "elided") {
    return "something is shown again here that was left out";
  }
  return old.of.message_id === fresh.of.message_id && old.of.part === fresh.of.part
    ? "the same part shows something else"
    : "another message stands here: the history was rewound, compacted or edited";
}
