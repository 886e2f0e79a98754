/**
 * What a file is, by its bytes.
 *
 * Names and declared types are claims; the first bytes decide. The table holds the formats that a
 * provider takes or that people attach most; whatever it does not know is text if it reads as text,
 * and otherwise nothing: the caller then has a binary.
 */

type Magic = {
  readonly mime: string;
  /** Bytes at an offset; `null` stands for any byte. */
  readonly at: number;
  readonly bytes: readonly (number | null)[];
};

const ascii = (text: string): number[] => [...text].map((char) => char.charCodeAt(0));
const any = (count: number): null[] => Array.from({ length: count }, () => null);
const row = (mime: string, at: number, ...bytes: (number | null)[]): Magic => ({ mime, at, bytes });

/** The first box of an ISO media file: a size that fits in two bytes, `ftyp` and the brand. */
const box = (brand: string): (number | null)[] => [0, 0, ...any(2), ...ascii(`ftyp${brand}`)];

const MAGIC: readonly Magic[] = [
  row("image/png", 0, 0x89, ...ascii("PNG"), 0x0d, 0x0a, 0x1a, 0x0a),
  row("image/jpeg", 0, 0xff, 0xd8, 0xff),
  row("image/gif", 0, ...ascii("GIF87a")),
  row("image/gif", 0, ...ascii("GIF89a")),
  row("image/webp", 0, ...ascii("RIFF"), ...any(4), ...ascii("WEBP")),
  row("audio/wav", 0, ...ascii("RIFF"), ...any(4), ...ascii("WAVE")),
  row("video/x-msvideo", 0, ...ascii("RIFF"), ...any(4), ...ascii("AVI ")),
  row("image/vnd.adobe.photoshop", 0, ...ascii("8BPS")),
  row("image/tiff", 0, ...ascii("II"), 0x2a, 0x00),
  row("image/tiff", 0, ...ascii("MM"), 0x00, 0x2a),
  row("image/bmp", 0, ...ascii("BM"), ...any(4), 0, 0, 0, 0),
  row("image/x-icon", 0, 0, 0, 1, 0),
  row("image/jp2", 0, 0, 0, 0, 12, ...ascii("jP  ")),
  row("image/avif", 0, ...box("avif")),
  row("image/heic", 0, ...box("heic")),
  row("image/heic", 0, ...box("heix")),
  row("image/heif", 0, ...box("mif1")),
  row("audio/mp4", 0, ...box("M4A")),
  row("video/quicktime", 0, ...box("qt")),
  row("video/3gpp", 0, ...box("3gp")),
  row("video/mp4", 0, ...box("")),
  row("video/webm", 0, 0x1a, 0x45, 0xdf, 0xa3),
  row("video/x-flv", 0, ...ascii("FLV"), 1),
  row("video/mpeg", 0, 0, 0, 1, 0xba),
  row("video/mpeg", 0, 0, 0, 1, 0xb3),
  // With the version: a text may begin with the word alone.
  row("audio/mpeg", 0, ...ascii("ID3"), 2),
  row("audio/mpeg", 0, ...ascii("ID3"), 3),
  row("audio/mpeg", 0, ...ascii("ID3"), 4),
  row("audio/mpeg", 0, 0xff, 0xfb),
  row("audio/mpeg", 0, 0xff, 0xf3),
  row("audio/mpeg", 0, 0xff, 0xf2),
  row("audio/aac", 0, 0xff, 0xf1),
  row("audio/aac", 0, 0xff, 0xf9),
  row("audio/flac", 0, ...ascii("fLaC")),
  row("audio/ogg", 0, ...ascii("OggS")),
  row("audio/aiff", 0, ...ascii("FORM"), ...any(4), ...ascii("AIF")),
  row("audio/amr", 0, ...ascii("#!AMR")),
  row("application/pdf", 0, ...ascii("%PDF-")),
  row("application/zip", 0, ...ascii("PK"), 3, 4),
  row("application/zip", 0, ...ascii("PK"), 5, 6),
  row("application/gzip", 0, 0x1f, 0x8b),
  row("application/x-7z-compressed", 0, ...ascii("7z"), 0xbc, 0xaf, 0x27, 0x1c),
  row("application/vnd.rar", 0, ...ascii("Rar!"), 0x1a, 0x07),
  row("application/x-xz", 0, 0xfd, ...ascii("7zXZ"), 0),
  row("application/zstd", 0, 0x28, 0xb5, 0x2f, 0xfd),
  row("application/x-bzip2", 0, ...ascii("BZh"), ...any(1), ...ascii("1AY&SY")),
  row("application/x-tar", 257, ...ascii("ustar")),
  row("application/x-cfb", 0, 0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1),
  row("application/vnd.sqlite3", 0, ...ascii("SQLite format 3"), 0),
  row("application/wasm", 0, 0, ...ascii("asm")),
  row("application/x-elf", 0, 0x7f, ...ascii("ELF")),
  row("font/woff2", 0, ...ascii("wOF2")),
  row("font/ttf", 0, 0, 1, 0, 0, 0),
];

/** As many leading bytes as the sniffer looks at. */
export const SNIFF_BYTES = 4096;

/** The media type that the bytes say, or nothing when they do not say. */
export function sniffMedia(bytes: Uint8Array): string | undefined {
  const found = MAGIC.find((magic) => matches(magic, bytes))?.mime;
  if (found) return found;
  const text = leadingText(bytes);
  if (text === undefined || bytes.length === 0) return undefined;
  return /^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/i.test(text)
    ? "image/svg+xml"
    : "text/plain";
}

function matches({ at, bytes: magic }: Magic, bytes: Uint8Array): boolean {
  if (bytes.length < at + magic.length) return false;
  return magic.every((byte, index) => byte === null || byte === bytes[at + index]);
}

function leadingText(bytes: Uint8Array): string | undefined {
  const head = bytes.subarray(0, SNIFF_BYTES);
  if (head.includes(0)) return undefined;
  try {
    // `stream` lets a character that the cut splits at the end pass.
    return new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
  } catch {
    // The one way a fatal decode fails: these bytes are not UTF-8, so this is not text.
    return undefined;
  }
}

/** The bytes of a base64 text; undefined when it is not base64. */
export function decodeBase64(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    // `atob` throws one kind of error: this is not base64.
    return undefined;
  }
}

/** The first bytes of a base64 text, enough to sniff; none when it is not base64. */
export function base64Head(base64: string, bytes = SNIFF_BYTES): Uint8Array {
  return decodeBase64(base64.slice(0, Math.ceil(bytes / 3) * 4)) ?? new Uint8Array();
}

/** Whether a text is base64 as providers take it: padded, in one line, in the plain alphabet. */
export const isBase64 = (text: string): boolean =>
  text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

/** How many bytes a base64 text stands for. */
export function base64Size(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}

export type MediaClass = "text" | "image" | "pdf" | "audio" | "video" | "binary";

/** The class of the compositor's attachment table that a media type belongs to. */
export function mediaClass(mime: string): MediaClass {
  const type = mime.toLowerCase().split(";")[0]?.trim() ?? "";
  if (type === "application/pdf") return "pdf";
  if (TEXT_TYPES.has(type) || type.startsWith("text/") || /\+(json|xml|yaml)$/.test(type)) {
    return "text";
  }
  const family = type.split("/")[0];
  return family === "image" || family === "audio" || family === "video" ? family : "binary";
}

const TEXT_TYPES = new Set([
  "application/json",
  "application/xml",
  "application/yaml",
  "application/toml",
  "application/javascript",
  "application/typescript",
  "application/x-sh",
  "application/sql",
]);
