import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { tempFolder } from "../testing/temp-folder.ts";
import { type ZipPiece, zipOf } from "./archive-files.test.ts";
import { officeSections } from "./office-format.ts";
import { type OfficeOptions, officeText } from "./office-text.ts";
import type { Source } from "./source.ts";

const docx = (body: string, ...more: ZipPiece[]): Uint8Array =>
  zipOf([
    { name: "[Content_Types].xml", data: "<Types/>" },
    {
      name: "word/document.xml",
      data: `<?xml version="1.0"?><w:document><w:body>${body}</w:body></w:document>`,
    },
    ...more,
  ]);
const para = (text: string): string =>
  `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

async function read(source: Source, options?: OfficeOptions) {
  const result = await officeText(source, options);
  assert.ok(result.ok, result.ok ? "" : result.reason);
  return result.value;
}
async function refused(source: Source, options?: OfficeOptions): Promise<string> {
  const result = await officeText(source, options);
  return result.ok ? `read: ${JSON.stringify(result.value)}` : result.reason;
}

test("a document's paragraphs are lines, with its breaks, tabs and entities", async () => {
  const body = `${para("One &amp; two &#x20AC;")}<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>`;
  const notes = {
    name: "word/footnotes.xml",
    data: `<w:footnotes>${para("a note")}</w:footnotes>`,
  };
  assert.deepEqual(await read(docx(body, notes)), {
    kind: "document",
    sections: [
      { title: "document", text: "One & two €\na\tb\nc" },
      { title: "footnotes", text: "a note" },
    ],
  });
});

test("a table is rows of cells, and what is there twice is read once", async () => {
  const cell = (text: string) => `<w:tc>${para(text)}${para("more")}</w:tc>`;
  const table = `<w:tbl><w:tr>${cell("a")}${cell("b")}</w:tr><w:tr>${cell("c")}${cell("d")}</w:tr></w:tbl>`;
  const twice = `<mc:AlternateContent><mc:Choice>${para("box")}</mc:Choice><mc:Fallback>${para("box")}</mc:Fallback></mc:AlternateContent>`;
  const { sections } = await read(docx(`${table}${twice}`));
  assert.equal(sections[0]?.text, "a more\tb more\nc more\td more\nbox");
});

test("slides come in the order of their numbers, and their notes behind them", async () => {
  const slide = (n: number) => ({
    name: `ppt/slides/slide${n}.xml`,
    data: `<p:sld><a:p><a:r><a:t>slide ${n}</a:t></a:r></a:p></p:sld>`,
  });
  const notes = [
    { name: "ppt/notesSlides/notesSlide1.xml", data: "<a:p><a:t>a note</a:t></a:p>" },
    { name: "ppt/notesSlides/notesSlide2.xml", data: "<a:p/>" },
  ];
  const empty = { name: "ppt/slides/slide3.xml", data: "<p:sld/>" };
  const slides = zipOf([...notes, slide(10), empty, slide(2), slide(1)]);
  const { kind, sections } = await read(slides);
  assert.equal(kind, "presentation");
  assert.deepEqual(
    sections.map(({ text }) => text),
    ["slide 1", "slide 2", "", "slide 10", "a note"],
  );
});

test("a workbook is its sheets, each a row a line", async () => {
  const sheet = `<worksheet><sheetData>
    <row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1"><v>42</v></c><c r="D1" t="b"><v>0</v></c></row>
    <row r="2"><c r="A2" t="inlineStr"><is><t>in line</t></is></c><c r="ZZ2"><v>1</v></c></row>
    <row r="3"/></sheetData></worksheet>`;
  const workbook = zipOf([
    {
      name: "xl/workbook.xml",
      data: `<workbook><sheets><sheet name="R&amp;D" sheetId="1"/></sheets></workbook>`,
    },
    {
      name: "xl/sharedStrings.xml",
      data: "<sst><si><r><t>Na</t></r><r><t>me</t></r><rPh><t>x</t></rPh></si></sst>",
    },
    { name: "xl/worksheets/sheet1.xml", data: sheet },
  ]);
  assert.deepEqual(await read(workbook), {
    kind: "spreadsheet",
    sections: [{ title: "R&D", text: "Name\t\t42\tFALSE\nin line\t[column 702] 1" }],
  });
});

test("an OpenDocument text is read from its paragraphs", async () => {
  const content = `<office:document-content><office:text><text:h>Head</text:h>
    <text:p>one<text:s/>two <text:span>three</text:span></text:p></office:text></office:document-content>`;
  const { kind, sections } = await read(zipOf([{ name: "content.xml", data: content }]));
  assert.equal(kind, "opendocument");
  assert.equal(sections[0]?.text, "Head\none two three");
});

test("the text ends at the limit and says how much is missing", async () => {
  const notes = {
    name: "word/footnotes.xml",
    data: `<w:footnotes>${para("a note")}</w:footnotes>`,
  };
  assert.deepEqual(await read(docx(para("0123456789"), notes), { maxChars: 4 }), {
    kind: "document",
    sections: [{ title: "document", text: "0123" }],
    cut: { chars: 12, sections: 1 },
  });
});

test("entities that a document defines are not expanded", async () => {
  const laughs = `<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><w:p><w:t>&b; &lt;</w:t></w:p>`;
  const { sections } = await read(zipOf([{ name: "word/document.xml", data: laughs }]));
  assert.equal(sections[0]?.text, "&b; <");
});

test("a document that unpacks to far more than it is is refused", async () => {
  const bomb = docx(para(" ".repeat(3e6)));
  assert.ok(bomb.length < 20_000);
  assert.equal(await refused(bomb, { maxBytes: 1e6 }), "it unpacks to more than 1000000 bytes");
});

test("what is no document, locked or broken is a reason", async (t) => {
  const folder = await tempFolder(t, { "a.txt": "hello" });
  assert.equal(
    await refused({ path: join(folder, "a.txt") }),
    "it is not an office document: it is not a zip, tar or gzip archive",
  );
  assert.match(await refused(zipOf([{ name: "a.txt", data: "x" }])), /^the archive holds no text/);
  const locked = zipOf([{ name: "word/document.xml", data: "x", encrypted: true }]);
  assert.match(await refused(locked), /^the archive holds no text/);
  const liar = zipOf([{ name: "word/document.xml", data: "<w:p/>", claims: 5 }]);
  assert.equal(
    await refused(liar),
    "the document is damaged: word/document.xml: it has 6 bytes and claims 5",
  );
});

test("XML that breaks off is read as far as it goes", () => {
  const textOf = (xml: string) =>
    officeSections("document", new Map([["word/document.xml", xml]]))[0]?.text;
  assert.equal(textOf("<w:p><w:t>begin</w:t></w:p><w:p><w:t>en"), "begin\nen");
  for (const end of ["<", "<!--", "<![CDATA[x", "<!DOCTYPE [", "</", "&", "<w:t"]) {
    assert.equal(textOf(`<w:p><w:t>begin</w:t></w:p>${end}`), "begin");
  }
});
