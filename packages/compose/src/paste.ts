/**
 * Pasted text: a small one reads on as text, a large one becomes a text file that is attached, and
 * an entity becomes a reference to it. None of them is searched for tokens.
 */
import type { UserPart } from "@galley/parts";
import type { PastedEntity, PastedText } from "./draft.ts";

/** Characters from which a paste stands apart; what a person reads over at a glance stays text. */
export const PASTE_CHARS = 4000;

export function pastedFile(paste: PastedText, number: number): UserPart {
  const bytes = new TextEncoder().encode(paste.text);
  return {
    type: "file-attachment",
    name: paste.name ?? `pasted text ${number}.txt`,
    mime: "text/plain",
    size: bytes.length,
    data: toBase64(bytes),
    source: "paste",
  };
}

export function entityPart({ id, source, payload, emitted_at }: PastedEntity): UserPart {
  return {
    type: "editor-context",
    kind: "ref",
    ...(source !== undefined && { source }),
    payload: { ...payload, id },
    emitted_at,
  };
}

const CHUNK = 0x2000;

export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(binary);
}
