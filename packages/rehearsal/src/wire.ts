/** Server-sent events as text. One event is one frame; a stream is frames in order. */
export type WireEvent = { readonly event?: string; readonly data: string };

export const wireEvent = (data: unknown, event?: string): WireEvent => ({
  ...(event !== undefined && { event }),
  data: JSON.stringify(data),
});

export const frame = ({ event, data }: WireEvent): string =>
  `${event === undefined ? "" : `event: ${event}\n`}data: ${data}\n\n`;
