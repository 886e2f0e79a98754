/** A server that says what a test tells it to, and remembers what it was asked. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";

export type Asked = {
  readonly line: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};

/** Answers one request; of several in a list, each its own, and the last one all that follow. */
export type Reply = (response: ServerResponse, asked: Asked) => void | Promise<void>;
export type Script = Readonly<Record<string, Reply | readonly Reply[]>>;

export const json =
  (value: unknown, status = 200): Reply =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  };

export const nothing: Reply = (response) => void response.writeHead(204).end();

/** Events, and then what becomes of the connection. */
export const events =
  (
    data: readonly unknown[],
    then: "done" | "open" | "break",
    headers: Readonly<Record<string, string>> = {},
  ): Reply =>
  async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream", ...headers });
    const all = data.map((each) => `data: ${JSON.stringify(each)}\n\n`).join("");
    await new Promise((sent) => response.write(`: hello\n\n${all}`, sent));
    if (then === "done") response.end("data: [DONE]\n\n");
    if (then === "break") response.destroy();
  };

export async function scriptedServer(t: TestContext, script: Script) {
  const asked: Asked[] = [];
  const counts = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const line = `${request.method} ${request.url}`;
    const one = { line, headers: request.headers, body: await text(request) };
    asked.push(one);
    const key = line.replace(/\?.*$/, "");
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    const found = script[key];
    const replies = Array.isArray(found) ? found : [found];
    const reply = replies[Math.min(count, replies.length - 1)] ?? json({ code: "none" }, 404);
    await reply(response, one);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, lines: () => asked.map(({ line }) => line) };
}
