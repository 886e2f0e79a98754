/**
 * Images and documents of a request: what the bytes are, how large, how many.
 *
 * The size of an image is that of its base64 text, as the API counts it: 10 MB there today, 5 MB on
 * the API until 2026 and on partner platforms (observed: "image exceeds 10 MB maximum: 23045044 bytes
 * > 10485760 bytes"). A model row can set another.
 */
import { isJson, type Path } from "../check.ts";
import { decodeBase64, examine, type Media } from "../media.ts";
import type { RehearsalModel } from "../model.ts";
import type { Complaint } from "../refuse.ts";
import { at, invalid } from "./complain.ts";
import type { Block, MessagesBody } from "./shape.ts";
import { everyBlock } from "./tools.ts";

const MB = 1024 * 1024;
const IMAGE_BYTES_MAX = 10 * MB;
/** Documented: "maximal dimensions per image are 8000x8000 px", 2000 with more than 20 images. */
const EDGE_MAX = 8_000;
const EDGE_MAX_MANY = 2_000;
const MANY_IMAGES = 20;
/** Documented: 100 a request for models with a 200k window, 600 for the others. */
const imagesMax = (model: RehearsalModel): number => (model.contextWindow <= 200_000 ? 100 : 600);

export function refuseMedia(body: MessagesBody, model: RehearsalModel): Complaint | undefined {
  const media = [...everyBlock(body.messages)].flatMap(([path, block]) => withInner(path, block));
  const images = media.filter(([, block]) => block.type === "image");
  if (images.length > imagesMax(model)) {
    return invalid(`messages: too many images: ${images.length} > ${imagesMax(model)}`);
  }
  for (const [path, block] of media) {
    const complaint = refuseSource(path, block, images.length, model);
    if (complaint) return complaint;
  }
  return undefined;
}

/** A block and the media blocks inside a tool result. */
function withInner(path: Path, block: Block): [Path, Block][] {
  if (block.type !== "tool_result") return isMedia(block) ? [[path, block]] : [];
  if (!Array.isArray(block.content)) return [];
  return (block.content as Block[]).flatMap((inner, index) =>
    withInner([...path, "tool_result", "content", index], inner),
  );
}

const isMedia = ({ type }: Block): boolean => type === "image" || type === "document";

function refuseSource(path: Path, block: Block, images: number, model: RehearsalModel) {
  const source = isJson(block.source) ? block.source : {};
  if (source.type === "url" && !String(source.url).startsWith("https://")) {
    return at([...path, block.type, "source", "url"], "Only HTTPS URLs are supported.");
  }
  if (source.type !== "base64") return undefined;
  const isImage = block.type === "image";
  // Observed: a PDF is `pdf` in the path, not `document`.
  const where = [...path, isImage ? "image" : "pdf", "source", "base64"];
  const mediaType = String(source.media_type);
  if (model.accepts && !model.accepts.includes(mediaType)) {
    return at(where, `This model does not support ${mediaType} input.`);
  }
  const data = String(source.data);
  const most = model.imageBytesMax ?? IMAGE_BYTES_MAX;
  if (isImage && data.length > most) {
    return at(where, `image exceeds ${most / MB} MB maximum: ${data.length} bytes > ${most} bytes`);
  }
  const bytes = decodeBase64(data);
  if (!bytes) return at([...where, "data"], "invalid base64 data");
  const media = examine(bytes);
  return isImage
    ? refuseImage([...where, "data"], media, mediaType, images)
    : refusePdf([...where, "data"], media);
}

function refuseImage(path: Path, media: Media, declared: string, images: number) {
  if (!media.sniffed?.startsWith("image/")) return at(path, "Could not process image");
  if (media.sniffed !== declared) {
    return at(
      path,
      `The image was specified using the ${declared} media type, but the image appears to be a ${media.sniffed} image`,
    );
  }
  const many = images > MANY_IMAGES;
  const edge = many ? EDGE_MAX_MANY : EDGE_MAX;
  if (!media.size || Math.max(media.size.width, media.size.height) <= edge) return undefined;
  return at(
    path,
    `At least one of the image dimensions exceed max allowed size${many ? " for many-image requests" : ""}: ${edge} pixels`,
  );
}

function refusePdf(path: Path, { bytes, sniffed }: Media): Complaint | undefined {
  if (bytes.byteLength === 0) return at(path, "PDF cannot be empty");
  return sniffed === "application/pdf" ? undefined : at(path, "The PDF specified was not valid.");
}
