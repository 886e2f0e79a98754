import assert from "node:assert/strict";
import { test } from "node:test";
import { zipOf } from "../attachments/archive-files.test.ts";
import { bombPdf, textPdf } from "../attachments/pdf-files.test.ts";
import { audioInfoTool, officeTextTool, pdfTextTool } from "./documents.ts";
import { no, placesIn, whole } from "./test-places.ts";

const DOCX = zipOf([
  { name: "[Content_Types].xml", data: "<Types/>" },
  {
    name: "word/document.xml",
    data: "<w:document><w:body><w:p><w:r><w:t>Hello ``` there</w:t></w:r></w:p></w:body></w:document>",
  },
]);

test("the pages of a PDF are read in fences, all of them or a range", async (t) => {
  const { places, run } = await placesIn(t, { "a.pdf": textPdf(["one", "two", "three"]) });
  const tool = pdfTextTool(places);
  assert.deepEqual(
    await run(tool, { path: "a.pdf", from_page: 2, to_page: 2 }),
    whole("a.pdf: 3 pages\n\nPage 2:\n```\ntwo\n```"),
  );
});

test("an attached PDF is read by its name, and what is none is refused", async (t) => {
  const { places, run, text } = await placesIn(t, { a: "x" }, { "b.pdf": textPdf(["b"]) });
  assert.deepEqual(
    await run(pdfTextTool(places), { attachment: "b.pdf" }),
    whole("b.pdf: 1 page\n\nPage 1:\n```\nb\n```"),
  );
  assert.match(await text(pdfTextTool(places), { path: "a" }), /^cannot read a: /);
});

test("a PDF that unpacks without end is a reason", async (t) => {
  const { places, run } = await placesIn(t, { "bomb.pdf": bombPdf(300) });
  const tool = pdfTextTool(places, { timeoutMs: 60_000, memoryMb: 160 });
  assert.deepEqual(
    await run(tool, { path: "bomb.pdf" }),
    no("cannot read bomb.pdf: it took more than 160 MB of memory"),
  );
});

test("a document is read section by section, and its ticks close no fence", async (t) => {
  const { places, run, text } = await placesIn(t, { "a.docx": DOCX, b: "x" });
  const output = await run(officeTextTool(places), { path: "a.docx" });
  assert.match(
    String(output.type === "output" && output.data),
    /^a\.docx: document\n\n.*:\n````\nHello ``` there\n````$/,
  );
  assert.match(await text(officeTextTool(places), { path: "b" }), /^cannot read b: /);
});

test("the header of a sound file is told, and what is no sound is refused", async (t) => {
  const wav = Buffer.alloc(44 + 16_000);
  wav.write("RIFF", 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write("WAVEfmt ", 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(8000, 24);
  wav.writeUInt32LE(16_000, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write("data", 36);
  wav.writeUInt32LE(16_000, 40);
  const { places, run } = await placesIn(t, { "a.wav": wav, "b.txt": "x" });
  const tool = audioInfoTool(places);
  const output = await run(tool, { path: "a.wav" });
  assert.deepEqual(output.type === "output" && output.data, {
    name: "a.wav",
    size: 16_044,
    format: "wav",
    codec: "pcm",
    seconds: 1,
    channels: 1,
    sample_rate: 8000,
    bits_per_sample: 16,
  });
  assert.deepEqual(
    await run(tool, { path: "b.txt" }),
    no("cannot read b.txt: its bytes are text/plain, not sound that is read here"),
  );
});

test("a reading that is stopped ends at once", async (t) => {
  const pdf = { "a.pdf": textPdf(["one"]) };
  const { places, run } = await placesIn(t, pdf, pdf);
  for (const given of [{ path: "a.pdf" }, { attachment: "a.pdf" }]) {
    const control = new AbortController();
    const running = run(pdfTextTool(places), given, { signal: control.signal });
    control.abort();
    assert.deepEqual(await running, no("stopped before it was done"));
  }
});
