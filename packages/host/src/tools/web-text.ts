/**
 * A page as text that a model reads: headings, lists, links and code keep their form, the rest is
 * words. It is no browser: what scripts would have made is not there.
 */
import { attributeOf, htmlPieces } from "./web-tags.ts";

export type PageText = { readonly title: string | undefined; readonly text: string };

const BLOCKS = new Set(
  "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form header hgroup hr html main nav ol p pre section summary table tbody tfoot thead tr ul h1 h2 h3 h4 h5 h6 li caption".split(
    " ",
  ),
);
/** With an empty line around them. */
const APART = new Set("p pre ul ol dl table blockquote h1 h2 h3 h4 h5 h6 hr".split(" "));
const DEEPEST_LIST = 10;

export function pageText(html: string, base: URL): PageText {
  const out = writer();
  const titles: string[] = [];
  const links: (string | undefined)[] = [];
  let lists = 0;
  let pre = 0;
  let inTitle = false;
  for (const piece of htmlPieces(html)) {
    if (piece.kind === "text") {
      if (inTitle) titles.push(piece.text);
      else out.text(piece.text, pre > 0);
      continue;
    }
    const { name } = piece;
    const isOpen = piece.kind === "open";
    if (name === "title") inTitle = isOpen && titles.length === 0;
    const isInList = (name === "ul" || name === "ol") && lists > (isOpen ? 0 : 1);
    if (BLOCKS.has(name)) out.line(APART.has(name) && !isInList);
    if (name === "br") out.line(false);
    if (name === "td" || name === "th") out.text(isOpen ? "" : " | ", false);
    if (name === "pre") pre = Math.max(0, pre + (isOpen ? 1 : -1));
    if (name === "ul" || name === "ol") {
      lists = Math.min(DEEPEST_LIST, Math.max(0, lists + (isOpen ? 1 : -1)));
    }
    if (!isOpen) {
      if (name === "a") closeLink(out, links);
      continue;
    }
    if (/^h[1-6]$/.test(name)) out.start(`${"#".repeat(Number(name[1]))} `);
    if (name === "li") out.start(`${"  ".repeat(Math.max(0, lists - 1))}- `);
    if (name === "img") out.text(imageText(piece.attributes), false);
    if (name === "a") openLink(out, links, attributeOf(piece.attributes, "href"), base);
  }
  const title = titles.join("").replace(/\s+/g, " ").trim();
  return { title: title || undefined, text: out.all() };
}

function imageText(attributes: string): string {
  const alt = attributeOf(attributes, "alt");
  return alt ? `[image: ${alt}]` : "";
}

const MOST_LINKS_OPEN = 50;

function openLink(
  out: Writer,
  links: (string | undefined)[],
  href: string | undefined,
  base: URL,
): void {
  const url = href === undefined || href.startsWith("#") ? undefined : URL.parse(href, base.href);
  const shown = url && /^(https?|mailto):$/.test(url.protocol) ? url.href : undefined;
  if (links.length >= MOST_LINKS_OPEN) links.shift();
  links.push(shown);
  if (shown !== undefined) out.text("[", false);
}

function closeLink(out: Writer, links: (string | undefined)[]): void {
  const href = links.pop();
  if (href !== undefined) out.text(`](${href})`, false);
}

interface Writer {
  text(text: string, isVerbatim: boolean): void;
  /** A new line, with an empty one before it when it stands apart. */
  line(isApart: boolean): void;
  /** What a line begins with. */
  start(text: string): void;
  all(): string;
}

function writer(): Writer {
  const lines: string[] = [];
  let current: string[] = [];
  let isSpaced = true;
  let isApartDue = false;

  function end(): void {
    const line = current.join("").trimEnd();
    current = [];
    isSpaced = true;
    if (line.trim() !== "") push(line);
  }
  function push(line: string): void {
    if (isApartDue && lines.length > 0) lines.push("");
    isApartDue = false;
    lines.push(line);
  }
  return {
    text(text, isVerbatim) {
      if (isVerbatim) {
        const [first = "", ...rest] = text.split("\n");
        current.push(first);
        for (const each of rest) {
          push(current.join(""));
          current = [each];
        }
        return;
      }
      const flat = text.replace(/[\s\u00a0]+/g, " ");
      const added = isSpaced ? flat.trimStart() : flat;
      if (added === "") return;
      current.push(added);
      isSpaced = added.endsWith(" ");
    },
    line(isApart) {
      end();
      isApartDue ||= isApart;
    },
    start(text) {
      current.push(text);
      isSpaced = true;
    },
    all() {
      end();
      return lines
        .join("\n")
        .replace(/\n{3,}/g, "\n\n")
        .trim();
    },
  };
}
