/**
 * Bytes inside a part: what they are by their own word, and what a model pays for them.
 *
 * Their base64 is never measured as text, unless text is what they are.
 */
import {
  base64Head,
  base64Size,
  decodeBase64,
  IMAGE_HEAD_BYTES,
  imageSize,
  mediaClass,
  SNIFF_BYTES,
  sniffMedia,
} from "@galley/parts";
import { digestOf } from "./digest.ts";
import { estimateMedia } from "./estimate.ts";

export type Held = {
  readonly mime: string;
  /** What the model pays that is shown them. */
  readonly tokens: number;
  readonly digest: string;
};

export type Shown = {
  readonly text: string;
  readonly media: readonly Held[];
  /** Why it could not be had, where it could not. */
  readonly failed?: string;
};

/** About what a line takes that names a file instead of showing it. */
export const DESCRIPTOR_TOKENS = 50;

/** Of text: the longest that is written out. */
const INLINE_BYTES = 32 * 1024;

type Known = { readonly mime: string | undefined; readonly size: number; readonly sha256?: string };

export function heldBytes(name: string, base64: string, known?: Known): Shown {
  const mime = known ? known.mime : sniffMedia(base64Head(base64));
  const size = known?.size ?? base64Size(base64);
  if (mime === undefined || size === 0) return described(name, "", size);
  if (mediaClass(mime) === "text") return heldText(name, base64, size);
  const digest = known?.sha256 ?? digestOf(base64);
  return { text: "", media: [{ mime, tokens: price(mime, size, base64), digest }] };
}

function price(mime: string, size: number, base64: string): number {
  if (!mime.startsWith("image/")) return estimateMedia(mime, size);
  // Only cameras put much before the size.
  const head = mime === "image/jpeg" ? IMAGE_HEAD_BYTES : SNIFF_BYTES;
  return estimateMedia(mime, size, imageSize(base64Head(base64, head), mime));
}

function heldText(name: string, base64: string, size: number): Shown {
  const bytes = size > INLINE_BYTES ? undefined : decodeBase64(base64);
  if (!bytes) return described(name, "text/plain", size);
  return { text: `File ${name}:\n\`\`\`\n${decoder.decode(bytes)}\n\`\`\``, media: [] };
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const described = (name: string, mime: string, size: number): Shown => ({
  text: `[attachment: ${name}, ${mime}, ${size} bytes; content not shown: its format is not one a model reads]`,
  media: [],
});

const DATA_URL = /^data:[^,]{0,200};base64,/;

export function heldUrl(name: string, url: string): Shown {
  const [head] = DATA_URL.exec(url.slice(0, 256)) ?? [];
  return head === undefined
    ? described(`${name} ${url.slice(0, 256)}`, "", 0)
    : heldBytes(name, url.slice(head.length));
}

/** Under which keys a tool's output holds base64. */
const BYTES_KEYS = ["data", "blob"] as const;
/** Nothing shorter is worth a look. */
const SHORTEST = 64;

/** A tool's output without its media, and the media. The same value where it has none. */
export function takeMedia(output: unknown): { value: unknown; media: readonly Held[] } {
  const content = contentOf(output);
  if (!content) return { value: output, media: [] };
  const media: Held[] = [];
  const kept = content.flatMap((item): unknown[] => {
    const base64 = base64Of(item);
    const shown = base64 === undefined ? undefined : heldBytes("of a tool result", base64);
    if (!shown) return [item];
    media.push(...shown.media);
    return shown.text === "" ? [] : [{ text: shown.text }];
  });
  return media.length === 0 && kept.length === content.length
    ? { value: output, media }
    : { value: { content: kept }, media };
}

function contentOf(output: unknown): readonly unknown[] | undefined {
  if (typeof output !== "object" || output === null) return undefined;
  const { type, data, content } = output as Record<string, unknown>;
  if (type === "output") return contentOf(data);
  return Array.isArray(content) ? content : undefined;
}

function base64Of(item: unknown): string | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const { resource } = item as { resource?: unknown };
  const held = (typeof resource === "object" && resource !== null ? resource : item) as Record<
    string,
    unknown
  >;
  if (typeof held.text === "string") return undefined;
  const found = BYTES_KEYS.map((key) => held[key]).find((each) => typeof each === "string");
  return typeof found === "string" && found.length >= SHORTEST ? found : undefined;
}
