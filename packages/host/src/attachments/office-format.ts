/**
 * The text in the parts of an office document: paragraphs as lines, cells with tabs between them.
 *
 * What is not text, such as pictures, charts, headers and formatting, is left where it is. Dates in
 * a spreadsheet are the numbers that the file holds.
 */
import { type OfficeParts, type OfficeSection, sheetSections } from "./office-sheet.ts";
import { type XmlToken, xmlTokens } from "./xml-tokens.ts";

export type OfficeKind = "document" | "presentation" | "spreadsheet" | "opendocument";

/** Which parts of the archive hold text, and so which kind it is. */
export const OFFICE_PARTS: readonly (readonly [OfficeKind, RegExp])[] = [
  ["document", /^word\/(document|footnotes|endnotes|comments)\.xml$/],
  ["presentation", /^ppt\/(slides\/slide|notesSlides\/notesSlide)\d{1,5}\.xml$/],
  ["spreadsheet", /^xl\/(workbook|sharedStrings|worksheets\/sheet\d{1,5})\.xml$/],
  ["opendocument", /^content\.xml$/],
];

export function officeSections(kind: OfficeKind, parts: OfficeParts): readonly OfficeSection[] {
  if (kind === "spreadsheet") return sheetSections(parts);
  const names = [...parts.keys()].sort(inOrder);
  const sections = names.map((name) => ({ name, text: flowText(parts.get(name) ?? "") }));
  // A slide without text is a slide; a document without notes has none.
  const told = sections.filter(({ name, text }) => text !== "" || !isAside(name));
  return told.map(({ name, text }) => ({ title: titleOf(name), text }));
}

const isAside = (name: string): boolean => /notes|comments/i.test(name);

/** The thing itself before its notes, and `slide10` after `slide9`. */
const inOrder = (a: string, b: string): number =>
  Number(isAside(a)) - Number(isAside(b)) || a.localeCompare(b, "en", { numeric: true });

const titleOf = (name: string): string => name.slice(name.lastIndexOf("/") + 1, -".xml".length);

const BREAKS: ReadonlyMap<string, string> = new Map([
  ["br", "\n"],
  ["cr", "\n"],
  ["line-break", "\n"],
  ["tab", "\t"],
  ["s", " "],
]);
const PARAGRAPHS = new Set(["p", "h"]);
const CELLS = new Set(["tc", "table-cell", "covered-table-cell"]);
const ROWS = new Set(["tr", "table-row"]);
/** The same once more, for programs that do not know the first. */
const REPEATED = new Set(["Fallback"]);

function flowText(xml: string): string {
  // Where runs of text are marked, nothing outside of them is text.
  const holders = /<(\w+:)?t[\s>]/.test(xml) ? new Set(["t"]) : PARAGRAPHS;
  const flow = flowWriter();
  let holding = 0;
  let repeating = 0;
  for (const token of xmlTokens(xml)) {
    if (token.kind === "text") {
      if (holding > 0 && repeating === 0) flow.text(token.text);
      continue;
    }
    const step = token.kind === "close" ? -1 : token.empty ? 0 : 1;
    if (REPEATED.has(token.name)) repeating += step;
    if (holders.has(token.name)) holding += step;
    if (repeating === 0) place(token, flow);
  }
  return flow.done();
}

type Tag = Exclude<XmlToken, { kind: "text" }>;
type Flow = ReturnType<typeof flowWriter>;

function place(token: Tag, flow: Flow): void {
  const { kind, name } = token;
  const isEnd = kind === "close" || token.empty;
  if (kind === "open") flow.text(BREAKS.get(name) ?? "");
  if (CELLS.has(name) && kind === "open") flow.cellStart();
  if (CELLS.has(name) && isEnd) flow.cellEnd();
  if (ROWS.has(name) && isEnd) flow.rowEnd();
  if (PARAGRAPHS.has(name) && isEnd) flow.lineEnd();
}

/** Lines, and rows of cells; a table inside a cell reads on in that cell. */
function flowWriter() {
  const lines: string[] = [];
  let row: string[] = [];
  let piece = "";
  let depth = 0;
  const pushLine = (line: string): void => {
    lines.push(line.trimEnd());
  };
  return {
    text: (text: string): void => {
      piece += text;
    },
    lineEnd: (): void => {
      if (depth > 0) piece += " ";
      else {
        pushLine(piece);
        piece = "";
      }
    },
    cellStart: (): void => {
      depth += 1;
    },
    cellEnd: (): void => {
      depth -= 1;
      if (depth > 0) return;
      row.push(piece.trim().replaceAll("\n", " "));
      piece = "";
      depth = 0;
    },
    rowEnd: (): void => {
      if (depth > 0) return;
      pushLine(row.join("\t"));
      row = [];
    },
    done: (): string =>
      [...lines, piece]
        .join("\n")
        .replace(/\n{3,}/g, "\n\n")
        .trim(),
  };
}
