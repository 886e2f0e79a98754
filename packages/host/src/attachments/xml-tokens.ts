/**
 * XML as a row of tokens, in one pass and without a tree: enough to take the text out of an office
 * document. Entities that a document defines are not expanded: they stay as they are written.
 */

export type XmlToken =
  | {
      readonly kind: "open";
      /** Without its prefix. */
      readonly name: string;
      /** The attributes as they are written. */
      readonly attributes: string;
      /** No close follows. */
      readonly empty: boolean;
    }
  | { readonly kind: "close"; readonly name: string }
  | { readonly kind: "text"; readonly text: string };

/** What is skipped whole, from its beginning to its end. */
const SKIPPED: readonly (readonly [string, string])[] = [
  ["<!--", "-->"],
  ["<?", "?>"],
];

export function* xmlTokens(xml: string): Generator<XmlToken> {
  let at = 0;
  while (at < xml.length) {
    if (xml[at] !== "<") {
      const end = indexOr(xml, "<", at);
      yield { kind: "text", text: decoded(xml.slice(at, end)) };
      at = end;
    } else if (xml.startsWith("<![CDATA[", at)) {
      const end = indexOr(xml, "]]>", at);
      yield { kind: "text", text: xml.slice(at + 9, end) };
      at = end + 3;
    } else {
      const skipped = SKIPPED.find(([begin]) => xml.startsWith(begin, at));
      const end = skipped ? indexOr(xml, skipped[1], at) : tagEnd(xml, at);
      if (skipped === undefined && xml[at + 1] !== "!") yield tag(xml.slice(at + 1, end));
      at = end + (skipped?.[1].length ?? 1);
    }
  }
}

function indexOr(xml: string, what: string, from: number): number {
  const found = xml.indexOf(what, from);
  return found < 0 ? xml.length : found;
}

/** A declaration may hold others in brackets. */
function tagEnd(xml: string, at: number): number {
  const end = indexOr(xml, ">", at);
  if (xml[at + 1] !== "!" || !xml.slice(at, end).includes("[")) return end;
  const bracket = xml.indexOf("]", end);
  return bracket < 0 ? xml.length : indexOr(xml, ">", bracket);
}

function tag(inside: string): XmlToken {
  if (inside.startsWith("/")) return { kind: "close", name: localName(inside.slice(1).trim()) };
  const space = inside.search(/\s/);
  const empty = inside.endsWith("/");
  const end = empty ? inside.length - 1 : inside.length;
  const nameEnd = space < 0 ? end : Math.min(space, end);
  return {
    kind: "open",
    name: localName(inside.slice(0, nameEnd)),
    attributes: inside.slice(nameEnd, end),
    empty,
  };
}

const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

const NAMED: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
};

function decoded(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(#x[0-9a-fA-F]{1,6}|#[0-9]{1,7}|[a-z]{2,4});/g, (whole, entity: string) => {
    if (entity[0] !== "#") return NAMED[entity] ?? whole;
    const code = Number.parseInt(
      entity.slice(entity[1] === "x" ? 2 : 1),
      entity[1] === "x" ? 16 : 10,
    );
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** The value of an attribute, by its local name. */
export function attributeOf(attributes: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|[\\s:])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  const value = found?.[1] ?? found?.[2];
  return value === undefined ? undefined : decoded(value);
}
