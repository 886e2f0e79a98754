/**
 * What a call can fail with, on the caller's side of the wire. A refusal keeps the server's own
 * code and sentence; the others are about getting there and back.
 */
import { defineErrors } from "@galley/parts";

export const ClientError = defineErrors("client", {
  /** The server refused or failed; `code` is stable, `detail` says what to do. */
  problem: (data: { status: number; code: string; detail: string; issues?: readonly string[] }) =>
    data.detail,
  unreachable: (data: { url: string; reason: string }) =>
    `cannot reach ${data.url}: ${data.reason}`,
  cut: (data: { url: string; reason: string }) =>
    `the answer of ${data.url} ended before it was complete: ${data.reason}`,
  not_ours: (data: { url: string; reason: string }) =>
    `${data.url} does not answer like Galley: ${data.reason}`,
  gone: (data: { message_id: string }) =>
    `${data.message_id} is no longer in this session: it was cancelled or rewound`,
});

/** Worth another try: the call may not have arrived, or its answer was lost. */
export const isLost = (error: unknown): boolean =>
  ClientError.is(error, "unreachable") || ClientError.is(error, "cut") || isPassing(error);

/** The server is there and cannot just now: closing, too many connections, a busy store. */
const isPassing = (error: unknown): boolean =>
  ClientError.is(error, "problem") && error.data.status === 503;
