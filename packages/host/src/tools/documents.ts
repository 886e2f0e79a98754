/** The tools that read what is no plain text and no picture: PDF, office files, sound. */
import { fence, plainName } from "@galley/shape";
import type { Tool, ToolContext, ToolOutput } from "@galley/turn";
import { z } from "zod";
import { audioInfo } from "../attachments/audio-info.ts";
import { WORK_LIMITS, type WorkLimits } from "../attachments/bounded-process.ts";
import { type OfficeText, officeText } from "../attachments/office-text.ts";
import { type PdfText, pdfText } from "../attachments/pdf-text.ts";
import type { Tried } from "../attachments/tried.ts";
import { defineTool, refuse, STOPPED, say } from "./define-tool.ts";
import { subjectOf, TARGET_FIELDS, type ToolPlaces, withTarget } from "./target.ts";

const MOST_BYTES = 64 * 1024 * 1024;
const PAGE = z.int().min(1).optional();

export const pdfTextTool = (places: ToolPlaces, limits: WorkLimits = WORK_LIMITS): Tool =>
  defineTool({
    name: "pdf_text",
    description:
      "Reads the text of a PDF, page by page, at most 200000 characters a call; where it was cut is said. Use it for a PDF that is only named to you. It gives text alone: pictures and the look of a page are not in it, and a scanned page has none.",
    input: z.strictObject({
      ...TARGET_FIELDS,
      from_page: PAGE.describe("The first page, counted from 1; the first unless said."),
      to_page: PAGE.describe("The last page, itself included; the last unless said."),
    }),
    parallel: true,
    subject: subjectOf,
    run: ({ from_page: from, to_page: to, ...given }, context) =>
      withTarget(places, context, given, async ({ name, whole }) => {
        const bytes = await whole(MOST_BYTES);
        if (!bytes.ok) return refuse(`cannot read ${name}: ${bytes.reason}`);
        const range = {
          limits,
          ...(from !== undefined && { from }),
          ...(to !== undefined && { to }),
        };
        return orStopped(context, name, pdfText(bytes.value, range), (read) => pages(name, read));
      }),
  });

function pages(name: string, { pages: count, texts, cut }: PdfText): ToolOutput {
  const head = `${name}: ${count} ${count === 1 ? "page" : "pages"}`;
  const said = texts.map(({ page, text }) =>
    text.trim() === "" ? `Page ${page}: no text on it` : `Page ${page}:\n${fence(text)}`,
  );
  const end = cut ? [`(cut on page ${cut.page}; from_page ${cut.page} goes on)`] : [];
  return say([head, ...said, ...end].join("\n\n"), cut !== undefined);
}

export const officeTextTool = (places: ToolPlaces): Tool =>
  defineTool({
    name: "office_text",
    description:
      "Reads the text of a document, presentation or spreadsheet (docx, pptx, xlsx, odt, odp, ods), at most 200000 characters: a section for the document, each slide or each sheet, cells between tabs. Use it for such a file that is only named to you. It gives no pictures, styles or formulas, and does not read the older doc, ppt and xls.",
    input: z.strictObject(TARGET_FIELDS),
    parallel: true,
    subject: subjectOf,
    run: (input, context) =>
      withTarget(places, context, input, async ({ name, whole }) => {
        // Bytes: the process that reads them cannot use a file that is open here.
        const bytes = await whole(MOST_BYTES);
        if (!bytes.ok) return refuse(`cannot read ${name}: ${bytes.reason}`);
        return orStopped(context, name, officeText(bytes.value), (read) => sections(name, read));
      }),
  });

function sections(name: string, { kind, sections: all, cut }: OfficeText): ToolOutput {
  const said = all.map(({ title, text }) => `${plainName(title)}:\n${fence(text)}`);
  const end = cut
    ? [
        `(cut: ${cut.chars} characters and ${cut.sections} whole sections are left out; archive_extract takes its XML out)`,
      ]
    : [];
  return say([`${name}: ${kind}`, ...said, ...end].join("\n\n"), cut !== undefined);
}

export const audioInfoTool = (places: ToolPlaces): Tool =>
  defineTool({
    name: "audio_info",
    description:
      "Tells format, length, sample rate and channels of a sound file (wav, aiff, flac, ogg, mp3, aac, mp4), from its header. Use it to learn what a sound file is. It decodes nothing: what is said in it or how it sounds is not told.",
    input: z.strictObject(TARGET_FIELDS),
    parallel: true,
    subject: subjectOf,
    run: (input, context) =>
      withTarget(places, context, input, async ({ name, size, source }) => {
        const opened = await source(MOST_BYTES);
        const info = opened.ok ? await audioInfo(opened.value) : opened;
        if (!info.ok) return refuse(`cannot read ${name}: ${info.reason}`);
        const { sampleRate, bitsPerSample, ...rest } = info.value;
        const data = {
          name,
          size,
          ...rest,
          ...(sampleRate !== undefined && { sample_rate: sampleRate }),
          ...(bitsPerSample !== undefined && { bits_per_sample: bitsPerSample }),
        };
        return { type: "output", data };
      }),
  });

/** The process that reads has its own clock; whoever stops does not wait for it. */
async function orStopped<T>(
  { signal }: ToolContext,
  name: string,
  work: Promise<Tried<T>>,
  show: (value: T) => ToolOutput,
): Promise<ToolOutput> {
  const stop = Promise.withResolvers<undefined>();
  const stopped = (): void => stop.resolve(undefined);
  signal.addEventListener("abort", stopped, { once: true });
  if (signal.aborted) stopped();
  const tried = await Promise.race([work, stop.promise]);
  signal.removeEventListener("abort", stopped);
  if (tried === undefined) return STOPPED;
  return tried.ok ? show(tried.value) : refuse(`cannot read ${name}: ${tried.reason}`);
}
