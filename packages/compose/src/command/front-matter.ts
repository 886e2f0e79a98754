/**
 * The YAML head of a Markdown file, read as far as it can be. People write `argument-hint: [a] [b]`
 * and `description: now: later`, and other tools take it: such a line is read as the text that it
 * is, with a warning, and never keeps a file from loading.
 */
import { isMap, isScalar, LineCounter, parseDocument } from "yaml";

export type Field = {
  readonly value: unknown;
  /** The value as it is written. */
  readonly raw: string;
  /** 1-based line of the file. */
  readonly line: number;
};

export type FrontMatter = {
  readonly fields: ReadonlyMap<string, Field>;
  readonly problems: readonly { readonly line: number; readonly says: string }[];
};

const OPTIONS = {
  prettyErrors: false,
  uniqueKeys: false,
  strict: false,
  logLevel: "silent",
} as const;
const MOST_ALIASES = 100;

/** `yaml` begins on the second line of the file, behind the dashes. */
export function readFrontMatter(yaml: string): FrontMatter {
  const first = parse(yaml);
  if (first.problems.length === 0) return first;
  const mended = parse(quoteOddLines(yaml));
  return {
    fields: mended.problems.length === 0 ? mended.fields : first.fields,
    problems: first.problems,
  };
}

function parse(yaml: string): FrontMatter {
  const lines = new LineCounter();
  try {
    const document = parseDocument(yaml, { ...OPTIONS, lineCounter: lines });
    const lineAt = (at: number): number => lines.linePos(at).line + 1;
    const byLine = new Map<number, string>();
    for (const { message, pos } of document.errors) {
      const line = lineAt(pos[0]);
      // The first error of a line is the cause; the others follow from it.
      if (!byLine.has(line)) byLine.set(line, message.split("\n")[0] ?? "");
    }
    const problems = [...byLine].map(([line, says]) => ({ line, says }));
    const root = document.contents;
    if (root === null) return { fields: new Map(), problems };
    if (!isMap(root)) return { fields: new Map(), problems: [...problems, NOT_A_MAP] };
    const fields = root.items.flatMap(({ key, value }): [string, Field][] => {
      if (!isScalar(key)) return [];
      const range = (value as { range?: readonly number[] } | null)?.range;
      const raw = range === undefined ? "" : yaml.slice(range[0], range[1]);
      const js = (value as { toJS?: (...given: unknown[]) => unknown } | null)?.toJS?.(document, {
        maxAliasCount: MOST_ALIASES,
      });
      return [[String(key.value), { value: js ?? null, raw, line: lineAt(key.range?.[0] ?? 0) }]];
    });
    return { fields: new Map(fields), problems };
  } catch (error) {
    // The parser throws on aliases without end and on nesting deeper than the stack.
    const says = error instanceof Error ? error.message : String(error);
    return { fields: new Map(), problems: [{ line: 2, says }] };
  }
}

const NOT_A_MAP = { line: 2, says: "the front matter is not a list of `key: value` lines" };

const KEY_LINE = /^([A-Za-z][\w-]*):[ \t]+(\S.*?)[ \t\r]*$/;

/** Lines that do not parse alone become quoted text. */
function quoteOddLines(yaml: string): string {
  return yaml
    .split("\n")
    .map((line) => {
      const [, key, value = ""] = KEY_LINE.exec(line) ?? [];
      if (key === undefined || /^[|>]/.test(value)) return line;
      return parse(line).problems.length === 0 ? line : `${key}: ${JSON.stringify(value)}`;
    })
    .join("\n");
}
