/**
 * The pure half of the server: bytes in, a heard request or a provider's refusal out.
 *
 * The order is the providers': key, size, JSON, fields, model, rules, length.
 */
import type { Heard } from "./heard.ts";
import { modelFinder, REHEARSAL_MODELS, type RehearsalModel } from "./model.ts";
import { NOTHING_STORED, type StoredItems } from "./openai-responses/stored.ts";
import type { Protocol, ProtocolId, Setting, Target } from "./protocol.ts";
import { PROTOCOLS } from "./protocols.ts";
import { type Complaint, isComplaint, lowerHeaders } from "./refuse.ts";
import { type CountTokens, countByLength } from "./tokens.ts";

export type ValidateOptions = {
  /** What the address says; Gemini puts the model there. */
  readonly target?: Target;
  readonly models?: readonly RehearsalModel[];
  readonly acceptAnyModel?: boolean;
  readonly countTokens?: CountTokens;
  readonly maxBodyBytes?: number;
  /** Whether thinking, reasoning and thought signatures must be ones the rehearsal gave out. */
  readonly verifySeals?: boolean;
  readonly stored?: StoredItems;
  readonly requestId?: string;
};

export type Refusal = {
  readonly ok: false;
  readonly status: number;
  /** The body, in the provider's shape. */
  readonly error: unknown;
  readonly headers: Readonly<Record<string, string>>;
};
export type Validated = { readonly ok: true; readonly request: Heard } | Refusal;

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export function validate(
  protocol: ProtocolId,
  headers: Headers,
  body: Uint8Array,
  options: ValidateOptions = {},
): Validated {
  const { requestId = "req_rehearsal" } = options;
  const speaker = PROTOCOLS[protocol];
  const heard = hearOrRefuse(speaker, settingOf(headers, options), body, options.maxBodyBytes);
  return isComplaint(heard) ? refusalOf(speaker, heard, requestId) : { ok: true, request: heard };
}

export function refusalOf(protocol: Protocol, complaint: Complaint, requestId: string): Refusal {
  return {
    ok: false,
    status: complaint.status,
    error: protocol.errorBody(complaint, requestId),
    headers: complaint.headers ?? {},
  };
}

function settingOf(headers: Headers, options: ValidateOptions): Setting {
  const { models = [], acceptAnyModel = true } = options;
  return {
    headers: lowerHeaders(headers),
    target: options.target ?? {},
    // The caller's rows come last and win.
    findModel: modelFinder([...REHEARSAL_MODELS, ...models], acceptAnyModel),
    countTokens: options.countTokens ?? countByLength,
    verifySeals: options.verifySeals ?? true,
    stored: options.stored ?? NOTHING_STORED,
  };
}

function hearOrRefuse(
  protocol: Protocol,
  setting: Setting,
  body: Uint8Array,
  limit: number = protocol.maxBodyBytes,
): Complaint | Heard {
  const complaint = protocol.admit(setting);
  if (complaint) return complaint;
  if (body.byteLength > limit) return protocol.refuseSize(limit);
  const parsed = parseJson(body);
  return parsed.ok ? protocol.read(parsed.value, setting) : protocol.refuseJson(parsed.reason);
}

type Parsed = { ok: true; value: unknown } | { ok: false; reason: string };

function parseJson(body: Uint8Array): Parsed {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    // SyntaxError: not JSON; TypeError: not UTF-8. Both are the caller's.
    if (error instanceof SyntaxError || error instanceof TypeError) {
      return { ok: false, reason: error.message };
    }
    throw error;
  }
}
