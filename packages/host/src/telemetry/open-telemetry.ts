/**
 * Which tracer a host has: the one it was given, one by the usual variables of the environment, or
 * none. A collector is on this machine or behind https: what runs here is nobody else's to read.
 */
import { NO_TRACE, type Tracer } from "@galley/turn";
import type { Env } from "../config/settings.ts";
import { HostError } from "../host-error.ts";
import { isLoopback } from "../pipeline/providers.ts";
import { otlpTracer } from "./otlp-tracer.ts";

export type TelemetryInput = {
  readonly env: Env;
  readonly fetch: typeof fetch;
  now(): number;
  random(count: number): Uint8Array;
  warn(line: string): void;
  readonly tracer?: Tracer;
};

export type Telemetry = { readonly tracer: Tracer; close(): Promise<void> };

const ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
const HEADERS = "OTEL_EXPORTER_OTLP_HEADERS";

export function openTelemetry(input: TelemetryInput): Telemetry {
  const { env, tracer = NO_TRACE } = input;
  const endpoint = env[ENDPOINT]?.trim();
  const isOff = env.OTEL_SDK_DISABLED?.trim().toLowerCase() === "true";
  if (input.tracer !== undefined || !endpoint || isOff) return { tracer, close: async () => {} };
  const otlp = otlpTracer({
    endpoint: checked(endpoint),
    headers: headersIn(env[HEADERS] ?? ""),
    fetch: input.fetch,
    now: () => input.now(),
    random: (count) => input.random(count),
    report: (line) => input.warn(line),
    ...(env.OTEL_SERVICE_NAME && { service: env.OTEL_SERVICE_NAME }),
  });
  return { tracer: otlp, close: () => otlp.close() };
}

function checked(endpoint: string): string {
  const bad = (reason: string) => HostError.make("bad_config", { file: ENDPOINT, reason });
  if (!URL.canParse(endpoint)) throw bad("must be an http(s) address");
  const { protocol } = new URL(endpoint);
  if (protocol === "https:" || (protocol === "http:" && isLoopback(endpoint))) return endpoint;
  throw bad("must be an https address, or an http one on this machine");
}

/** `name=value,name=value`, percent-encoded. */
function headersIn(text: string): Record<string, string> {
  const pairs = text.split(",").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not encoded: then it is what it says.
    return text;
  }
}
