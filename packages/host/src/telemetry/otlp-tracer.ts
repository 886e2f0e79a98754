/**
 * A small exporter of spans by OTLP over HTTP. It never stands in anybody's way: what cannot be sent
 * waits in a bounded queue, what does not fit there is dropped, and drops are counted and told.
 */
import type { Span, Tracer } from "@galley/turn";
import { type FinishedSpan, otlpBody } from "./otlp-span.ts";
import { type Attributes, safeAttributes } from "./safe-attributes.ts";

export type OtlpInput = {
  /** Without `/v1/traces`. */
  readonly endpoint: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  /** Epoch ms. */
  now(): number;
  random(count: number): Uint8Array;
  /** Told once for each time of trouble. */
  report(line: string): void;
  readonly service?: string;
  /** Spans that wait at most, and that go in one request. */
  readonly queue?: number;
  readonly batch?: number;
  /** Between two requests. */
  readonly every_ms?: number;
};

export interface OtlpTracer extends Tracer {
  /** Spans that were let go. */
  dropped(): number;
  /** Sends what waits, as far as it can be sent; never rejects. */
  flush(): Promise<void>;
  /** Flushes and ends. */
  close(): Promise<void>;
}

const QUEUE = 2048;
const BATCH = 512;
const EVERY_MS = 5_000;
const REQUEST_MS = 10_000;

export function otlpTracer(input: OtlpInput): OtlpTracer {
  const most = input.queue ?? QUEUE;
  let waiting: FinishedSpan[] = [];
  let dropped = 0;
  let troubled = false;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let closed = false;

  function keep(span: FinishedSpan): void {
    if (closed || waiting.length >= most) {
      dropped += 1;
      return;
    }
    waiting.push(span);
    if (waiting.length >= (input.batch ?? BATCH)) void flush();
    else arm();
  }

  function arm(): void {
    timer ??= setTimeout(() => void flush(), input.every_ms ?? EVERY_MS).unref();
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, input.batch ?? BATCH);
      const trouble = await post(input, batch);
      if (trouble === undefined) {
        troubled = false;
        continue;
      }
      const room = trouble.passes ? Math.max(0, most - waiting.length) : 0;
      waiting = [...batch.slice(0, room), ...waiting];
      dropped += Math.max(0, batch.length - room);
      tell(trouble.reason);
      if (!closed && waiting.length > 0) arm();
      return;
    }
  }

  function tell(reason: string): void {
    if (troubled) return;
    troubled = true;
    input.report(`traces cannot be sent: ${reason}; ${dropped} spans dropped so far`);
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    sending ??= drain().finally(() => {
      sending = undefined;
    });
    return sending;
  }

  return {
    span: (name, attributes) => openSpan(input, keep, name, attributes, hex(input.random(16))),
    dropped: () => dropped,
    flush,
    async close() {
      closed = true;
      await flush();
      dropped += waiting.length;
      waiting = [];
      if (dropped > 0) input.report(`${dropped} spans were dropped`);
    },
  };
}

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

function openSpan(
  input: OtlpInput,
  keep: (span: FinishedSpan) => void,
  name: string,
  given: Attributes,
  trace_id: string,
  parent_id?: string,
): Span {
  const span_id = hex(input.random(8));
  const start = input.now();
  let attributes = safeAttributes(given);
  let over = false;
  return {
    set(more) {
      attributes = { ...attributes, ...safeAttributes(more) };
    },
    end(error) {
      if (over) return;
      over = true;
      // That it failed, not how: the sentence may quote what a file or a provider said.
      const failed = error !== undefined;
      const end = Math.max(start, input.now());
      const parent = parent_id === undefined ? {} : { parent_id };
      keep({ trace_id, span_id, ...parent, name, start, end, attributes, failed });
    },
    span: (inner, more) => openSpan(input, keep, inner, more, trace_id, span_id),
  };
}

type Trouble = { readonly reason: string; readonly passes: boolean };

const PASSING = new Set([408, 429, 502, 503, 504]);

async function post(
  input: OtlpInput,
  spans: readonly FinishedSpan[],
): Promise<Trouble | undefined> {
  try {
    const response = await input.fetch(`${input.endpoint.replace(/\/+$/, "")}/v1/traces`, {
      method: "POST",
      headers: { ...input.headers, "content-type": "application/json" },
      body: otlpBody(input.service ?? "galley", spans),
      // The headers may hold a key, which is for this address alone.
      redirect: "manual",
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    await response.body?.cancel();
    if (response.ok) return undefined;
    return { reason: `status ${response.status}`, passes: PASSING.has(response.status) };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error), passes: true };
  }
}
