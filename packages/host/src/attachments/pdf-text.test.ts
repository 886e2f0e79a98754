import assert from "node:assert/strict";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { tempFolder } from "../testing/temp-folder.ts";
import { bombPdf, pdfOf, textPdf } from "./pdf-files.test.ts";
import { type PdfOptions, pdfText } from "./pdf-text.ts";
import type { Source } from "./source.ts";

const PDF = textPdf(["Hello one", "Hello two", "Hello three"]);

async function reasonFor(source: Source, options?: PdfOptions): Promise<string> {
  const result = await pdfText(source, options);
  return result.ok ? `read: ${JSON.stringify(result.value)}` : result.reason;
}

test("the pages of a PDF are counted and their text is read", async () => {
  assert.deepEqual(await pdfText(PDF), {
    ok: true,
    value: {
      pages: 3,
      texts: [
        { page: 1, text: "Hello one" },
        { page: 2, text: "Hello two" },
        { page: 3, text: "Hello three" },
      ],
    },
  });
});

test("a range of pages is read, as far as there are pages", async () => {
  const result = await pdfText(PDF, { from: 2, to: 9 });
  assert.deepEqual(result.ok && result.value.texts.map(({ page }) => page), [2, 3]);
  const early = await pdfText(PDF, { from: -3, to: 1 });
  assert.deepEqual(early.ok && early.value.texts.map(({ page }) => page), [1]);
});

test("the text ends at the limit and says where", async () => {
  assert.deepEqual(await pdfText(PDF, { maxChars: 12 }), {
    ok: true,
    value: {
      pages: 3,
      texts: [
        { page: 1, text: "Hello one" },
        { page: 2, text: "Hel" },
      ],
      cut: { page: 2, chars: 6 },
    },
  });
});

test("what the caller gave is still his afterwards", async () => {
  const before = Buffer.from(PDF);
  await pdfText(PDF);
  assert.deepEqual(PDF, before);
});

test("a locked PDF wants a password", async () => {
  const standard = "<< /Filter /Standard /V 1 /R 2 /P -4 /O <00> /U <00> >>";
  const key = `(${"k".repeat(32)})`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [] /Count 0 >>",
    standard.replace("<00>", key).replace("<00>", key),
  ];
  const id = "<00112233445566778899aabbccddeeff>";
  const locked = pdfOf(objects, `/Encrypt 3 0 R /ID [${id} ${id}]`);
  assert.equal(await reasonFor(locked), "the PDF is encrypted and wants a password");
});

test("what is no PDF, or only its beginning, is a reason", async () => {
  assert.match(await reasonFor(Buffer.from("hello")), /^it is not a whole PDF: /);
  assert.match(await reasonFor(PDF.subarray(0, 40)), /^it is not a whole PDF: /);
  assert.match(await reasonFor(new Uint8Array()), /PDF/);
});

test("a PDF that unpacks to far more than it is ends by its memory", async () => {
  const bomb = bombPdf(300);
  assert.ok(bomb.length < 20_000, `${bomb.length} bytes`);
  const limits = { timeoutMs: 60_000, memoryMb: 160 };
  assert.equal(await reasonFor(bomb, { limits }), "it took more than 160 MB of memory");
});

test("a PDF that takes too long ends by the clock", async () => {
  const limits = { timeoutMs: 1, memoryMb: 128 };
  assert.equal(await reasonFor(PDF, { limits }), "it took longer than 0.001 seconds");
});

test("a file over the limit is not read", async (t) => {
  const path = join(await tempFolder(t), "sparse.pdf");
  const handle = await open(path, "w");
  await handle.write(PDF);
  await handle.truncate(10e9);
  await handle.close();
  assert.equal(
    await reasonFor({ path }),
    "it has 10000000000 bytes, and at most 67108864 are read",
  );
});
