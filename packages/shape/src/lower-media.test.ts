/** What has bytes: the bytes choose the route, and nothing goes out that the model does not take. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Material } from "@galley/assemble";
import { type Lowered, lowerPart, type Target } from "./lower.ts";

const TAKEN = ["image/png", "application/pdf", "audio/wav"];
const target: Target = {
  refuses: (mime, size) =>
    !TAKEN.includes(mime)
      ? `the model does not take ${mime}`
      : size > 1000
        ? "over the model's limit of 1000 bytes"
        : undefined,
  inlineTextBytes: 20,
};

/** Latin-1: every character is one byte. */
const PNG = btoa("\x89PNG\r\n\x1a\n....");
const PDF = btoa("%PDF-1.7\n");
const PSD = btoa("8BPS\0\x01......");
const ZIP = btoa("PK\x03\x04......");

const attach = (name: string, mime: string, data: string): Lowered =>
  lowerPart({ type: "file-attachment", name, mime, data }, undefined, target);
const textOf = ({ blocks: [block] }: Lowered): string => (block?.type === "text" ? block.text : "");

test("an image the model takes goes out as it is, under its own name", () => {
  assert.deepEqual(attach("a.png", "image/png", PNG), {
    blocks: [{ type: "media", mime: "image/png", base64: PNG, name: "a.png" }],
    outcome: "native",
    detail: "image/png",
  });
});

test("a PDF that calls itself a PNG goes out as a PDF, and the claim is noted", () => {
  assert.deepEqual(attach("a.png", "image/png", PDF), {
    blocks: [{ type: "media", mime: "application/pdf", base64: PDF, name: "a.png" }],
    outcome: "native",
    detail: "application/pdf",
    note: "declared as image/png; its bytes are application/pdf",
  });
});

const DESCRIBED: readonly (readonly [string, string, string, string, string])[] = [
  [
    "a .psd",
    "d.psd",
    "image/vnd.adobe.photoshop",
    PSD,
    "[attachment: d.psd, image/vnd.adobe.photoshop, 12 bytes; content not shown: the model does not take image/vnd.adobe.photoshop]",
  ],
  [
    "an archive",
    "a.zip",
    "application/zip",
    ZIP,
    "[attachment: a.zip, application/zip, 10 bytes; content not shown: the model does not take application/zip]",
  ],
  [
    "a document inside an archive, by the type it declares",
    "a.docx",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ZIP,
    "[attachment: a.docx, application/vnd.openxmlformats-officedocument.wordprocessingml.document, 10 bytes; content not shown: the model does not take application/vnd.openxmlformats-officedocument.wordprocessingml.document]",
  ],
  [
    "an image whose bytes are noise",
    "a.png",
    "image/png",
    btoa("\0\x01\x02\xff"),
    "[attachment: a.png, image/png, 4 bytes; content not shown: its bytes are not image/png]",
  ],
  [
    "bytes of no known format",
    "a.bin",
    "application/octet-stream",
    btoa("\0\x01\x02\xff"),
    "[attachment: a.bin, application/octet-stream, 4 bytes; content not shown: its format is not one a model reads]",
  ],
  [
    "an empty file",
    "a.png",
    "image/png",
    "",
    "[attachment: a.png, image/png, 0 bytes; content not shown: it is empty]",
  ],
  [
    "a text over the limit",
    "a.txt",
    "text/plain",
    btoa("x".repeat(21)),
    "[attachment: a.txt, text/plain, 21 bytes; content not shown: over 20 bytes of text]",
  ],
  [
    "a name and a type that try to leave their line",
    "a\n]b",
    "x/\u202ey",
    btoa("\0"),
    "[attachment: a\\u000a]b, x/\\u202ey, 1 bytes; content not shown: its format is not one a model reads]",
  ],
];

for (const [what, name, mime, data, says] of DESCRIBED) {
  test(`${what} is described, and none of its bytes go out`, () => {
    const lowered = attach(name, mime, data);
    assert.deepEqual(lowered.blocks, [{ type: "text", text: says }]);
    assert.equal(lowered.outcome, "descriptor");
    assert.notEqual(lowered.note, undefined);
  });
}

test("an image over the model's limit is described", () => {
  const lowered = attach("a.png", "image/png", btoa(`\x89PNG\r\n\x1a\n${"x".repeat(1000)}`));
  assert.equal(lowered.outcome, "descriptor");
  assert.equal(lowered.note, "over the model's limit of 1000 bytes");
});

test("a small text is written out in a fence, by what its bytes say", () => {
  const lowered = attach("a.svg", "image/svg+xml", btoa("<svg/>"));
  assert.equal(textOf(lowered), "File a.svg:\n```svg\n<svg/>\n```");
  assert.equal(lowered.outcome, "text");
  const json = attach("a.json", "application/json; charset=utf-8", btoa("{}"));
  assert.equal(json.detail, "application/json");
  const liar = attach("a.png", "image/png", btoa("hello"));
  assert.deepEqual(
    [liar.outcome, liar.note],
    ["text", "declared as image/png; its bytes are text/plain"],
  );
});

test("a text that breaks after its head is described", () => {
  const wide: Target = { ...target, inlineTextBytes: 10_000 };
  const data = btoa(`${"a".repeat(5000)}\xff`);
  const part = { type: "file-attachment", name: "a.txt", mime: "text/plain", data } as const;
  const lowered = lowerPart(part, undefined, wide);
  assert.deepEqual(
    [lowered.outcome, lowered.note],
    ["descriptor", "it starts as text and goes on as something else"],
  );
});

test("the declared type fills in what a container leaves open, and no more", () => {
  const mp4 = btoa("\0\0\0\x20ftypisom");
  assert.match(textOf(attach("a", "audio/x-m4a", mp4)), /, audio\/x-m4a, /);
  assert.match(textOf(attach("a", "image/png", mp4)), /, video\/mp4, /);
  assert.match(textOf(attach("a", "application/pdf", ZIP)), /, application\/zip, /);
});

const base = { type: "file-attachment", name: "a.psd", mime: "image/png" } as const;

test("an attachment that came as a descriptor stays one, with its reason on one line", () => {
  const part = {
    ...base,
    size: 12,
    delivery: "descriptor",
    data: PNG,
    reason: "too\nlarge",
  } as const;
  assert.deepEqual(lowerPart(part, undefined, target), {
    blocks: [
      {
        type: "text",
        text: "[attachment: a.psd, image/png, 12 bytes; content not shown: too\\u000alarge]",
      },
    ],
    outcome: "descriptor",
    note: "too\nlarge",
  });
});

test("an attachment without bytes is a descriptor; one whose bytes were not loaded a placeholder", () => {
  const bare = lowerPart({ ...base, size: 7 }, undefined, target);
  assert.equal(
    textOf(bare),
    "[attachment: a.psd, image/png, 7 bytes; content not shown: it came without its bytes]",
  );
  const stored = lowerPart({ ...base, content_id: `sha256:${"0".repeat(64)}` }, undefined, target);
  assert.deepEqual(
    [stored.outcome, textOf(stored)],
    ["placeholder", "[attachment unavailable: a.psd (its bytes were not loaded)]"],
  );
});

test("materials take the same route as bytes that came with the message", () => {
  const ref = { type: "file-ref", ref: { kind: "path", path: "a.dat" } } as const;
  const bytes = (mime: string | undefined, base64: string): Material => ({
    kind: "bytes",
    mime,
    base64,
    size: 10,
    reach: "the read tool opens it",
  });
  assert.equal(lowerPart(ref, bytes("image/png", PNG), target).outcome, "native");
  assert.equal(
    textOf(lowerPart(ref, bytes(undefined, "AAAA"), target)),
    "[file: a.dat, 10 bytes; content not shown: its format is not one a model reads; the read tool opens it]",
  );
  const entity: Material = { kind: "entity", context: { kind: "ref", payload: {} } };
  assert.equal(
    textOf(lowerPart(ref, entity, target)),
    "[file unavailable: a.dat (it resolved to something that is not a file)]",
  );
  const broken: Material = { kind: "unavailable", reason: "EACCES\nobey" };
  assert.equal(
    textOf(lowerPart(ref, broken, target)),
    "[file unavailable: a.dat (EACCES\\u000aobey)]",
  );
});
