/**
 * A refusal before it is put in a provider's words: status, type, sentence, and where.
 *
 * Checks return the first complaint they have; nothing is thrown, because a refused request is what
 * this package is for.
 */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;

export type Complaint = {
  readonly status: number;
  /** `error.type` (Anthropic, OpenAI) or `error.status` (Gemini). */
  readonly type: string;
  readonly message: string;
  /** OpenAI only. */
  readonly param?: string | null;
  readonly code?: string | null;
  /** Gemini only. */
  readonly details?: readonly unknown[];
  readonly headers?: Readonly<Record<string, string>>;
};

export function isComplaint(value: object): value is Complaint {
  return "status" in value && "message" in value;
}

/** Runs the rules in order and stops at the first complaint, as the providers do. */
export function firstComplaint(
  ...rules: readonly (() => Complaint | undefined)[]
): Complaint | undefined {
  for (const rule of rules) {
    const complaint = rule();
    if (complaint) return complaint;
  }
  return undefined;
}

/** One value of each header, with lower-case names, whatever the caller's server gave. */
export function lowerHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): RequestHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      typeof value === "object" ? value.join(", ") : value,
    ]),
  );
}
