/**
 * The opaque proofs a provider hands out and wants back unchanged: thinking signatures, encrypted
 * reasoning, thought signatures.
 *
 * A seal is a digest of what it stands for, so that a server which keeps no state can still tell a
 * proof of its own from one that was made up, taken from elsewhere or moved to other words.
 */
import { createHash } from "node:crypto";

const PREFIX = "rehearsal:";

/** Base64, because Gemini reads a signature as bytes. */
export function seal(content: string): string {
  const digest = createHash("sha256").update(content).digest("hex");
  return Buffer.from(PREFIX + digest).toString("base64");
}

export const sealHolds = (proof: string, content: string): boolean => proof === seal(content);

/** Ours at all, whatever it stands for. */
export function isSeal(proof: string): boolean {
  return Buffer.from(proof, "base64").toString("latin1").startsWith(PREFIX);
}
