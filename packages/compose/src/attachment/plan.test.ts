import assert from "node:assert/strict";
import { test } from "node:test";
import { UserMessage } from "@galley/parts";
import { ATTACHMENT_LIMITS, saySize } from "./limits.ts";
import { type AttachedFile, planAttachment } from "./plan.ts";
import { bytesOf, LOCKED_PDF, PSD, png, UNKNOWN, ZIP } from "./sample-files.test.ts";

const SHA = "ab".repeat(32);
const MIB = 1024 * 1024;
const file = (name: string, bytes: Uint8Array, mime?: string): AttachedFile => ({
  name,
  bytes,
  sha256: SHA,
  mime,
});
const text = (size: number) => file("a.txt", new Uint8Array(size).fill(97), "text/plain");

test("a small file stays in its message", () => {
  const planned = planAttachment(file("a.txt", bytesOf("hi"), "text/plain"));
  assert.equal(planned.route, "inline");
  assert.deepEqual(planned.route === "inline" && planned.part, {
    type: "file-attachment",
    name: "a.txt",
    mime: "text/plain",
    size: 2,
    data: "aGk=",
  });
});

test("over 1 MB the message holds the hash and not the bytes", () => {
  assert.equal(planAttachment(text(MIB)).route, "inline");
  const planned = planAttachment(text(MIB + 1));
  assert.equal(planned.route, "blob");
  assert.deepEqual(planned.route === "blob" && planned.part, {
    type: "file-attachment",
    name: "a.txt",
    mime: "text/plain",
    size: 1_048_577,
    content_id: `sha256:${SHA}`,
  });
});

test("past 20 MB in the session even a small file leaves its message", () => {
  assert.equal(planAttachment(text(10), 20 * MIB - 10).route, "inline");
  assert.equal(planAttachment(text(10), 20 * MIB - 9).route, "blob");
});

test("a file over the limit is refused with what to do", () => {
  const limits = { ...ATTACHMENT_LIMITS, bytes: 2048 };
  const planned = planAttachment(text(2049), 0, limits);
  assert.equal(planned.route === "refused" && planned.code, "too-large");
  assert.equal(
    planned.route === "refused" && planned.message,
    '"a.txt" has 2 KB, and an attachment at most 2 KB: put it into the workspace and refer to it by its path',
  );
  assert.equal(planAttachment(text(2048), 0, limits).route, "inline");
});

test("a picture of a claimed 30000 × 30000 pixels is refused by its header", () => {
  const planned = planAttachment(file("bomb.png", png(30_000, 30_000), "image/png"));
  assert.equal(planned.route === "refused" && planned.code, "too-many-pixels");
  assert.equal(
    planned.route === "refused" && planned.message,
    '"bomb.png" claims 30000 × 30000 pixels, and a picture has at most 200000000 in all and 65535 a side: attach a smaller one',
  );
});

test("a picture as thin as a hair is refused by its longer side", () => {
  assert.equal(planAttachment(file("hair.png", png(1, 65_536))).route, "refused");
  assert.equal(planAttachment(file("long.png", png(1280, 20_000))).route, "inline");
});

test("a damaged or locked file is kept and only told of", () => {
  const planned = planAttachment(file("a.pdf", LOCKED_PDF, "application/pdf"));
  assert.ok(planned.route === "inline");
  assert.equal(planned.part.delivery, "descriptor");
  assert.equal(planned.part.reason, "the PDF is encrypted, which providers refuse");
  assert.ok(planned.part.data);
});

test("the declared type is kept, and what the bytes say stands beside it", () => {
  const planned = planAttachment(file("photo.jpg", png(2, 2), "image/jpeg"));
  assert.ok(planned.route === "inline");
  assert.equal(planned.part.mime, "image/jpeg");
  assert.equal(planned.part.sniffed_mime, "image/png");
  assert.equal(planned.facts.class, "image");
});

test("without a declared type the bytes and the ending say it", () => {
  const mimes = [
    file("a.docx", ZIP, "application/octet-stream"),
    file("a.docx", bytesOf("not a zip")),
    file("a.zip", ZIP, ""),
    file("a.psd", PSD),
    file("a.png", UNKNOWN),
  ].map((each) => {
    const planned = planAttachment(each);
    return planned.route === "inline" ? planned.part.mime : planned.route;
  });
  assert.deepEqual(mimes, [
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "text/plain",
    "application/zip",
    "image/vnd.adobe.photoshop",
    "application/octet-stream",
  ]);
});

test("a name that goes on and on is refused, and an empty one is called so", () => {
  assert.equal(planAttachment(file("n".repeat(255), bytesOf("x"))).route, "inline");
  const planned = planAttachment(file("n".repeat(256), bytesOf("x")));
  assert.equal(planned.route === "refused" && planned.code, "name-too-long");
  const unnamed = planAttachment(file("", bytesOf("x")));
  assert.equal(unnamed.route === "inline" && unnamed.part.name, "unnamed");
});

test("whatever is planned is a part of the vocabulary", () => {
  for (const each of [text(0), text(5), text(MIB + 1), file("a.pdf", LOCKED_PDF)]) {
    const planned = planAttachment(each);
    assert.ok(planned.route !== "refused");
    assert.equal(UserMessage.safeParse({ role: "user", parts: [planned.part] }).success, true);
  }
});

test("sizes are said in words", () => {
  const words = [0, 1, 1023, 1536, MIB, 12_000_000].map(saySize);
  assert.deepEqual(words, ["0 bytes", "1 byte", "1023 bytes", "1.5 KB", "1 MB", "11.4 MB"]);
});
