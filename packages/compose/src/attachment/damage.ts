/**
 * Whether a file of a type that providers take is whole enough to be sent.
 *
 * A provider answers a picture without an end or a locked PDF by refusing the request, and an
 * attachment stays in the history: the refusal would come back with every later turn. So the frame
 * of the file is walked, not its content; what is wrong with it is a sentence.
 */
import { imageSize } from "@galley/parts";

/** Undefined when nothing is wrong, or when the type has no check. */
export function damageOf(bytes: Uint8Array, mime: string): string | undefined {
  if (mime === "application/pdf") return pdfDamage(bytes);
  const isWhole = PICTURES.get(mime);
  if (isWhole === undefined) return undefined;
  const size = imageSize(bytes, mime);
  if (size === undefined || size.width === 0 || size.height === 0) {
    return "the picture has no readable size, so it is damaged";
  }
  return isWhole(bytes) ? undefined : "the picture ends before its end, so it is damaged";
}

type Check = (bytes: Uint8Array) => boolean;

const PICTURES: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["image/png", isWholePng],
  ["image/jpeg", isWholeJpeg],
  ["image/gif", isWholeGif],
  ["image/webp", (bytes) => uint32(bytes, 4, true) + 8 <= bytes.length],
]);

/** Chunks, each with its length, up to the one that ends the file. */
function isWholePng(bytes: Uint8Array): boolean {
  const END = 0x49454e44;
  for (let at = 8; at + 12 <= bytes.length; at += 12 + uint32(bytes, at)) {
    if (uint32(bytes, at + 4) === END) return true;
  }
  return false;
}

/** The end has to come after the picture begins: a preview in front of it has an end of its own. */
function isWholeJpeg(bytes: Uint8Array): boolean {
  const SCAN = 0xda;
  let at = 2;
  while (bytes[at] === 0xff && bytes[at + 1] !== SCAN) {
    // A fill byte stands alone; every other segment says how long it is.
    const length = 256 * (bytes[at + 2] ?? 0) + (bytes[at + 3] ?? 0);
    at += bytes[at + 1] === 0xff ? 1 : 2 + length;
  }
  return bytes[at + 1] === SCAN && lastPair(bytes, 0xff, 0xd9) > at;
}

/** Pictures and extensions, each a run of counted blocks, up to the byte that ends the file. */
function isWholeGif(bytes: Uint8Array): boolean {
  let at = 13 + coloursAt(bytes, 10);
  while (bytes[at] !== 0x3b) {
    if (bytes[at] === 0x2c) at += 11 + coloursAt(bytes, at + 9);
    else if (bytes[at] === 0x21) at += 2;
    else return false;
    while ((bytes[at] ?? 0) > 0) at += 1 + (bytes[at] ?? 0);
    at += 1;
  }
  return true;
}

function coloursAt(bytes: Uint8Array, at: number): number {
  const flags = bytes[at] ?? 0;
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function uint32(bytes: Uint8Array, at: number, little = false): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at, little);
}

function lastPair(bytes: Uint8Array, first: number, second: number): number {
  let at = bytes.lastIndexOf(second);
  while (at > 0 && bytes[at - 1] !== first) at = bytes.lastIndexOf(second, at - 1);
  return at - 1;
}

function pdfDamage(bytes: Uint8Array): string | undefined {
  const text = latin1(bytes);
  // An indirect reference or a dictionary: the word alone may be anybody's text.
  if (/\/Encrypt\s*(\d+\s+\d+\s+R|<<)/.test(text)) {
    return "the PDF is encrypted, which providers refuse";
  }
  return text.includes("startxref") || text.includes("%%EOF")
    ? undefined
    : "the PDF ends before its end, so it is damaged";
}

const CHUNK = 0x8000;

/** One character a byte, so that a pattern can look at bytes. */
function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return text;
}
