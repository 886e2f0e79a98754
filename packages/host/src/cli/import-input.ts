/** The bytes of an export, from a file or standard input, within what one text can hold. */
import { resolve } from "node:path";
import { HostError } from "../host-error.ts";
import { readRegular } from "../workspace/read-file.ts";
import { CliError } from "./cli-error.ts";
import type { Io } from "./io.ts";
import { collectStdin } from "./message-input.ts";
import { UsageError } from "./usage.ts";

const MOST_BYTES = 500 * 1024 * 1024;

export async function readExport(file: string | undefined, io: Io): Promise<Uint8Array> {
  if (file === undefined && io.stdin() === undefined) {
    throw new UsageError("there is no export: give a FILE, or pipe one in");
  }
  const tooLarge = (name: string) => CliError.make("export_too_large", { name, limit: MOST_BYTES });
  if (file === undefined || file === "-") {
    return collectStdin(io, MOST_BYTES, () => tooLarge("standard input"));
  }
  const read = await readRegular(resolve(io.cwd, file), MOST_BYTES);
  if (!read.ok) {
    throw HostError.make("unreadable", { what: "export", path: file, reason: read.reason });
  }
  if (read.more) throw tooLarge(file);
  return read.bytes;
}
