/**
 * The media type of an attached file: what its bytes say, made finer by its name where bytes
 * leave room. A name alone never makes a file a picture.
 */
import { mediaClass, sniffMedia } from "@galley/parts";

const TEXTS: Readonly<Record<string, string>> = {
  css: "text/css",
  csv: "text/csv",
  htm: "text/html",
  html: "text/html",
  js: "text/javascript",
  json: "application/json",
  md: "text/markdown",
  mjs: "text/javascript",
  py: "text/x-python",
  sh: "application/x-sh",
  sql: "application/sql",
  toml: "application/toml",
  ts: "application/typescript",
  tsv: "text/tab-separated-values",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
};

const OPEN_XML = "application/vnd.openxmlformats-officedocument";

/** Formats inside a container that the sniffer sees only as such. */
const CONTAINED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "application/zip": {
    docx: `${OPEN_XML}.wordprocessingml.document`,
    epub: "application/epub+zip",
    jar: "application/java-archive",
    odt: "application/vnd.oasis.opendocument.text",
    pptx: `${OPEN_XML}.presentationml.presentation`,
    xlsx: `${OPEN_XML}.spreadsheetml.sheet`,
  },
  "application/x-cfb": {
    doc: "application/msword",
    ppt: "application/vnd.ms-powerpoint",
    xls: "application/vnd.ms-excel",
  },
  "video/mp4": { m4a: "audio/mp4" },
};

export function mediaOf(name: string, bytes: Uint8Array): string {
  const ending = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const sniffed = sniffMedia(bytes);
  if (sniffed === undefined) return "application/octet-stream";
  const finer = mediaClass(sniffed) === "text" ? TEXTS : (CONTAINED[sniffed] ?? {});
  return Object.hasOwn(finer, ending) ? (finer[ending] ?? sniffed) : sniffed;
}
