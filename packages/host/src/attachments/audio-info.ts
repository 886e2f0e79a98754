/**
 * Format and length of a sound file, from its header: a few small reads, however long it is.
 * Nothing is decoded, so what is told is what the file claims.
 */
import { sniffMedia } from "@galley/parts";
import { readAiff, readWav } from "./audio-chunks.ts";
import { readFlac } from "./audio-flac.ts";
import { readMp4 } from "./audio-mp4.ts";
import { readAac, readMp3 } from "./audio-mpeg.ts";
import { readOgg } from "./audio-ogg.ts";
import type { AudioInfo, AudioReader } from "./audio-view.ts";
import { type Source, withSource } from "./source.ts";
import { done, failed, type Tried } from "./tried.ts";

const READERS: ReadonlyMap<string, AudioReader> = new Map([
  ["audio/wav", readWav],
  ["audio/aiff", readAiff],
  ["audio/flac", readFlac],
  ["audio/ogg", readOgg],
  ["audio/mpeg", readMp3],
  ["audio/aac", readAac],
  ["audio/mp4", readMp4],
  // A video has a sound too, and a file of sound alone may call itself one.
  ["video/mp4", readMp4],
  ["video/quicktime", readMp4],
]);

const SNIFFED = 4096;

export function audioInfo(source: Source): Promise<Tried<AudioInfo>> {
  return withSource(source, async (open) => {
    const mime = sniffMedia(await open.read(0, SNIFFED));
    const read = READERS.get(mime ?? "");
    if (read === undefined)
      return failed(`its bytes are ${mime ?? "of no known format"}, not sound that is read here`);
    const info = await read(open);
    return info ? done(info) : failed(`it begins as ${mime} and its header is not whole`);
  });
}
