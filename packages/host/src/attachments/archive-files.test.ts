/** Archives made by code, honest ones and others. It tests nothing itself. */
import { crc32, deflateRawSync } from "node:zlib";

export type ZipPiece = {
  readonly name: string;
  readonly data?: string | Uint8Array;
  readonly stored?: boolean;
  /** What the directory claims instead of the truth. */
  readonly claims?: number;
  /** Unix mode with its file type. */
  readonly mode?: number;
  readonly encrypted?: boolean;
};

export function zipOf(pieces: readonly ZipPiece[]): Uint8Array {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const piece of pieces) {
    const data = Buffer.from(piece.data ?? "");
    const packed = piece.stored ? data : deflateRawSync(data);
    const name = Buffer.from(piece.name);
    const common = zipFields(piece, data, packed.length, name.length);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, le16(0), name, packed]);
    const mode = le32((piece.mode ?? 0o100644) * 65_536);
    directory.push(
      Buffer.concat([Buffer.from("PK\x01\x02"), Buffer.from([20, 3]), common]),
      Buffer.concat([le16(0), le16(0), le16(0), le16(0), mode, le32(offset), name]),
    );
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const count = Buffer.concat([le16(pieces.length), le16(pieces.length)]);
  const end = [
    Buffer.from("PK\x05\x06"),
    le32(0),
    count,
    le32(central.length),
    le32(offset),
    le16(0),
  ];
  return Buffer.concat([...locals, central, ...end]);
}

function zipFields(piece: ZipPiece, data: Buffer, packed: number, nameLength: number): Buffer {
  const flags = le16((piece.encrypted ? 1 : 0) | 0x800);
  const method = le16(piece.stored ? 0 : 8);
  const size = le32(piece.claims ?? data.length);
  const rest = [le32(0), le32(crc32(data)), le32(packed), size, le16(nameLength)];
  return Buffer.concat([le16(20), flags, method, ...rest]);
}

const le16 = (value: number): Buffer => Buffer.from([value & 255, (value >>> 8) & 255]);
const le32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};

export type TarPiece = {
  readonly name: string;
  readonly data?: string | Uint8Array;
  /** `0` file, `5` directory, `2` link, `3` device, `x` extended header of the next. */
  readonly type?: string;
  readonly link?: string;
  readonly claims?: number;
};

export function tarOf(pieces: readonly TarPiece[]): Uint8Array {
  return Buffer.concat([...pieces.flatMap(tarPiece), Buffer.alloc(1024)]);
}

export function tarPiece(piece: TarPiece): Buffer[] {
  const data = Buffer.from(piece.data ?? "");
  const header = Buffer.alloc(512);
  header.write(piece.name, 0, 100, "latin1");
  header.write("0000644\0", 100);
  header.write(`${(piece.claims ?? data.length).toString(8).padStart(11, "0")} `, 124);
  header.write("        ", 148);
  header.write(piece.type ?? "0", 156);
  header.write(piece.link ?? "", 157);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const padding = Buffer.alloc((512 - (data.length % 512)) % 512);
  return [header, data, padding];
}

/** The extended header that gives the next entry another name. */
export function paxName(name: string): TarPiece {
  const record = ` path=${name}\n`;
  const length = record.length + String(record.length + 2).length;
  return { name: "pax", type: "x", data: `${length}${record}` };
}
