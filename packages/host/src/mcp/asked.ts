/** What comes of asking a server: its answer, or why there is none. Asking never throws. */

export type AskFailure =
  /** No answer in time. */
  | "timeout"
  /** The connection ended before the answer. */
  | "gone"
  /** It was not sent: there is no connection. */
  | "unavailable"
  /** The server answered with an error. */
  | "refused"
  | "stopped";

export type Asked =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly code: AskFailure; readonly reason: string };

export type Ask = (
  method: string,
  params: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
) => Promise<Asked>;

export const notAsked = (code: AskFailure, reason: string): Extract<Asked, { ok: false }> => ({
  ok: false,
  code,
  reason,
});
