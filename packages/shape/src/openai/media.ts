/** Bytes in a request. */
import type { MediaBlock } from "../block.ts";
import { plainName } from "../render.ts";

export const dataUrl = ({ mime, base64 }: MediaBlock): string => `data:${mime};base64,${base64}`;

/** A file that is sent inline must have a name, and is taken for what the name's ending says. */
export function fileName({ name }: MediaBlock): string {
  const plain = plainName(name || "document.pdf");
  return /\.pdf$/i.test(plain) ? plain : `${plain}.pdf`;
}

/** No protocol of OpenAI's takes media back in the model's own voice; a line stands for them. */
export const mediaLine = ({ mime }: MediaBlock): string => `[${mime} made by the model]`;
