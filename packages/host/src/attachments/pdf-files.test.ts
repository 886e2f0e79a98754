/** PDFs made by code: a document of lines, and a few that are up to something. It tests nothing itself. */
import { deflateSync } from "node:zlib";

type Piece = string | Buffer;

/** Numbered objects, a table of where they are, and the trailer. */
export function pdfOf(objects: readonly Piece[], trailer = ""): Buffer {
  const pieces: Buffer[] = [Buffer.from("%PDF-1.7\n")];
  const offsets: number[] = [];
  const push = (piece: Piece): void => void pieces.push(Buffer.from(piece));
  const at = (): number => pieces.reduce((sum, { length }) => sum + length, 0);
  for (const [index, object] of objects.entries()) {
    offsets.push(at());
    push(`${index + 1} 0 obj\n`);
    push(object);
    push("\nendobj\n");
  }
  const start = at();
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  push(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join("")}`);
  push(
    `trailer << /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`,
  );
  return Buffer.concat(pieces);
}

export function streamOf(content: Buffer, dictionary = ""): Buffer {
  const head = `<< /Length ${content.length} ${dictionary} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from("\nendstream")]);
}

/** A page for each text. */
export function textPdf(texts: readonly string[], contents?: readonly Buffer[]): Buffer {
  const first = 4;
  const kids = texts.map((_, index) => `${first + index * 2} 0 R`);
  const pages = texts.flatMap((text, index) => {
    const font = "/Resources << /Font << /F1 3 0 R >> >>";
    const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${first + index * 2 + 1} 0 R ${font} >>`;
    return [
      page,
      contents?.[index] ?? streamOf(Buffer.from(`BT /F1 12 Tf 50 700 Td (${text}) Tj ET`)),
    ];
  });
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${texts.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...pages,
  ]);
}

/** One page whose content unpacks to `megabytes` of white space. */
export function bombPdf(megabytes: number): Buffer {
  // Packed twice: a thousand to one, and a thousand to one again.
  const packed = deflateSync(
    deflateSync(Buffer.alloc(megabytes * 1024 * 1024, " "), { level: 9 }),
    { level: 9 },
  );
  return textPdf([""], [streamOf(packed, "/Filter [/FlateDecode /FlateDecode]")]);
}
