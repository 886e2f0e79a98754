/**
 * The tool that shows a picture: as it is where every model takes it so, else scaled and written
 * anew. The picture stands in the result, so a later request can be made from the transcript alone.
 */
import { damageOf, type MediaTaker, reachFor } from "@galley/compose";
import { imageSize, sniffMedia } from "@galley/parts";
import type { Tool, ToolOutput } from "@galley/turn";
import { z } from "zod";
import { type Fitted, fitAttachment } from "../attachments/fit-attachment.ts";
import { defineTool, refuse } from "./define-tool.ts";
import { subjectOf, TARGET_FIELDS, type Target, type ToolPlaces, withTarget } from "./target.ts";

const MOST_BYTES = 32 * 1024 * 1024;

/** What every provider takes, in a size beyond which models see no more of it. */
const TAKER: MediaTaker = {
  accepts: ["image/png", "image/jpeg", "image/webp", "image/gif"],
  limits: { imageBytes: 1_000_000, imageEdge: 1568, stillOnly: true },
};
const PICTURES = /^image\/(png|jpeg|webp|gif|avif|tiff)$/;

export const viewImageTool = (places: ToolPlaces): Tool =>
  defineTool({
    name: "view_image",
    description:
      "Shows you a picture (PNG, JPEG, WebP, GIF, AVIF, TIFF), scaled down where it is large; of a moving one the first frame. Use it whenever what a picture shows matters. It reads no text files (SVG is text: read opens it) and no PDF (pdf_text), and it changes nothing.",
    input: z.strictObject(TARGET_FIELDS),
    parallel: true,
    subject: subjectOf,
    run: (input, context) => withTarget(places, context, input, show),
  });

async function show(target: Target): Promise<ToolOutput> {
  const { name } = target;
  const read = await target.whole(MOST_BYTES);
  if (!read.ok) return refuse(`cannot show ${name}: too large: ${read.reason}`);
  const bytes = read.value;
  const mime = sniffMedia(bytes);
  if (mime === undefined || !PICTURES.test(mime)) {
    const what = mime ?? "of no known format";
    return refuse(`cannot show ${name}: its bytes are ${what}; ${reachFor(mime)}`);
  }
  const damage = damageOf(bytes, mime);
  if (damage !== undefined) return refuse(`cannot show ${name}: ${damage}`);
  const fitted = await fitAttachment({ type: "file-attachment", name, mime }, bytes, TAKER);
  return picture(name, bytes, mime, fitted);
}

function picture(name: string, bytes: Uint8Array, mime: string, fitted: Fitted): ToolOutput {
  if (fitted.kind === "told") {
    const mend = fitted.mend === undefined ? "" : `; ${fitted.mend}`;
    return refuse(`cannot show ${name}: ${fitted.reason}${mend}`);
  }
  const isDerived = fitted.kind === "derived";
  const data = isDerived ? (fitted.part.data ?? "") : Buffer.from(bytes).toString("base64");
  const mimeType = isDerived ? fitted.part.mime : mime;
  const size = imageSize(bytes, mime);
  const notes = isDerived && Array.isArray(fitted.part.notes) ? fitted.part.notes : [];
  const facts = [mime, size && `${size.width} × ${size.height} pixels`, ...notes];
  const text = `${name}: ${facts.filter(Boolean).join(", ")}`;
  return {
    type: "output",
    data: {
      content: [
        { type: "text", text },
        { type: "image", data, mimeType },
      ],
    },
  };
}
