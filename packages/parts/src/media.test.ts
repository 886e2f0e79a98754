/** What a file is, by its bytes; and that no word at the head of a text passes for a format. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { base64Head, base64Size, mediaClass, sniffMedia } from "./media.ts";

/** Latin-1: every character is one byte. */
const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

const SNIFFED: readonly (readonly [string, string])[] = [
  ["\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png"],
  ["\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg"],
  ["GIF87a\x01\0", "image/gif"],
  ["GIF89a\x01\0", "image/gif"],
  ["RIFF\x24\0\0\0WEBPVP8 ", "image/webp"],
  ["RIFF\x24\0\0\0WAVEfmt ", "audio/wav"],
  ["RIFF\x24\0\0\0AVI LIST", "video/x-msvideo"],
  ["8BPS\0\x01", "image/vnd.adobe.photoshop"],
  ["II*\0\x08\0", "image/tiff"],
  ["MM\0*\0\0", "image/tiff"],
  ["BM\x36\0\0\0\0\0\0\0", "image/bmp"],
  ["\0\0\x01\0\x01\0", "image/x-icon"],
  ["\0\0\0\x0cjP  \r\n", "image/jp2"],
  ["\0\0\0\x1cftypavif", "image/avif"],
  ["\0\0\0\x18ftypheic", "image/heic"],
  ["\0\0\0\x18ftypmif1", "image/heif"],
  ["\0\0\0\x20ftypM4A ", "audio/mp4"],
  ["\0\0\0\x14ftypqt  ", "video/quicktime"],
  ["\0\0\0\x18ftyp3gp4", "video/3gpp"],
  ["\0\0\0\x20ftypisom", "video/mp4"],
  ["\x1a\x45\xdf\xa3\x01", "video/webm"],
  ["FLV\x01\x05", "video/x-flv"],
  ["\0\0\x01\xba", "video/mpeg"],
  ["ID3\x03\0", "audio/mpeg"],
  ["\xff\xfb\x90\0", "audio/mpeg"],
  ["\xff\xf1\x50\x80", "audio/aac"],
  ["fLaC\0", "audio/flac"],
  ["OggS\0\x02", "audio/ogg"],
  ["FORM\0\0\0\x2eAIFF", "audio/aiff"],
  ["%PDF-1.7\n", "application/pdf"],
  ["PK\x03\x04\x14\0", "application/zip"],
  ["PK\x05\x06\0\0", "application/zip"],
  ["\x1f\x8b\x08\0", "application/gzip"],
  ["BZh91AY&SY", "application/x-bzip2"],
  [`${"a".repeat(257)}ustar\x0000`, "application/x-tar"],
  ["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-cfb"],
  ["SQLite format 3\0", "application/vnd.sqlite3"],
  ["\x7fELF\x02", "application/x-elf"],
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', "image/svg+xml"],
  ['<?xml version="1.0"?>\n<!-- a -->\n<svg>', "image/svg+xml"],
  ["<html><svg></svg></html>", "text/plain"],
  ["plain", "text/plain"],
  ["\xef\xbb\xbfwith a mark", "text/plain"],
];

for (const [head, mime] of SNIFFED) {
  test(`${JSON.stringify(head.slice(0, 24))} is ${mime}`, () => {
    assert.equal(sniffMedia(bytes(head)), mime);
  });
}

test("a text that begins with the name of a format is a text", () => {
  for (const text of ["ID3 tags", "BZhang wrote", "the ftyp box", "RIFFs", "PK is short", "BM"]) {
    assert.equal(sniffMedia(bytes(text)), "text/plain");
  }
});

test("nothing, a NUL and broken UTF-8 say nothing", () => {
  assert.equal(sniffMedia(new Uint8Array()), undefined);
  assert.equal(sniffMedia(bytes("a\0b")), undefined);
  assert.equal(sniffMedia(bytes("caf\xe9 noir")), undefined);
});

test("a character that the sniffer's own limit splits does not make a text binary", () => {
  const text = `${"a".repeat(4095)}€`;
  assert.equal(sniffMedia(new TextEncoder().encode(text)), "text/plain");
});

test("the head of a base64 text is the head of its bytes", () => {
  assert.deepEqual([...base64Head(btoa("abcdefgh"), 3)], [97, 98, 99]);
  assert.equal(base64Head(btoa("a".repeat(9000))).length, 4098);
  assert.equal(base64Head("").length, 0);
});

test("the size of a base64 text is the size of its bytes", () => {
  for (const length of [0, 1, 2, 3, 4, 5, 1000]) {
    assert.equal(base64Size(btoa("x".repeat(length))), length);
  }
});

const CLASSES: readonly (readonly [string, string])[] = [
  ["text/x-anything", "text"],
  ["TEXT/HTML; charset=utf-8", "text"],
  ["application/json", "text"],
  ["application/ld+json", "text"],
  ["image/svg+xml", "text"],
  ["image/png", "image"],
  ["image/vnd.adobe.photoshop", "image"],
  ["application/pdf", "pdf"],
  ["audio/wav", "audio"],
  ["video/mp4", "video"],
  ["application/zip", "binary"],
  ["", "binary"],
  ["nonsense", "binary"],
];

for (const [mime, expected] of CLASSES) {
  test(`${JSON.stringify(mime)} belongs to the class ${expected}`, () => {
    assert.equal(mediaClass(mime), expected);
  });
}
