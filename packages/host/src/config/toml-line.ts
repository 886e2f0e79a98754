/**
 * On which line of a TOML text a key gets its value.
 *
 * The parser does not say, so it is asked instead: the line is where the shortest beginning of the
 * text that parses at all first holds the key. For a value over several lines that is its last.
 */
import { parse } from "smol-toml";

type Path = readonly PropertyKey[];

/** Falls back to the nearest key above; undefined when not even that is there. */
export function lineOf(toml: string, path: Path): number | undefined {
  const lines = toml.split("\n");
  for (let depth = path.length; depth > 0; depth -= 1) {
    const line = firstLine(lines, path.slice(0, depth));
    if (line !== undefined) return line;
  }
  return undefined;
}

function firstLine(lines: readonly string[], path: Path): number | undefined {
  let low = 1;
  let high = lines.length;
  let found: number | undefined;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const seen = look(lines, middle, path);
    if (seen.holds) {
      found = seen.at;
      high = middle - 1;
    } else {
      low = seen.at + 1;
    }
  }
  return found;
}

/** A beginning that ends inside a value does not parse: it is taken together with the next lines. */
function look(lines: readonly string[], count: number, path: Path): { at: number; holds: boolean } {
  for (let at = count; at <= lines.length; at += 1) {
    const value = parsed(lines.slice(0, at).join("\n"));
    if (value !== undefined) return { at, holds: has(value, path) };
  }
  return { at: lines.length, holds: false };
}

function parsed(toml: string): unknown {
  try {
    return parse(toml);
  } catch {
    // Not a whole document: expected of a beginning, and of nothing else, for the text as a whole parsed.
    return undefined;
  }
}

function has(value: unknown, path: Path): boolean {
  let inner = value;
  for (const key of path) {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) return false;
    inner = (inner as Record<PropertyKey, unknown>)[key];
  }
  return true;
}
