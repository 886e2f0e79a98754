/**
 * One pattern of an ignore file, as git reads it: `*` and `?` stay inside a segment, `**` between
 * slashes spans segments, a class is bytes and never a slash, a backslash takes the next literally.
 *
 * Patterns and names are byte strings (one character a byte), because git compares bytes: `?` is
 * half of an `é`. A star that ran out of text ends the whole attempt, so no pattern is slow.
 */

type Op =
  | { readonly kind: "byte"; readonly code: number }
  | { readonly kind: "any" }
  | { readonly kind: "class"; readonly set: Uint8Array }
  | { readonly kind: "star" }
  /** `slash`: a plain slash follows, which `**` may take along with nothing before it. */
  | { readonly kind: "globstar"; readonly slash: boolean };

type Verdict = "match" | "mismatch" | "no-text" | "no-segment";

const [SLASH, STAR, QUESTION, OPEN, CLOSE, BACKSLASH] = [47, 42, 63, 91, 93, 92] as const;

/** Undefined for a pattern that is not complete, which matches nothing. */
export function compileGlob(pattern: string): ((text: string) => boolean) | undefined {
  const ops = readOps(pattern);
  return ops && ((text) => run(ops, 0, text, 0) === "match");
}

function readOps(pattern: string): readonly Op[] | undefined {
  const ops: Op[] = [];
  let at = 0;
  while (at < pattern.length) {
    const code = pattern.charCodeAt(at);
    if (code === STAR) {
      const end = endOfStars(pattern, at);
      ops.push(starOf(pattern, at, end));
      at = end;
    } else if (code === OPEN) {
      const found = readClass(pattern, at + 1);
      if (!found) return undefined;
      ops.push({ kind: "class", set: found.set });
      at = found.end;
    } else if (code === BACKSLASH) {
      if (at + 1 === pattern.length) return undefined;
      ops.push({ kind: "byte", code: pattern.charCodeAt(at + 1) });
      at += 2;
    } else {
      ops.push(code === QUESTION ? { kind: "any" } : { kind: "byte", code });
      at += 1;
    }
  }
  return ops;
}

function endOfStars(pattern: string, at: number): number {
  let end = at;
  while (pattern.charCodeAt(end) === STAR) end += 1;
  return end;
}

function starOf(pattern: string, at: number, end: number): Op {
  const opens = at === 0 || pattern[at - 1] === "/";
  const closes = end === pattern.length || pattern[end] === "/" || pattern.startsWith("\\/", end);
  if (end - at < 2 || !opens || !closes) return { kind: "star" };
  return { kind: "globstar", slash: pattern[end] === "/" };
}

type ReadClass = { readonly set: Uint8Array; readonly end: number };

/** `from` is after the bracket. The first member may be a closing bracket. */
function readClass(pattern: string, from: number): ReadClass | undefined {
  const set = new Uint8Array(256);
  const negated = pattern[from] === "!" || pattern[from] === "^";
  let at = negated ? from + 1 : from;
  let before = 0;
  do {
    const member = readMember(pattern, at, before);
    if (!member) return undefined;
    for (const code of member.codes) set[code] = 1;
    before = member.last;
    at = member.end;
  } while (pattern.charCodeAt(at) !== CLOSE);
  if (negated) for (let code = 0; code < 256; code += 1) set[code] = 1 - (set[code] ?? 0);
  set[SLASH] = 0;
  return { set, end: at + 1 };
}

/** `last` is what a hyphen after it starts from; 0 when it can start from nothing. */
type Member = { readonly codes: readonly number[]; readonly last: number; readonly end: number };

function readMember(pattern: string, at: number, before: number): Member | undefined {
  const named = pattern.startsWith("[:", at) ? readNamed(pattern, at) : undefined;
  if (named !== undefined) return named === "broken" ? undefined : named;
  if (pattern[at] === "-" && before > 0 && at + 1 < pattern.length && pattern[at + 1] !== "]") {
    const to = literalAt(pattern, at + 1);
    return to && { codes: span(before, to.code), last: 0, end: to.end };
  }
  const single = literalAt(pattern, at);
  return single && { codes: [single.code], last: single.code, end: single.end };
}

function literalAt(pattern: string, at: number): { code: number; end: number } | undefined {
  const place = pattern.charCodeAt(at) === BACKSLASH ? at + 1 : at;
  if (place >= pattern.length) return undefined;
  return { code: pattern.charCodeAt(place), end: place + 1 };
}

function span(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, nth) => from + nth);
}

/** `[:name:]` inside a class; undefined when it is not closed so, and a plain bracket then. */
function readNamed(pattern: string, at: number): Member | "broken" | undefined {
  const close = pattern.indexOf("]", at + 2);
  if (close < 0) return "broken";
  if (pattern[close - 1] !== ":" || close - 1 < at + 2) return undefined;
  const test = NAMED.get(pattern.slice(at + 2, close - 1));
  if (!test) return "broken";
  const codes = span(0, 127).filter((code) => test.test(String.fromCharCode(code)));
  return { codes, last: 0, end: close + 1 };
}

const NAMED: ReadonlyMap<string, RegExp> = new Map([
  ["alnum", /[0-9A-Za-z]/],
  ["alpha", /[A-Za-z]/],
  ["blank", /[ \t]/],
  ["cntrl", /[^ -~]/],
  ["digit", /[0-9]/],
  ["graph", /[!-~]/],
  ["lower", /[a-z]/],
  ["print", /[ -~]/],
  ["punct", /[!-/:-@[-`{-~]/],
  ["space", /[ \t\n\r]/],
  ["upper", /[A-Z]/],
  ["xdigit", /[0-9A-Fa-f]/],
]);

function run(ops: readonly Op[], first: number, text: string, from: number): Verdict {
  let at = from;
  for (let nth = first; nth < ops.length; nth += 1) {
    const op = ops[nth] as Op;
    if (op.kind === "star" || op.kind === "globstar") return runStar(ops, nth, text, at);
    if (at >= text.length) return "no-text";
    const code = text.charCodeAt(at);
    if (op.kind === "byte" ? code !== op.code : code === SLASH) return "mismatch";
    if (op.kind === "class" && op.set[code] !== 1) return "mismatch";
    at += 1;
  }
  return at === text.length ? "match" : "mismatch";
}

function runStar(ops: readonly Op[], nth: number, text: string, from: number): Verdict {
  const op = ops[nth] as Op;
  const spans = op.kind === "globstar";
  if (nth + 1 === ops.length) return spans || !text.includes("/", from) ? "match" : "mismatch";
  if (op.kind === "globstar" && op.slash) {
    const without = run(ops, nth + 2, text, from);
    if (without === "match" || without === "no-text") return without;
  }
  for (let at = from; at < text.length; at += 1) {
    const verdict = run(ops, nth + 1, text, at);
    if (verdict === "match" || verdict === "no-text") return verdict;
    if (verdict === "no-segment" && !spans) return verdict;
    if (!spans && text.charCodeAt(at) === SLASH) return "no-segment";
  }
  return "no-text";
}
