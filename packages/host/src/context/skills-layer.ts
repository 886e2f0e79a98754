/** The skills that a session can load, by name and description, as a system layer. */
import { estimateTokens, type Layer } from "@galley/assemble";
import { plainName } from "@galley/shape";

export type ListedSkill = { readonly name: string; readonly description?: string };

/** Tokens of all descriptions together, and characters of one. */
const CAP = 4_000;
const LONGEST = 1_024;

const HEAD = "Skills that the skill tool loads by name. Load one before work that it is for:";

/** Past the cap a skill is only named: it can be loaded all the same. */
export function skillsLayer(skills: readonly ListedSkill[], cap = CAP): Layer | undefined {
  if (skills.length === 0) return undefined;
  let left = cap;
  const lines = skills.map(({ name, description }) => {
    const line = lineOf(name, description);
    left -= estimateTokens(line);
    return left >= 0 ? line : lineOf(name);
  });
  return { id: "skills.catalogue", text: [HEAD, ...lines].join("\n") };
}

function lineOf(name: string, description?: string): string {
  const words = plainName((description ?? "").replace(/\s+/g, " ").trim());
  if (words === "") return `- ${plainName(name)}`;
  const said = words.length > LONGEST ? `${words.slice(0, LONGEST).toWellFormed()} …` : words;
  return `- ${plainName(name)}: ${said}`;
}
