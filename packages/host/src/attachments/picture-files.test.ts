/** Pictures made for tests, with the real library. It tests nothing itself. */
import { crc32 } from "node:zlib";
import sharp from "sharp";

export function made(
  width: number,
  height: number,
  format: "png" | "jpeg" | "gif" | "webp" | "tiff",
  orientation = 1,
  frames = 1,
): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * frames * 3);
  // Each frame has a colour of its own, or they would be written as one.
  for (let frame = 0; frame < frames; frame += 1) {
    pixels.fill(60 * frame + 40, frame * width * height * 3, (frame + 1) * width * height * 3);
  }
  const raw = { width, height: height * frames, channels: 3 as const };
  const picture = sharp(pixels, { raw: frames > 1 ? { ...raw, pageHeight: height } : raw });
  return picture.withMetadata({ orientation }).toFormat(format).toBuffer();
}

/** Black on the left and white on the right, as it is stored. */
export function halves(orientation: number): Promise<Buffer> {
  const pixels = Buffer.alloc(64 * 32 * 3);
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = Math.floor(at / 3) % 64 < 32 ? 0 : 255;
  const picture = sharp(pixels, { raw: { width: 64, height: 32, channels: 3 } });
  return picture.withMetadata({ orientation }).jpeg({ quality: 100 }).toBuffer();
}

/** The brightness of a pixel, from 0 to 255. */
export async function brightness(bytes: Uint8Array, x: number, y: number): Promise<number> {
  const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  return data[(y * info.width + x) * info.channels] ?? -1;
}

/** Every pixel differs from its neighbours, so that nothing compresses. */
export function noise(width: number, height: number, channels: 3 | 4): Promise<Buffer> {
  const pixels = new Uint8Array(width * height * channels);
  let state = 1;
  for (let at = 0; at < pixels.length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    pixels[at] = state >>> 24;
  }
  return sharp(pixels, { raw: { width, height, channels } }).png().toBuffer();
}

/** A header that claims a size, and next to nothing behind it. */
export function headerPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
  const pixels = chunk("IDAT", Buffer.from([0x78, 0x9c, 3, 0, 0, 0, 0, 1]));
  return Buffer.concat([signature, chunk("IHDR", header), pixels, chunk("IEND", Buffer.alloc(0))]);
}
