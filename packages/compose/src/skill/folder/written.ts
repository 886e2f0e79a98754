/**
 * Values that a person wrote in a file, with the way back to their line: a key of the package
 * leads to the file, the text and the keys under which it stands there.
 */
import { isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";

export type KeyPath = readonly (string | number)[];

export type Origin = {
  readonly file: string;
  readonly format: "yaml" | "toml";
  /** Of the front matter or the whole TOML file. */
  readonly text: string;
  /** Keys above the package's own, such as `metadata`, `galley`. */
  readonly above: KeyPath;
};

/** 1-based line of a value, or of the nearest thing around it that is there. */
export const lineOf = ({ format, text, above }: Origin, path: KeyPath): number =>
  format === "yaml" ? yamlLine(text, [...above, ...path]) : tomlLine(text, path);

/** Front matter begins on the second line. */
function yamlLine(yaml: string, path: KeyPath): number {
  const lines = new LineCounter();
  const { contents } = parseDocument(yaml, {
    lineCounter: lines,
    strict: false,
    logLevel: "silent",
  });
  let node: unknown = contents;
  let at = 0;
  for (const key of path) {
    const found = childOf(node, key);
    if (found === undefined) break;
    at = found.at;
    node = found.node;
  }
  return lines.linePos(at).line + 1;
}

function childOf(
  node: unknown,
  key: string | number,
): { readonly node: unknown; readonly at: number } | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(key)] as Node | undefined;
    return item?.range ? { node: item, at: item.range[0] } : undefined;
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find((each) => isScalar(each.key) && String(each.key.value) === key);
  if (!isPair(pair) || !isScalar(pair.key)) return undefined;
  return { node: pair.value, at: pair.key.range?.[0] ?? 0 };
}

const escaped = (key: string): string => key.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** TOML keeps no places: the line is found by its key, below the table that it belongs to. */
function tomlLine(toml: string, path: KeyPath): number {
  const lines = toml.split("\n");
  const [top = "", second, ...rest] = path.map(String);
  const isNumbered = typeof path[1] === "number";
  const tables = lines.flatMap((line, index) =>
    new RegExp(`^\\s*\\[\\[\\s*["']?${escaped(top)}["']?\\s*\\]\\]`).test(line) ? [index] : [],
  );
  const from = isNumbered ? tables[Number(second)] : undefined;
  const start =
    from ??
    Math.max(
      0,
      lines.findIndex((line) => opens(line, top)),
    );
  const keys = isNumbered ? rest : [second, ...rest];
  const key = keys.find((each) => each !== undefined && !/^\d+$/.test(each));
  if (key === undefined) return start + 1;
  const end = lines.findIndex((line, index) => index > start && /^\s*\[\[?[^.\]]+\]/.test(line));
  const inside = lines.slice(start, end === -1 ? undefined : end);
  const found = inside.findIndex(
    (line, index) => (index > 0 || from === undefined) && opens(line, key),
  );
  return start + Math.max(0, found) + 1;
}

/** Whether a line sets a key, or opens a table of that name. */
const opens = (line: string, key: string): boolean =>
  new RegExp(`^\\s*(?:\\[{1,2}[^\\]]*)?["']?\\b${escaped(key)}["']?\\s*(?:[=.\\]])`).test(line);
