/** How hard to think, in the word a model takes; and what a model that thinks refuses. */
import type { ModelProfile } from "../catalogue/model.ts";
import type { Settings } from "../protocol.ts";

/** Weakest first. */
const SCALE = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

type Thinker = Pick<ModelProfile, "reasoning">;

/** Undefined: nothing is asked, or the model is known not to reason. An unknown model is asked. */
export function effortOf({ reasoning }: Thinker, settings: Settings): string | undefined {
  const asked = settings.reasoning;
  if (!asked || reasoning === false) return undefined;
  const wanted = asked.effort ?? wordFor(asked.budget);
  const words = typeof reasoning === "object" ? reasoning.words : [];
  return words.length === 0 || words.includes(wanted) ? wanted : nearest(wanted, words);
}

/** Whether it takes `temperature`, `top_p` and `stop`: a model that reasons refuses them. */
export const takesSampling = ({ reasoning }: Thinker, effort: string | undefined): boolean =>
  !reasoning || effort === "none";

/** Tokens of thought as a word: the reverse of what protocols with a budget make of the word. */
function wordFor(budget = 4096): string {
  if (budget < 4096) return "low";
  return budget < 16384 ? "medium" : "high";
}

/** The closest word, the stronger of two that are equally close; never the one for not thinking. */
function nearest(wanted: string, words: readonly string[]): string | undefined {
  const distance = (word: string) => Math.abs(SCALE.indexOf(word) - SCALE.indexOf(wanted));
  return words
    .filter((word) => word !== "none" && SCALE.includes(word))
    .toSorted((a, b) => distance(a) - distance(b) || SCALE.indexOf(b) - SCALE.indexOf(a))[0];
}
