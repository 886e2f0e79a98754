/**
 * Spans through the OpenTelemetry API of whoever embeds the host. Only the shapes of that API are
 * known here, so nothing is installed for those who trace nothing:
 *
 *     otelTracer({ trace, context, tracer: trace.getTracer("galley") })
 */
import type { Span, Tracer } from "@galley/turn";
import { type Attributes, safeAttributes } from "./safe-attributes.ts";

/** What is used of a span of `@opentelemetry/api`. */
export interface OtelSpan {
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: { code: number }): unknown;
  end(): void;
}

/** What is used of `@opentelemetry/api`: its `trace` and `context`, and a tracer of its own. */
export interface OtelApi<Context = unknown> {
  readonly trace: {
    setSpan(context: Context, span: never): Context;
  };
  readonly context: { active(): Context };
  readonly tracer: {
    startSpan(name: string, options: { attributes: Attributes }, context: Context): OtelSpan;
  };
}

const ERROR = 2;

export function otelTracer<Context>(api: OtelApi<Context>): Tracer {
  function open(name: string, attributes: Attributes, parent: Context): Span {
    const span = api.tracer.startSpan(name, { attributes: safeAttributes(attributes) }, parent);
    let over = false;
    return {
      set: (more) => void span.setAttributes(safeAttributes(more)),
      end(error) {
        if (over) return;
        over = true;
        // That it failed, not how: the sentence may quote what a file or a provider said.
        if (error !== undefined) span.setStatus({ code: ERROR });
        span.end();
      },
      // The span came from this API and goes back to it.
      span: (inner, more) => open(inner, more, api.trace.setSpan(parent, span as never)),
    };
  }
  return { span: (name, attributes) => open(name, attributes, api.context.active()) };
}
