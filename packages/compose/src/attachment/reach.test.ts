import assert from "node:assert/strict";
import { test } from "node:test";
import { REACH_TOOLS, reachFor, reachOf } from "./reach.ts";

const OOXML = "application/vnd.openxmlformats-officedocument";

const ROWS: readonly (readonly [string | undefined, readonly string[]])[] = [
  ["text/x-python", ["read"]],
  ["application/json; charset=utf-8", ["read"]],
  ["image/svg+xml", ["read"]],
  ["image/png", ["view_image"]],
  ["IMAGE/TIFF", ["view_image"]],
  ["image/vnd.adobe.photoshop", ["bash"]],
  ["image/heic", ["bash"]],
  ["application/pdf", ["pdf_text"]],
  ["application/zip", ["archive_list", "archive_extract"]],
  ["application/gzip", ["archive_list", "archive_extract"]],
  ["application/epub+zip", ["archive_list", "archive_extract"]],
  [`${OOXML}.wordprocessingml.document`, ["office_text"]],
  ["application/vnd.oasis.opendocument.spreadsheet", ["office_text"]],
  ["application/msword", ["bash"]],
  ["audio/flac", ["audio_info", "bash"]],
  ["video/mp4", ["bash"]],
  ["application/x-elf", ["bash"]],
  [undefined, ["bash"]],
];

for (const [mime, tools] of ROWS) {
  test(`${mime} is reached by ${tools.join(" and ")}`, () => {
    assert.deepEqual(reachOf(mime).tools, tools);
  });
}

test("a sentence names each of its tools and no other", () => {
  for (const [mime, tools] of ROWS) {
    const named = REACH_TOOLS.filter((tool) => new RegExp(`\\b${tool}\\b`).test(reachFor(mime)));
    const others = named.filter((tool) => tool !== "read" || tools.includes("read"));
    assert.deepEqual(others, tools);
  }
});

test("the sentence of a PDF", () => {
  assert.equal(reachFor("application/pdf"), "the pdf_text tool reads its text, page by page");
});
