import assert from "node:assert/strict";
import { test } from "node:test";
import { fileName } from "./media.ts";

const named = (name?: string): string =>
  fileName({
    type: "media",
    mime: "application/pdf",
    base64: "",
    ...(name !== undefined && { name }),
  });

test("a file keeps its name, and a PDF under another name is called one", () => {
  assert.equal(named("spec.pdf"), "spec.pdf");
  assert.equal(named("SPEC.PDF"), "SPEC.PDF");
  assert.equal(named("photo.png"), "photo.png.pdf");
  assert.equal(named(""), "document.pdf");
  assert.equal(named(), "document.pdf");
});
