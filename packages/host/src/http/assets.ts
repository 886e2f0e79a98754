/** The start page's files, read once when the server starts and served as they are. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

export type Asset = {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly etag: string;
};

/** What is not in this table is not served: sources, tests and settings stay behind. */
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

const PAGE = fileURLToPath(new URL("../page/", import.meta.url));

export const INDEX = "index.html";

export async function readAssets(folder = PAGE): Promise<ReadonlyMap<string, Asset>> {
  const names = (await readdir(folder)).filter((name) => Object.hasOwn(TYPES, extname(name)));
  const assets = names.map(async (name): Promise<[string, Asset]> => {
    const body = new Uint8Array(await readFile(join(folder, name)));
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
    return [name, { body, type: TYPES[extname(name)] ?? "", etag }];
  });
  return new Map(await Promise.all(assets));
}

/** Always asked for again, and answered in a few bytes while it is the same. */
export function assetResponse(asset: Asset, ifNoneMatch: string | undefined): Response {
  const headers = { "cache-control": "no-cache", etag: asset.etag };
  const known = ifNoneMatch
    ?.split(",")
    .some((each) => each.trim().replace(/^W\//, "") === asset.etag);
  if (known) return new Response(null, { status: 304, headers });
  return new Response(asset.body, { headers: { ...headers, "content-type": asset.type } });
}
