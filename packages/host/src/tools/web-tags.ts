/**
 * HTML as a run of tags and texts, in one pass that never goes back: no page makes it slow, and no
 * page is refused. What runs in a browser and is not read by people is left out.
 */
import { decodeEntities } from "./web-entities.ts";

export type HtmlPiece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "open"; readonly name: string; readonly attributes: string }
  | { readonly kind: "close"; readonly name: string };

/** Until its own end tag nothing in it is markup, and nothing of it is for people. */
const LEFT_OUT = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "math",
  "iframe",
  "object",
  "select",
  "textarea",
]);

const TAG = /<(?:!--|[!?]|(\/?)([A-Za-z][^\s/>]*))/g;

export function* htmlPieces(html: string): Generator<HtmlPiece> {
  let at = 0;
  const tags = new RegExp(TAG);
  for (;;) {
    tags.lastIndex = at;
    const found = tags.exec(html);
    const text = html.slice(at, found?.index);
    if (text !== "") yield { kind: "text", text: decodeEntities(text) };
    if (found === null) return;
    const [start, slash, tag] = found;
    const from = found.index + start.length;
    if (tag === undefined) {
      at = after(html, start === "<!--" ? "-->" : ">", from);
      continue;
    }
    const name = tag.toLowerCase();
    const end = endOfTag(html, from);
    if (slash === "/") yield { kind: "close", name };
    else yield { kind: "open", name, attributes: html.slice(from, end - 1) };
    at =
      slash !== "/" && LEFT_OUT.has(name) && html[end - 2] !== "/"
        ? afterElement(html, name, end)
        : end;
  }
}

/** What is not closed goes to the end of the page. */
function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found === -1 ? html.length : found + mark.length;
}

/** A quoted value may hold what would end the tag. */
function endOfTag(html: string, from: number): number {
  let quote = "";
  for (let at = from; at < html.length; at += 1) {
    const char = html[at] ?? "";
    if (quote !== "") {
      if (char === quote) quote = "";
    } else if (char === ">") return at + 1;
    else if ((char === '"' || char === "'") && html[at - 1] === "=") quote = char;
  }
  return html.length;
}

function afterElement(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}(?=[\\s/>])`, "gi");
  close.lastIndex = from;
  const found = close.exec(html);
  return found === null ? html.length : endOfTag(html, found.index + found[0].length);
}

/** The value of one attribute, decoded; undefined when the tag has none of that name. */
export function attributeOf(attributes: string, name: string): string | undefined {
  const found = new RegExp(
    `(?:^|[\\s"'])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`,
    "i",
  ).exec(attributes);
  const value = found?.[1] ?? found?.[2] ?? found?.[3];
  return value === undefined ? undefined : decodeEntities(value).trim();
}
