/** Names that a mistyped model name may have meant, by edit distance on the model id. */

const MOST = 5;
/** The distance is quadratic in length, and no model id is longer than this. */
const LONGEST = 100;
/** A right id under a wrong provider is a likelier slip than that many wrong letters. */
const OTHER_PROVIDER = 2;

export function nearestNames(name: string, known: readonly string[]): readonly string[] {
  const asked = splitName(name.toLowerCase());
  return known
    .map((candidate) => ({ candidate, away: distance(asked, splitName(candidate.toLowerCase())) }))
    .sort((a, b) => a.away - b.away)
    .slice(0, MOST)
    .map(({ candidate }) => candidate);
}

export type Name = { readonly provider: string | undefined; readonly id: string };

/** `provider/model`: the first slash divides, for an id may hold more of them. */
export function splitName(name: string): Name {
  const slash = name.indexOf("/");
  return slash < 1 || slash === name.length - 1
    ? { provider: undefined, id: name }
    : { provider: name.slice(0, slash), id: name.slice(slash + 1) };
}

function distance(asked: Name, candidate: Name): number {
  const moved = asked.provider === candidate.provider ? 0 : OTHER_PROVIDER;
  return edits(asked.id.slice(0, LONGEST), candidate.id) + moved;
}

/** Insertions, deletions and replacements that turn one text into the other. */
function edits(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line++) {
    const here = [line];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (from[line - 1] === to[column - 1] ? 0 : 1);
      here.push(Math.min(replaced, (above[column] ?? 0) + 1, (here[column - 1] ?? 0) + 1));
    }
    above = here;
  }
  return above[to.length] ?? 0;
}
