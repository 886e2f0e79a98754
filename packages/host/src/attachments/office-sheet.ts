/** The cells of a workbook: a line a row, a tab a column. */
import { attributeOf, xmlTokens } from "./xml-tokens.ts";

/** XML of the parts, by their name in the archive. */
export type OfficeParts = ReadonlyMap<string, string>;

export type OfficeSection = { readonly title: string; readonly text: string };

/** Empty cells before a filled one that are written as tabs; a cell further out says where it is. */
const WIDEST_GAP = 50;

export function sheetSections(parts: OfficeParts): readonly OfficeSection[] {
  const strings = sharedStrings(parts.get("xl/sharedStrings.xml") ?? "");
  const names = sheetNames(parts.get("xl/workbook.xml") ?? "");
  const sheets = [...parts.keys()].filter((name) => name.startsWith("xl/worksheets/"));
  sheets.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  return sheets.map((name, index) => ({
    title: names[index] ?? name.slice("xl/worksheets/".length, -".xml".length),
    text: sheetText(parts.get(name) ?? "", strings),
  }));
}

function sheetNames(xml: string): string[] {
  const names: string[] = [];
  for (const token of xmlTokens(xml)) {
    if (token.kind !== "open" || token.name !== "sheet") continue;
    names.push(attributeOf(token.attributes, "name") ?? "");
  }
  return names;
}

/** Each may be written in several runs; a reading aid above a character is not part of it. */
function sharedStrings(xml: string): string[] {
  const strings: string[] = [];
  let inside = "";
  let text = "";
  for (const token of xmlTokens(xml)) {
    if (token.kind === "text") text += inside === "t" ? token.text : "";
    else if (token.kind === "open" && !token.empty) inside = inside === "rPh" ? inside : token.name;
    else if (token.kind === "close") {
      if (token.name === "si") {
        strings.push(text);
        text = "";
      }
      if (inside !== "rPh" || token.name === "rPh") inside = "";
    }
  }
  return strings;
}

type Cell = { readonly column: number; readonly type: string };

function sheetText(xml: string, strings: readonly string[]): string {
  const lines: string[] = [];
  let row: string[] = [];
  let cell: Cell | undefined;
  let value = "";
  let inside = "";
  for (const token of xmlTokens(xml)) {
    if (token.kind === "text") value += inside === "v" || inside === "t" ? token.text : "";
    else if (token.kind === "open") {
      inside = token.empty ? "" : token.name;
      if (token.name === "c" && !token.empty) cell = cellOf(token.attributes, row.length);
    } else {
      inside = "";
      if (token.name === "c" && cell) {
        putCell(row, cell, shownValue(cell, value, strings));
        value = "";
      } else if (token.name === "row") {
        if (row.length > 0) lines.push(row.join("\t"));
        row = [];
      }
    }
  }
  return lines.join("\n");
}

function cellOf(attributes: string, next: number): Cell {
  const letters = /^[A-Z]{1,3}/.exec(attributeOf(attributes, "r") ?? "")?.[0];
  const column = letters
    ? [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
    : next;
  return { column, type: attributeOf(attributes, "t") ?? "n" };
}

function shownValue({ type }: Cell, value: string, strings: readonly string[]): string {
  if (type === "s") return strings[Number(value)] ?? "";
  return type === "b" ? (value === "1" ? "TRUE" : "FALSE") : value;
}

function putCell(row: string[], { column }: Cell, value: string): void {
  const text = value.replaceAll(/[\t\n\r]+/g, " ");
  const gap = column - row.length;
  if (gap > WIDEST_GAP) row.push(`[column ${column + 1}] ${text}`);
  else row.push(...Array.from({ length: Math.max(0, gap) }, () => ""), text);
}
