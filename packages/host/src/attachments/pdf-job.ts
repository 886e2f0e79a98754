/** Reading a PDF, as the job of a process of its own; `pdf-text.ts` asks for it. */
import type { PdfText } from "./pdf-text.ts";
import { done, failed, type Tried, wordsOf } from "./tried.ts";

export type PdfInput = {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly maxChars: number;
};

/** The part of a document that is used here. */
interface Document {
  readonly numPages: number;
  getPage(page: number): Promise<{ getTextContent(): Promise<{ items: readonly Item[] }> }>;
}
/** A piece of a line, or a mark in the structure, which has no text. */
type Item = { readonly str?: string; readonly hasEOL?: boolean };

async function readPdf(input: PdfInput): Promise<Tried<PdfText>> {
  const { getDocumentProxy } = await import("unpdf");
  // The library refuses a `Buffer`, and takes for itself what it is given.
  const data = Uint8Array.from(input.bytes);
  const document = (await getDocumentProxy(data, { verbosity: 0 })) as Document;
  const { numPages: pages } = document;
  const texts: { page: number; text: string }[] = [];
  let left = input.maxChars;
  for (let page = input.from; page <= Math.min(input.to, pages); page += 1) {
    const text = await pageText(document, page);
    texts.push({ page, text: text.slice(0, left) });
    if (text.length > left) return done({ pages, texts, cut: { page, chars: text.length - left } });
    left -= text.length;
  }
  return done({ pages, texts });
}

async function pageText(document: Document, number: number): Promise<string> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  return items.map(({ str = "", hasEOL }) => (hasEOL ? `${str}\n` : str)).join("");
}

function reasonOf(error: unknown): string {
  switch ((error as { name?: unknown }).name) {
    case "PasswordException":
      return "the PDF is encrypted and wants a password";
    case "InvalidPDFException":
      return `it is not a whole PDF: ${wordsOf(error)}`;
    default:
      return `the PDF cannot be read: ${wordsOf(error)}`;
  }
}

export const run = (input: PdfInput): Promise<Tried<PdfText>> =>
  readPdf(input).catch((error: unknown) => failed(reasonOf(error)));
