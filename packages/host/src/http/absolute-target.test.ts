/** A request may name its host in the target itself, and then that is the host that counts. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { serverFor, TOKEN } from "./test-server.ts";

async function statusOf(port: number, target: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.end(
    `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`,
  );
  return (await text(socket)).split(" ")[1] ?? "";
}

test("a target in absolute form is held to the same host as the header", async (t) => {
  const { port } = await serverFor(t);
  assert.equal(await statusOf(port, "/healthz"), "200");
  assert.equal(await statusOf(port, `http://127.0.0.1:${port}/healthz`), "200");
  assert.equal(await statusOf(port, "http://evil.example/healthz"), "403");
});
