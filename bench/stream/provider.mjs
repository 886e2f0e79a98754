/**
 * A provider that costs next to nothing: Anthropic's stream from bytes that were made at the start.
 * The last text of the request says how: `tokens=N pace=MS`; without a pace it is written at once,
 * one event a write, as far as the reader takes it.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import process from "node:process";

const event = (type, data) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
const usage = { input_tokens: 10, output_tokens: 1 };
const HEAD = Buffer.from(
  event("message_start", {
    message: {
      id: "msg_bench",
      type: "message",
      role: "assistant",
      model: "bench",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    },
  }) + event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
);
const DELTA = Buffer.from(
  event("content_block_delta", { index: 0, delta: { type: "text_delta", text: "token " } }),
);
const TAIL = Buffer.from(
  event("content_block_stop", { index: 0 }) +
    event("message_delta", {
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: 100 },
    }) +
    event("message_stop", {}),
);

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function answer(request, response) {
  let body = "";
  for await (const chunk of request) body += chunk;
  const asked = [...body.matchAll(/tokens=(\d+) pace=(\d+)/g)].at(-1) ?? [];
  const [tokens, pace] = [Number(asked[1] ?? 10), Number(asked[2] ?? 0)];
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(HEAD);
  for (let count = 0; count < tokens && !response.destroyed; count += 1) {
    if (pace > 0) await sleep(pace);
    if (!response.write(DELTA) && !response.destroyed) await once(response, "drain");
  }
  response.end(TAIL);
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => response.destroy(error));
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});
