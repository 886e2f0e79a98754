/** A client of one event stream, for tests: it reads data lines as they come, and can leave. */
import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { AUTHORIZED } from "./test-server.ts";

export type OpenStream = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The next data line; undefined at the end of the stream. */
  next(): Promise<string | undefined>;
  /** Data lines up to the first that this holds for, that one included. */
  until(holds: (data: string) => boolean): Promise<string[]>;
  rest(): Promise<string[]>;
  leave(): void;
};

export async function openStream(url: string, body?: unknown): Promise<OpenStream> {
  const method = body === undefined ? "GET" : "POST";
  const outgoing = request(url, { method, headers: AUTHORIZED, agent: false });
  outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
  const lines = dataLines(answer);
  const next = async () => (await lines.next()).value ?? undefined;
  async function until(holds: (data: string) => boolean): Promise<string[]> {
    const heard: string[] = [];
    for (let data = await next(); data !== undefined; data = await next()) {
      heard.push(data);
      if (holds(data)) break;
    }
    return heard;
  }
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    next,
    until,
    rest: () => until(() => false),
    leave: () => answer.destroy(),
  };
}

async function* dataLines(answer: IncomingMessage): AsyncGenerator<string, void, undefined> {
  let text = "";
  for await (const chunk of answer.setEncoding("utf8")) {
    text += chunk;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) if (event.startsWith("data: ")) yield event.slice(6);
  }
}
