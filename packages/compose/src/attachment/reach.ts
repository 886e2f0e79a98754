/**
 * How a model gets at a file that it is only told of: the tool to call, in a sentence for the
 * descriptor. Every type has one: what no tool knows can still be looked into by a shell.
 */
import { mediaClass } from "@galley/parts";
import { bareType } from "./media-route.ts";

export const REACH_TOOLS = [
  "read",
  "view_image",
  "pdf_text",
  "archive_list",
  "archive_extract",
  "office_text",
  "audio_info",
  "bash",
] as const;
export type ReachTool = (typeof REACH_TOOLS)[number];

type Reach = { readonly tools: readonly ReachTool[]; readonly sentence: string };

const TEXT: Reach = {
  tools: ["read"],
  sentence: "the read tool opens it, whole or by a range of lines",
};
const PICTURE: Reach = { tools: ["view_image"], sentence: "the view_image tool shows it" };
const PDF: Reach = {
  tools: ["pdf_text"],
  sentence: "the pdf_text tool reads its text, page by page",
};
const ARCHIVE: Reach = {
  tools: ["archive_list", "archive_extract"],
  sentence: "the archive_list tool names its files and archive_extract takes them out",
};
const OFFICE: Reach = { tools: ["office_text"], sentence: "the office_text tool reads its text" };
const AUDIO: Reach = {
  tools: ["audio_info", "bash"],
  sentence: "the audio_info tool tells its format and length; bash can convert it",
};
const VIDEO: Reach = {
  tools: ["bash"],
  sentence: "the bash tool can take frames and sound out of it",
};
const OTHER: Reach = { tools: ["bash"], sentence: "the bash tool can look into it" };

/** Pictures that can be decoded here; of the rest only a shell can make something. */
const VIEWED = /^image\/(png|jpeg|gif|webp|avif|tiff)$/;
const ARCHIVES = new Set([
  "application/zip",
  "application/x-tar",
  "application/gzip",
  "application/java-archive",
  "application/epub+zip",
]);
const OFFICES =
  /^application\/vnd\.(openxmlformats-officedocument\.(wordprocessingml\.document|presentationml\.presentation|spreadsheetml\.sheet)|oasis\.opendocument\.(text|presentation|spreadsheet))$/;

export function reachOf(mime: string | undefined): Reach {
  if (mime === undefined) return OTHER;
  const type = bareType(mime);
  if (ARCHIVES.has(type)) return ARCHIVE;
  if (OFFICES.test(type)) return OFFICE;
  switch (mediaClass(type)) {
    case "text":
      return TEXT;
    case "pdf":
      return PDF;
    case "audio":
      return AUDIO;
    case "video":
      return VIDEO;
    case "image":
      return VIEWED.test(type) ? PICTURE : OTHER;
    case "binary":
      return OTHER;
  }
}

/** The sentence for a descriptor. */
export const reachFor = (mime: string | undefined): string => reachOf(mime).sentence;
