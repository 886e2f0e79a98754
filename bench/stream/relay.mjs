/** The bare relay: the body goes on as it came, the stream comes back as it is. Nothing is kept. */
import { Agent, request as call, createServer } from "node:http";
import process from "node:process";
import { pipeline } from "node:stream";

const [, , provider] = process.argv;
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const body = Buffer.concat(chunks);
    const headers = { "content-type": "application/json", "content-length": body.length };
    const onward = call(`${provider}/v1/messages`, { method: "POST", agent, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { "content-type": "text/event-stream" });
      pipeline(answer, response, () => {});
    });
    onward.on("error", () => response.destroy());
    onward.end(body);
  });
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});
