/**
 * The words of an `include_when`. A column is 1-based and counts UTF-16 units, as an editor does.
 */
export type ExpressionFault = {
  readonly column: number;
  readonly says: string;
  readonly fix: string;
};

export type Token =
  | { readonly kind: "name"; readonly text: string; readonly column: number }
  | { readonly kind: "string"; readonly value: string; readonly column: number }
  | { readonly kind: "number"; readonly value: number; readonly column: number }
  | { readonly kind: "sign"; readonly text: string; readonly column: number }
  | { readonly kind: "end"; readonly column: number };

export type Tokens =
  | { readonly ok: true; readonly tokens: readonly Token[] }
  | { readonly ok: false; readonly fault: ExpressionFault };

/** Longer ones are text in the wrong place. */
export const EXPRESSION_CHARS = 2_000;

const SPACE = /\s+/y;
const NAME = /[A-Za-z_][\w-]*/y;
const NUMBER = /-?\d+(?:\.\d+)?/y;
const SIGN = /==|!=|[.,()[\]]/y;
const QUOTED = /"(?:\\["'\\nt]|[^"\\\n])*"|'(?:\\["'\\nt]|[^'\\\n])*'/y;

/** Signs of other languages, and what is written here. */
const ELSEWHERE: readonly (readonly [string, string])[] = [
  ["&&", "write `and`"],
  ["||", "write `or`"],
  ["===", "write `==`"],
  ["=", "write `==`"],
  ["!", "write `not`, or `!=` between two values"],
  ["<", "only ==, != and in compare"],
  [">", "only ==, != and in compare"],
  ["{", "write names as they are, without braces"],
];

export function tokenize(text: string): Tokens {
  if (text.length > EXPRESSION_CHARS) {
    const says = `the condition has ${text.length} characters, of at most ${EXPRESSION_CHARS}`;
    return failed(EXPRESSION_CHARS, says, "shorten it, or test membership with `in [...]`");
  }
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  while (at < text.length) {
    if (take(SPACE) !== undefined) continue;
    const column = at + 1;
    if (text.startsWith("===", at)) return foreign(text, at);
    const token = next(take, column);
    if (token === undefined) return foreign(text, at);
    tokens.push(token);
  }
  return { ok: true, tokens: [...tokens, { kind: "end", column: text.length + 1 }] };
}

function next(take: (pattern: RegExp) => string | undefined, column: number): Token | undefined {
  const name = take(NAME);
  if (name !== undefined) return { kind: "name", text: name, column };
  const number = take(NUMBER);
  if (number !== undefined) return { kind: "number", value: Number(number), column };
  const quoted = take(QUOTED);
  if (quoted !== undefined) return { kind: "string", value: unquote(quoted), column };
  const sign = take(SIGN);
  return sign === undefined ? undefined : { kind: "sign", text: sign, column };
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t" };

const unquote = (quoted: string): string =>
  quoted.slice(1, -1).replace(/\\(.)/g, (_, char: string) => ESCAPES[char] ?? char);

function foreign(text: string, at: number): Tokens {
  const column = at + 1;
  const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (char === '"' || char === "'") {
    return failed(column, "this text is not closed", `end it with ${char} on the same line`);
  }
  const known = ELSEWHERE.find(([sign]) => text.startsWith(sign, at));
  const says = `\`${known?.[0] ?? char}\` means nothing here`;
  return failed(column, says, known?.[1] ?? "known are ==, !=, in, and, or, not, ( ) and [ ]");
}

const failed = (column: number, says: string, fix: string): Tokens => ({
  ok: false,
  fault: { column, says, fix },
});
