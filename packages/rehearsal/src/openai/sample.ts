/** For the tests of the two OpenAI protocols: how a refusal of theirs looks. */
import assert from "node:assert/strict";
import type { ProtocolId } from "../protocol.ts";
import { attempt } from "../trial.ts";

export type Row = readonly [
  body: unknown,
  message: string,
  param: string | null,
  code?: string | null,
  status?: number,
];

export function refusesRow(protocol: ProtocolId, [body, message, param, code, status]: Row): void {
  assert.deepEqual(attempt(protocol, body), {
    ok: false,
    status: status ?? 400,
    error: { error: { message, type: "invalid_request_error", param, code: code ?? null } },
    headers: {},
  });
}

/** The refusal of one attempt in short, or that it was taken. */
export function outcomeOf(...trial: Parameters<typeof attempt>): unknown {
  const result = attempt(...trial);
  if (result.ok) return "taken";
  const { error } = result.error as { error: { message: string; code: string | null } };
  return [result.status, error.code, error.message];
}

export const dataUrl = (data: string, mediaType = "image/png"): string =>
  `data:${mediaType};base64,${data}`;

export const PARAMETERS = { type: "object", properties: { path: { type: "string" } } };
