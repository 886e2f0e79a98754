/** Spans as OTLP writes them in JSON: ids in hex, times in nanoseconds as text. */
import type { SpanValue } from "@galley/turn";
import type { Attributes } from "./safe-attributes.ts";

export type FinishedSpan = {
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_id?: string;
  readonly name: string;
  /** Epoch ms. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  readonly failed: boolean;
};

const INTERNAL = 1;
const ERROR = 2;

export const otlpBody = (service: string, spans: readonly FinishedSpan[]): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: keyValues({ "service.name": service }) },
        scopeSpans: [{ scope: { name: "galley" }, spans: spans.map(otlpSpan) }],
      },
    ],
  });

const otlpSpan = (span: FinishedSpan) => ({
  traceId: span.trace_id,
  spanId: span.span_id,
  ...(span.parent_id !== undefined && { parentSpanId: span.parent_id }),
  name: span.name,
  kind: INTERNAL,
  startTimeUnixNano: nanoseconds(span.start),
  endTimeUnixNano: nanoseconds(span.end),
  attributes: keyValues(span.attributes),
  status: span.failed ? { code: ERROR } : {},
});

const nanoseconds = (ms: number): string => String(BigInt(Math.trunc(ms)) * 1_000_000n);

const keyValues = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

function anyValue(value: SpanValue) {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
