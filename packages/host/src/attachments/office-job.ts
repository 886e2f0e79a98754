/** Reading an office document, as the job of a process of its own; `office-text.ts` asks for it. */
import type { Sink } from "./archive-entry.ts";
import { OFFICE_PARTS, type OfficeKind, officeSections } from "./office-format.ts";
import type { OfficeSection } from "./office-sheet.ts";
import type { OfficeText } from "./office-text.ts";
import type { Source } from "./source.ts";
import { done, failed, type Tried } from "./tried.ts";
import { walkArchive } from "./walk-archive.ts";

export type OfficeInput = {
  readonly source: Source;
  readonly maxChars: number;
  readonly maxBytes: number;
};

const ENTRIES = 10_000;

export async function run({ source, maxChars, maxBytes }: OfficeInput): Promise<Tried<OfficeText>> {
  const parts = new Map<string, string>();
  const broken: string[] = [];
  const walked = await walkArchive(
    source,
    async ({ name, refused }) =>
      refused === undefined && kindOf(name) ? collect(name, parts, broken) : undefined,
    { entries: ENTRIES, bytes: maxBytes },
  );
  if (!walked.ok) return failed(`it is not an office document: ${walked.reason}`);
  if (walked.value.stopped !== undefined) return failed(walked.value.stopped);
  const [first] = parts.keys();
  const kind = first === undefined ? undefined : kindOf(first);
  if (broken[0] !== undefined) return failed(`the document is damaged: ${broken[0]}`);
  if (kind === undefined) {
    const known = "docx, pptx, xlsx, odt, odp and ods are read";
    return failed(`the archive holds no text of an office document (${known})`);
  }
  return done({ kind, ...fitted(officeSections(kind, parts), maxChars) });
}

const kindOf = (name: string): OfficeKind | undefined =>
  OFFICE_PARTS.find(([, pattern]) => pattern.test(name))?.[0];

function collect(name: string, parts: Map<string, string>, broken: string[]): Sink {
  const chunks: Uint8Array[] = [];
  return {
    async write(chunk) {
      chunks.push(chunk);
    },
    async end(reason) {
      if (reason !== undefined) broken.push(`${name}: ${reason}`);
      parts.set(name, textOf(Buffer.concat(chunks)));
    },
  };
}

/** XML says by its first bytes that it is not in UTF-8. */
function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0);
  return new TextDecoder(isWide ? "utf-16le" : "utf-8").decode(bytes);
}

function fitted(
  sections: readonly OfficeSection[],
  maxChars: number,
): Pick<OfficeText, "sections" | "cut"> {
  let left = maxChars;
  const shown = sections.flatMap(({ title, text }) => {
    if (left <= 0 && text !== "") return [];
    const head = text.slice(0, left);
    left -= head.length;
    return [{ title, text: head }];
  });
  const lengthOf = (each: readonly OfficeSection[]): number =>
    each.reduce((sum, { text }) => sum + text.length, 0);
  const chars = lengthOf(sections) - lengthOf(shown);
  const cut = { chars, sections: sections.length - shown.length };
  return { sections: shown, ...(chars > 0 && { cut }) };
}
