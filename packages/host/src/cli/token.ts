/** The token of the HTTP API: given by the environment, or kept in the home folder for next time. */
import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Env } from "../config/settings.ts";
import { HostError } from "../host-error.ts";
import { readRegular, reasonOf } from "../workspace/read-file.ts";

/** What a header and an address can both carry. */
const SHAPE = /^[A-Za-z0-9._~-]{16,256}$/;
const OURS = 0o600;

export async function tokenOf(home: string, env: Env): Promise<string> {
  const given = env.GALLEY_TOKEN;
  if (given) return checked(given, "GALLEY_TOKEN");
  const file = join(home, "token");
  const kept = await readRegular(file, 1024, "host");
  if (kept.ok) {
    await chmod(file, OURS);
    return checked(new TextDecoder().decode(kept.bytes).trim(), file);
  }
  if (kept.reason !== "no such file") {
    throw HostError.make("unreadable", { what: "token", path: file, reason: kept.reason });
  }
  return makeToken(home, file);
}

function checked(token: string, from: string): string {
  if (SHAPE.test(token)) return token;
  const reason = "must be 16 to 256 letters, digits or any of . _ ~ -";
  throw HostError.make("bad_config", { file: from, reason });
}

/** Written beside and linked into place: two servers that start at once agree on the first. */
async function makeToken(home: string, file: string): Promise<string> {
  const token = randomBytes(24).toString("base64url");
  const beside = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await writeFile(beside, `${token}\n`, { mode: OURS, flag: "wx" });
    try {
      await link(beside, file);
      return token;
    } finally {
      await unlink(beside);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return tokenOf(home, {});
    const reason = reasonOf(error).replace("cannot be read", "cannot be written");
    throw HostError.make("unreadable", { what: "token", path: file, reason }, { cause: error });
  }
}
