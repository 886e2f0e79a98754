/**
 * What `.agentsignore` keeps from agents, for one file that somebody named.
 *
 * A search leaves out what git ignores too; a person who names an ignored file wants it read. What
 * is kept from agents is kept, whoever names it. A rules file that cannot be read keeps everything
 * below its folder.
 */
import { realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { decide } from "./walk-ignore.ts";
import { bytesOf, enterDirectory, readSurroundings, ruleFilesIn } from "./walk-rules.ts";

export const KEPT = "kept from agents by .agentsignore";

/** `real` lies inside the root, after links. */
export async function isKeptFromAgents(root: string, real: string): Promise<boolean> {
  const { top, rules: around, problems } = await readSurroundings(await realpath(root));
  if (problems.some(({ file }) => file === ".agentsignore")) return true;
  const way = relative(top, real).split(sep);
  let rules = around;
  for (const [depth] of way.entries()) {
    const path = way
      .slice(0, depth)
      .map((name) => `${name}/`)
      .join("");
    const entries = await ruleFilesIn(join(top, path));
    const entered = await enterDirectory(top, { path, bytes: bytesOf(path) }, rules, entries);
    if (entered.problems.some(({ file }) => file === ".agentsignore")) return true;
    rules = entered.rules;
    const inside = bytesOf(way.slice(0, depth + 1).join("/"));
    if (decide(rules.agents, inside, depth < way.length - 1) === "ignored") return true;
  }
  return false;
}
