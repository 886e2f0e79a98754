import assert from "node:assert/strict";
import { test } from "node:test";
import { attachmentClass, endingType, routedMedia } from "./media-route.ts";
import {
  bytesOf,
  gif,
  jpeg,
  MP3,
  MP4,
  PDF,
  PSD,
  png,
  UNKNOWN,
  webp,
  ZIP,
} from "./sample-files.test.ts";

const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

const ROUTES: readonly (readonly [string, Uint8Array, string | undefined, string | undefined])[] = [
  ["a picture called text is a picture", png(1, 1), "text/plain", "image/png"],
  ["a text called a picture is text", bytesOf("hello"), "image/png", "text/plain"],
  ["a text may say which text", bytesOf("# hi"), "text/markdown; charset=utf-8", "text/markdown"],
  ["a zip may say what it holds", ZIP, DOCX, DOCX],
  ["a zip cannot say that it is a picture", ZIP, "image/png", "application/zip"],
  ["an mp4 may hold sound alone", MP4, "audio/mp4", "audio/mp4"],
  ["bytes that nobody knows have no type", UNKNOWN, "image/png", undefined],
  ["no claim, the bytes alone", PDF, undefined, "application/pdf"],
];

for (const [says, bytes, claim, expected] of ROUTES) {
  test(`${says}`, () => assert.equal(routedMedia(bytes, claim), expected));
}

test("each class of the compositor's table is reached by bytes", () => {
  const classes = [bytesOf("x"), png(1, 1), jpeg(1, 1), gif(1, 1), webp(1, 1), PDF, MP3, MP4, ZIP];
  assert.deepEqual(
    classes.map((bytes) => attachmentClass(routedMedia(bytes))),
    ["text", "image", "image", "image", "image", "pdf", "audio", "video", "binary"],
  );
});

test("a picture that no provider takes is a binary", () => {
  assert.equal(routedMedia(PSD), "image/vnd.adobe.photoshop");
  assert.equal(attachmentClass("image/vnd.adobe.photoshop"), "binary");
  assert.equal(attachmentClass(undefined), "binary");
});

test("an svg is text", () => {
  assert.equal(attachmentClass(routedMedia(bytesOf("<svg xmlns='x'/>"))), "text");
});

test("an ending is read without regard to case, and only at the end", () => {
  assert.equal(endingType("Report.DOCX"), DOCX);
  assert.equal(endingType("report.docx.bak"), undefined);
  assert.equal(endingType("docx"), undefined);
});
