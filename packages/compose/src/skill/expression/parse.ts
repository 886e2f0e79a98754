/**
 * `include_when` to a tree: `or` < `and` < `not` < `==`, `!=`, `in`, `not in` < values.
 *
 * The language has no calls, no loops and three names, so a tree that parses can be evaluated
 * over any request and always ends.
 */
import { type ExpressionFault, type Token, tokenize } from "./token.ts";

export type Expression =
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  | { readonly kind: "path"; readonly root: Root; readonly keys: readonly (string | number)[] }
  | { readonly kind: "list"; readonly items: readonly Expression[] }
  | { readonly kind: "not"; readonly inner: Expression }
  | {
      readonly kind: "and" | "or" | "==" | "!=" | "in";
      readonly left: Expression;
      readonly right: Expression;
    };

export const ROOTS = ["parameters", "scope", "tags"] as const;
export type Root = (typeof ROOTS)[number];

export type ParsedExpression =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly fault: ExpressionFault };

const DEEPEST = 50;
const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
  ["none", null],
]);
const WORDS = ["and", "or", "not", "in"];

/** Carries a fault out of the descent; it never leaves this file. */
class Stop extends Error {
  readonly fault: ExpressionFault;
  constructor(fault: ExpressionFault) {
    super(fault.says);
    this.fault = fault;
  }
}

export function parseExpression(text: string): ParsedExpression {
  const read = tokenize(text);
  if (!read.ok) return read;
  try {
    return { ok: true, expression: descend(read.tokens) };
  } catch (error) {
    if (error instanceof Stop) return { ok: false, fault: error.fault };
    throw error;
  }
}

function descend(tokens: readonly Token[]): Expression {
  let at = 0;
  let depth = 0;
  const END: Token = tokens.at(-1) ?? { kind: "end", column: 1 };
  const peek = (ahead = 0): Token => tokens[at + ahead] ?? END;
  const isWord = (word: string, ahead = 0): boolean => isName(peek(ahead), word);
  const takeSign = (...signs: readonly string[]): string | undefined => {
    const token = peek();
    if (token.kind !== "sign" || !signs.includes(token.text)) return undefined;
    at += 1;
    return token.text;
  };
  const takeWord = (word: string): boolean => {
    if (!isWord(word)) return false;
    at += 1;
    return true;
  };
  const deeper = <T>(inner: () => T): T => {
    depth += 1;
    if (depth > DEEPEST) stop(peek(), "the condition is nested too deeply", "flatten it");
    const value = inner();
    depth -= 1;
    return value;
  };

  const either = (): Expression => {
    let left = both();
    while (takeWord("or")) left = { kind: "or", left, right: both() };
    return left;
  };
  const both = (): Expression => {
    let left = negation();
    while (takeWord("and")) left = { kind: "and", left, right: negation() };
    return left;
  };
  const negation = (): Expression =>
    takeWord("not") ? { kind: "not", inner: deeper(negation) } : comparison();
  const comparison = (): Expression => {
    const left = value();
    const sign = takeSign("==", "!=");
    if (sign === "==" || sign === "!=") return single({ kind: sign, left, right: value() });
    if (takeWord("in")) return single({ kind: "in", left, right: value() });
    if (!isWord("not") || !isWord("in", 1)) return left;
    at += 2;
    return single({ kind: "not", inner: { kind: "in", left, right: value() } });
  };
  const single = (compared: Expression): Expression => {
    const token = peek();
    const chained = isWord("in") || (token.kind === "sign" && /^[=!]=$/.test(token.text));
    if (chained) stop(token, "comparisons do not chain", "join two of them with `and`");
    return compared;
  };
  const value = (): Expression => {
    const token = peek();
    if (token.kind === "string" || token.kind === "number") {
      at += 1;
      return { kind: "literal", value: token.value };
    }
    if (takeSign("(")) return deeper(() => closed(either(), ")"));
    if (takeSign("[")) return deeper(list);
    return token.kind === "name" ? named(token.text) : missing(token);
  };
  const list = (): Expression => {
    const items: Expression[] = [];
    while (!takeSign("]")) {
      items.push(value());
      if (takeSign("]")) break;
      if (!takeSign(",")) stop(peek(), "the list is not closed", "write `]` after its last value");
    }
    return { kind: "list", items };
  };
  const closed = (inner: Expression, sign: string): Expression => {
    if (!takeSign(sign)) stop(peek(), `a \`${sign}\` is missing`, `write \`${sign}\` here`);
    return inner;
  };
  const named = (text: string): Expression => {
    const literal = LITERALS.get(text.toLowerCase());
    if (WORDS.includes(text)) missing(peek());
    const root = ROOTS.find((each) => each === text);
    if (literal === undefined && root === undefined) unknownName(peek(), text);
    at += 1;
    if (root === undefined) return { kind: "literal", value: literal ?? null };
    return { kind: "path", root, keys: keys() };
  };
  const keys = (): readonly (string | number)[] => {
    const found: (string | number)[] = [];
    for (;;) {
      if (takeSign(".")) found.push(key(peek(), "name"));
      else if (takeSign("[")) {
        found.push(key(peek(), "index"));
        if (!takeSign("]")) stop(peek(), "a `]` is missing", "write `]` here");
      } else return found;
    }
  };
  const key = (token: Token, kind: "name" | "index"): string | number => {
    at += 1;
    if (kind === "name" && token.kind === "name") return token.text;
    if (kind === "index" && (token.kind === "string" || token.kind === "number"))
      return token.value;
    return stop(token, "a key is missing", 'write parameters.name or parameters["name"]');
  };

  const expression = either();
  if (peek().kind !== "end") {
    stop(peek(), "the condition ends before this", "join conditions with `and` or `or`");
  }
  return expression;
}

const isName = (token: Token, word: string): boolean =>
  token.kind === "name" && token.text === word;

function stop(token: Token, says: string, fix: string): never {
  throw new Stop({ column: token.column, says, fix });
}

const missing = (token: Token): never =>
  stop(token, "a value is missing", "write a literal, parameters.NAME, scope or tags");

function unknownName(token: Token, text: string): never {
  const fix = `known are ${ROOTS.join(", ")}; text stands in quotes, a parameter is parameters.${text}`;
  stop(token, `\`${text}\` is not a name here`, fix);
}
