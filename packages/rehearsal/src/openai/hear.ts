/** How the two OpenAI protocols are heard where they share fields: data URLs, files, arguments. */
import type { HeardBlock } from "../heard.ts";
import { heardAddress, heardInline, readDataUrl } from "../media.ts";

export function hearUrl(url: string, mediaType: string, name?: string): HeardBlock {
  const data = readDataUrl(url);
  return data
    ? heardInline(data.base64, data.mediaType, name)
    : heardAddress("url", url, mediaType, name);
}

/** `file` of Chat Completions and `input_file` of Responses have the same fields. */
export function hearFile(file: Readonly<Record<string, unknown>>): HeardBlock {
  const name = typeof file.filename === "string" ? file.filename : undefined;
  if (typeof file.file_data === "string") return hearUrl(file.file_data, "unknown", name);
  return typeof file.file_url === "string"
    ? heardAddress("url", file.file_url, undefined, name)
    : heardAddress("file", String(file.file_id), undefined, name);
}

/** Arguments travel as text. A model may have written broken JSON: then the text is what we heard. */
export function hearArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
