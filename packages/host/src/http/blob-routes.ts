/**
 * Bytes by their hash. They come from anybody, so they go out as a file to be saved; only pictures
 * whose own bytes say so may be shown, and never a type in which a browser runs something.
 */
import { ContentId, sniffMedia } from "@galley/parts";
import { z } from "zod";
import { readBytes } from "./body.ts";
import { HttpError } from "./problem.ts";
import type { Route } from "./route.ts";
import { JSON_TYPE, type SessionDeps } from "./session-deps.ts";
import { shownId } from "./session-scope.ts";

const BlobAnswer = z.looseObject({ content_id: ContentId, size: z.int().min(0) });

const BYTES = "application/octet-stream";

const SHOWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]);

export const blobRoutes = (deps: SessionDeps): readonly Route[] => [
  {
    method: "POST",
    path: "/v1/blobs",
    id: "putBlob",
    summary: "Keeps bytes; a message that names their content_id holds them",
    takesBytes: BYTES,
    answers: { says: "They are kept", type: JSON_TYPE, schema: BlobAnswer, status: 201 },
    refuses: [503, 507],
    async handle(c) {
      const bytes = await readBytes(c.env.incoming, deps.maxBody);
      const content_id = await deps.backend.store.blobs.put(bytes, deps.backend.now(), "lent");
      return Response.json({ content_id, size: bytes.length }, { status: 201 });
    },
  },
  {
    method: "GET",
    path: "/v1/blobs/:content_id",
    id: "getBlob",
    summary: "The bytes, to be saved; shown only where they are a picture",
    answers: { says: "The bytes", type: BYTES },
    refuses: [404],
    async handle(c) {
      const id = c.req.param("content_id") ?? "";
      const known = ContentId.safeParse(id).success;
      const bytes = known ? await deps.backend.store.blobs.get(id) : undefined;
      if (bytes === undefined) throw HttpError.make("no_such", { what: "blob", id: shownId(id) });
      return new Response(new Uint8Array(bytes), { headers: headersFor(bytes, id) });
    },
  },
];

function headersFor(bytes: Uint8Array, id: string): Record<string, string> {
  const sniffed = sniffMedia(bytes) ?? "";
  const isShown = SHOWN.has(sniffed);
  return {
    "content-type": isShown ? sniffed : BYTES,
    "content-disposition": isShown ? "inline" : "attachment",
    // A hash never names other bytes.
    "cache-control": "private, max-age=31536000, immutable",
    etag: `"${id}"`,
  };
}
