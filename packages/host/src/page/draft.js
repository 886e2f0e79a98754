/**
 * The draft: text, references by path and attached files, and how they become one message. Only
 * text and references go through the server's composer; bytes stay here until the message is whole.
 */

/** @import { PartOf, UserMessage, UserPart } from "@galley/parts" */
/** @import { Api } from "./api.js" */

/** @typedef {PartOf<"file-attachment">} Attachment */
/**
 * @typedef {object} Draft
 * @property {string} text
 * @property {readonly string[]} refs
 * @property {readonly Attachment[]} attachments
 */

/** @type {Draft} */
export const EMPTY = { text: "", refs: [], attachments: [] };

/** @param {Draft} draft */
export const isEmpty = ({ text, refs, attachments }) =>
  text.trim() === "" && refs.length === 0 && attachments.length === 0;

/** Bytes of the files in the draft. @param {Draft} draft */
export const weight = ({ attachments }) => attachments.reduce((sum, { size = 0 }) => sum + size, 0);

/**
 * @param {Draft} draft
 * @param {Api} api
 * @param {AbortSignal} signal
 * @returns {Promise<UserMessage>}
 */
export async function composeDraft({ text, refs, attachments }, api, signal) {
  if (text === "" && refs.length === 0) return { role: "user", parts: [...attachments] };
  const words = { ...(text !== "" && { text }), ...(refs.length > 0 && { refs }) };
  const composed = /** @type {UserMessage} */ (await api.post("/v1/compose", words, signal));
  return { ...composed, parts: [...composed.parts, ...attachments] };
}

/** What a part is, on one line. @param {UserPart} part @returns {string} */
export function nameOfPart(part) {
  switch (part.type) {
    case "text":
      return shortened(String(part.text));
    case "file-ref":
    case "directory-ref":
      return nameOfRef(/** @type {PartOf<"file-ref">} */ (part).ref);
    case "file-attachment":
      return String(part.name);
    case "command":
      return String(part.id);
    default:
      return "";
  }
}

/** @param {PartOf<"file-ref">["ref"]} ref */
function nameOfRef(ref) {
  const name = ref.kind === "path" ? ref.path : ref.kind === "url" ? ref.url : ref.content_id;
  if (!ref.range) return name;
  const unit = ref.range.unit === "byte" ? "bytes" : "lines";
  return `${name}, ${unit} ${ref.range.start} to ${ref.range.end}`;
}

const LONGEST = 80;

/** @param {string} text */
function shortened(text) {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
