/**
 * Source text with its comments, or its comments and literal text, blanked out, so that a check
 * for a word does not trip over prose. Lengths and line breaks stay, so positions stay true.
 * A scanner of five states, not a parser: it only knows where text begins and ends.
 */

type Kind = "code" | "comment" | "text";

type Span = { readonly kind: Kind; readonly from: number; readonly to: number };

/** A slash begins a regular expression where a value may begin, and divides elsewhere. */
const VALUE_MAY_BEGIN =
  /(?:^|[=(,[!&|?{};:+\-*%<>~^]|\b(?:return|typeof|case|in|of|yield|await))\s*$/;

const LITERAL = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/y;
const REGEX = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const TEMPLATE_TEXT = /(?:\\[\s\S]|\$(?!\{)|[^\\`$])*/y;

function matchAt(pattern: RegExp, source: string, at: number): number | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(source);
  return found === null ? undefined : at + found[0].length;
}

/** Looks back past the longest keyword and some spaces, never at the whole file. */
const mayBeRegex = (source: string, at: number): boolean =>
  VALUE_MAY_BEGIN.test(source.slice(Math.max(0, at - 40), at));

function* spans(source: string): Generator<Span> {
  // One entry for each open template: how many braces are open inside its current `${`.
  const templates: number[] = [];
  let at = 0;
  function* templateText(from: number): Generator<Span> {
    at = matchAt(TEMPLATE_TEXT, source, from) ?? from;
    yield { kind: "text", from, to: at };
    if (source[at] === "`") at += 1;
    else if (source.startsWith("${", at)) {
      templates.push(0);
      at += 2;
    }
  }
  while (at < source.length) {
    const char = source[at];
    const comment = matchAt(COMMENT, source, at);
    const literal = matchAt(LITERAL, source, at);
    const regex = char === "/" && mayBeRegex(source, at) ? matchAt(REGEX, source, at) : undefined;
    const end = comment ?? literal ?? regex;
    const depth = templates.at(-1);
    if (end !== undefined) {
      yield comment === undefined
        ? { kind: "text", from: at + 1, to: end - 1 }
        : { kind: "comment", from: at, to: end };
      at = end;
    } else if (char === "`") {
      yield* templateText(at + 1);
    } else if (char === "}" && depth === 0) {
      templates.pop();
      yield* templateText(at + 1);
    } else {
      if (depth !== undefined && char === "{") templates[templates.length - 1] = depth + 1;
      if (depth !== undefined && char === "}") templates[templates.length - 1] = depth - 1;
      at += 1;
    }
  }
}

function blank(source: string, kinds: readonly Kind[]): string {
  let out = source;
  for (const { kind, from, to } of spans(source)) {
    if (!kinds.includes(kind)) continue;
    out = out.slice(0, from) + source.slice(from, to).replace(/[^\n]/g, " ") + out.slice(to);
  }
  return out;
}

export const withoutComments = (source: string): string => blank(source, ["comment"]);

export const codeOnly = (source: string): string => blank(source, ["comment", "text"]);

/** `path:line` of an offset, for a message that a person can click. */
export function place(path: string, source: string, offset: number): string {
  return `${path}:${source.slice(0, offset).split("\n").length}`;
}
