/** How much of an attachment is taken at all, and from where on its bytes leave the message. */

export type AttachmentLimits = {
  /** Bytes of one attached file. */
  readonly bytes: number;
  /** Width times height, as the header tells it. */
  readonly pixels: number;
  /** Pixels of the longer side. */
  readonly edge: number;
  /** Code units of a name. */
  readonly nameChars: number;
  /** Bytes up to which one attachment stays in its message. */
  readonly inlineBytes: number;
  /** Bytes that stay in messages in one session, all together. */
  readonly sessionInlineBytes: number;
};

const MIB = 1024 * 1024;

export const ATTACHMENT_LIMITS: AttachmentLimits = {
  bytes: 32 * MIB,
  // The largest cameras take 200 million; a header that claims more is there to fill memory.
  pixels: 200_000_000,
  edge: 65_535,
  nameChars: 255,
  inlineBytes: MIB,
  sessionInlineBytes: 20 * MIB,
};

/** In words: whole bytes below a kilobyte, else one decimal. */
export function saySize(bytes: number): string {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  const [unit, size] = bytes < MIB ? (["KB", 1024] as const) : (["MB", MIB] as const);
  const rounded = Math.round((bytes / size) * 10) / 10;
  return `${rounded} ${unit}`;
}
