/** Spans of a run, for whoever watches from outside; nothing is traced unless a host hands one in. */

export type SpanName =
  | "session.run"
  | "session.turn"
  | "tool.call"
  | "compaction.run"
  | "permission.evaluate";

export type SpanValue = string | number | boolean;

export interface Span {
  set(attributes: Readonly<Record<string, SpanValue>>): void;
  /** A span that ends with an error says so; ending twice is ending once. */
  end(error?: string): void;
  /** A span inside this one. */
  span(name: SpanName, attributes: Readonly<Record<string, SpanValue>>): Span;
}

export interface Tracer {
  span(name: SpanName, attributes: Readonly<Record<string, SpanValue>>): Span;
}

const SILENT_SPAN: Span = { set: () => {}, end: () => {}, span: () => SILENT_SPAN };

export const NO_TRACE: Tracer = { span: () => SILENT_SPAN };
