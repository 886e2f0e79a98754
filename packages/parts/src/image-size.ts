/**
 * Width and height of an image, read from its header, and whether a GIF moves. Only the formats
 * that providers take; everything else has no size here, which is not the same as being small.
 */

export type ImageSize = { readonly width: number; readonly height: number };

/** Enough for the header of any of them, with the metadata that cameras put before it. */
export const IMAGE_HEAD_BYTES = 256 * 1024;

export function imageSize(bytes: Uint8Array, mime: string): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return READERS.get(mime)?.(view);
  } catch {
    // A `DataView` throws one kind of error: the header is cut off, so the size is not known.
    return undefined;
  }
}

type Reader = (view: DataView) => ImageSize | undefined;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["image/png", (view) => ({ width: view.getUint32(16), height: view.getUint32(20) })],
  ["image/gif", (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) })],
  ["image/jpeg", readJpeg],
  ["image/webp", readWebp],
]);

function readJpeg(view: DataView): ImageSize | undefined {
  let at = 2;
  while (view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (isFrame(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // A fill byte stands alone; every other segment says how long it is.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** SOF markers hold the size; three codes in their row are something else. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function readWebp(view: DataView): ImageSize | undefined {
  switch (view.getUint32(12)) {
    case 0x56503820: // "VP8 ": 14 bits each
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    case 0x5650384c: {
      // "VP8L": 14 bits each, packed, less one
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 0x56503858: // "VP8X": 24 bits each, less one
      return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
    default:
      return undefined;
  }
}

const uint24 = (view: DataView, at: number): number =>
  view.getUint16(at, true) | (view.getUint8(at + 2) << 16);

/** Whether a GIF holds more than one picture. */
export function isAnimatedGif(bytes: Uint8Array): boolean {
  let at = 13 + colourTable(bytes[10] ?? 0);
  let pictures = 0;
  while (at < bytes.length && pictures < 2) {
    const block = bytes[at];
    if (block === 0x2c) {
      pictures += 1;
      at = skipBlocks(bytes, at + 11 + colourTable(bytes[at + 9] ?? 0));
    } else if (block === 0x21) {
      at = skipBlocks(bytes, at + 2);
    } else {
      break;
    }
  }
  return pictures > 1;
}

const colourTable = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

function skipBlocks(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let size = bytes[at] ?? 0; size > 0 && at < bytes.length; size = bytes[at] ?? 0)
    at += size + 1;
  return at + 1;
}
