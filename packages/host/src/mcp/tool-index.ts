/**
 * Which of many tools fit a few words: the weight of each word that a tool's name or description
 * holds, rare words before common ones, names before descriptions (BM25).
 */
import type { Tool } from "@galley/turn";

export interface ToolIndex {
  find(query: string, most: number): readonly Tool[];
}

type Posting = { readonly entry: number; readonly weight: number };

const NAME_WEIGHT = 3;
/** How soon a word that is repeated stops counting, and how much long descriptions are held back. */
const K = 1.2;
const B = 0.75;

export function toolIndex(tools: readonly Tool[]): ToolIndex {
  const postings = new Map<string, Posting[]>();
  const lengths = tools.map(({ definition }, entry) => {
    const weights = weightsOf(definition.name, definition.description ?? "");
    for (const [word, weight] of weights) {
      const all = postings.get(word);
      if (all === undefined) postings.set(word, [{ entry, weight }]);
      else all.push({ entry, weight });
    }
    return [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  });
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return {
    find(query, most) {
      const scores = new Map<number, number>();
      for (const word of new Set(wordsIn(query))) {
        const found = postings.get(word) ?? [];
        const rarity = Math.log(1 + (tools.length - found.length + 0.5) / (found.length + 0.5));
        for (const { entry, weight } of found) {
          const long = 1 - B + (B * (lengths[entry] ?? 0)) / average;
          const score = (rarity * weight * (K + 1)) / (weight + K * long);
          scores.set(entry, (scores.get(entry) ?? 0) + score);
        }
      }
      return [...scores]
        .toSorted(([one, a], [other, b]) => b - a || one - other)
        .slice(0, most)
        .flatMap(([entry]) => tools[entry] ?? []);
    },
  };
}

function weightsOf(name: string, description: string): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of wordsIn(text)) weights.set(word, (weights.get(word) ?? 0) + weight);
  };
  add(name, NAME_WEIGHT);
  add(description, 1);
  return weights;
}

/** `listOpenIssues`, `list_open_issues` and `list open issues` are the same words. */
const wordsIn = (text: string): readonly string[] =>
  text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.map(stem) ?? [];

/** One form of a plural is enough to meet the other. */
const stem = (word: string): string =>
  word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
