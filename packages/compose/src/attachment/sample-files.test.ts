/** Files of each type, made by code, as small as their format allows. It tests nothing itself. */

const ascii = (text: string): number[] => [...text].map((char) => char.charCodeAt(0));
const be32 = (value: number): number[] => [24, 16, 8, 0].map((bits) => (value >>> bits) & 255);
const le16 = (value: number): number[] => [value & 255, value >>> 8];
const le32 = (value: number): number[] => be32(value).reverse();

/** Signature, header, an empty picture and the end; checksums are zero, which nobody here reads. */
export function png(width: number, height: number): Uint8Array {
  const chunk = (type: string, data: number[]) => [
    ...be32(data.length),
    ...ascii(type),
    ...data,
    ...be32(0),
  ];
  return Uint8Array.from([
    ...[0x89, ...ascii("PNG"), 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk("IHDR", [...be32(width), ...be32(height), 8, 2, 0, 0, 0]),
    ...chunk("IDAT", [1, 2, 3]),
    ...chunk("IEND", []),
  ]);
}

export function jpeg(width: number, height: number): Uint8Array {
  const size = [height >>> 8, height & 255, width >>> 8, width & 255];
  return Uint8Array.from([
    ...[0xff, 0xd8],
    // A preview with an end of its own, inside the metadata.
    ...[0xff, 0xe1, 0, 6, 1, 2, 0xff, 0xd9],
    ...[0xff, 0xc0, 0, 11, 8, ...size, 1, 0, 0x11, 0],
    ...[0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0],
    ...[9, 9, 9, 0xff, 0xd9],
  ]);
}

export function gif(width: number, height: number, frames = 1): Uint8Array {
  const frame = [0x2c, 0, 0, 0, 0, ...le16(width), ...le16(height), 0, 2, 1, 0x44, 0];
  return Uint8Array.from([
    ...ascii("GIF89a"),
    ...[...le16(width), ...le16(height), 0, 0, 0],
    ...Array.from({ length: frames }, () => frame).flat(),
    0x3b,
  ]);
}

export function webp(width: number, height: number): Uint8Array {
  const size = (value: number) => le32(value - 1).slice(0, 3);
  const body = [...ascii("WEBPVP8X"), ...le32(10), 0, 0, 0, 0, ...size(width), ...size(height)];
  return Uint8Array.from([...ascii("RIFF"), ...le32(body.length), ...body]);
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export const PDF = bytesOf("%PDF-1.7\ntrailer << /Root 1 0 R >>\nstartxref\n9\n%%EOF\n");
export const LOCKED_PDF = bytesOf(
  "%PDF-1.7\ntrailer << /Root 1 0 R /Encrypt 5 0 R >>\nstartxref\n9\n%%EOF\n",
);
export const ZIP = Uint8Array.from([...ascii("PK"), 3, 4, 20, 0, 0, 0]);
export const PSD = Uint8Array.from([...ascii("8BPS"), 0, 1]);
export const MP3 = Uint8Array.from([...ascii("ID3"), 4, 0, 0, 0, 0, 0, 0]);
export const MP4 = Uint8Array.from([0, 0, 0, 20, ...ascii("ftypisom"), 0, 0, 2, 0]);
export const UNKNOWN = Uint8Array.from([0, 159, 146, 150, 7, 7, 7]);
