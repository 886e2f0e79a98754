/** A reader that takes nothing costs a cursor, hears comments when all is quiet, and is cut off. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import type { UiChunk } from "@galley/parts";
import type { LiveTurn } from "@galley/turn";
import { createSseHub, type SseHub, type SseLimits, type SseSource } from "./sse-hub.ts";
import { encoderOf, laterSource, turnSource } from "./sse-source.ts";

const LIMITS: SseLimits = { streams: 10, keepAliveMs: 1_000, stuckBeats: 2 };

type Served = { readonly hub: SseHub; readonly answer: IncomingMessage };

/** One stream on a real socket. */
async function serve(t: TestContext, source: SseSource, limits = LIMITS): Promise<Served> {
  const hub = createSseHub(limits);
  const server = createServer((incoming, outgoing: ServerResponse) => {
    hub.admit().serve({ env: { incoming, outgoing } } as never, source);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const outgoing = request({ port, agent: false });
  outgoing.end();
  const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
  answer.on("error", () => {});
  return { hub, answer };
}

test("a reader that does not read is not read for", async (t) => {
  let asked = 0;
  const frames = new Uint8Array(64 * 1024).fill(0x20);
  const source: SseSource = {
    next: () => (asked++ < 10_000 ? frames : "end"),
    listen: () => () => {},
  };
  const { answer } = await serve(t, source);
  for (let quiet = -1; quiet !== asked; ) {
    quiet = asked;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  // The sockets' own buffers hold some; nobody holds the other hundreds of megabytes.
  assert.ok(asked < 1_000, String(asked));
  answer.destroy();
});

test("who takes nothing for some beats is cut off, and its seat is free", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  let stopped = 0;
  const frames = new Uint8Array(64 * 1024);
  const source: SseSource = { next: () => frames, listen: () => () => stopped++ };
  const { hub, answer } = await serve(t, source);
  const cut = new Promise((resolve) => answer.once("close", resolve));
  t.mock.timers.tick(2_000);
  answer.resume();
  await cut;
  assert.deepEqual([hub.open, stopped], [0, 1]);
});

test("silence is broken by comments, and only silence", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const said: Uint8Array[] = [];
  let wake = () => {};
  const source: SseSource = {
    next: () => said.shift() ?? "wait",
    listen(heard) {
      wake = heard;
      return () => {};
    },
  };
  const { answer } = await serve(t, source);
  const read = async () => String((await once(answer, "data"))[0]);
  t.mock.timers.tick(1_000);
  assert.equal(await read(), ": \n\n");
  said.push(new TextEncoder().encode("data: 1\n\n"));
  wake();
  assert.equal(await read(), "data: 1\n\n");
  t.mock.timers.tick(1_000);
  said.push(new TextEncoder().encode("data: 2\n\n"));
  wake();
  assert.equal(await read(), "data: 2\n\n");
  answer.destroy();
});

test("a batch is encoded once for everybody who hears it now", () => {
  // The encoder asks nothing of the turn: it is only what is shared.
  const turn = {} as LiveTurn;
  const batch: readonly UiChunk[] = [{ type: "start" }, { type: "finish" }];
  const frames = encoderOf(turn)(batch);
  assert.equal(String(frames), 'data: {"type":"start"}\n\ndata: {"type":"finish"}\n\n');
  assert.equal(encoderOf(turn)(batch), frames);
  assert.notEqual(encoderOf(turn)([{ type: "finish" }]), frames);
});

test("a turn that nobody waits for any longer is cut, and one that ended is ended", () => {
  let isCut = false;
  let ended = false;
  const turn = {
    readFrom: () => undefined,
    get ended() {
      return ended;
    },
  } as unknown as LiveTurn;
  const source = turnSource(turn, { isCut: () => isCut, onChunks: () => {} });
  assert.equal(source.next(), "wait");
  isCut = true;
  assert.equal(source.next(), "cut");
  ended = true;
  assert.equal(String(source.next()), "data: [DONE]\n\n");
  assert.equal(source.next(), "end");
});

test("a source that is found after its listener left is left alone", async () => {
  const finding = Promise.withResolvers<SseSource>();
  let listened = 0;
  const source = laterSource(
    () => finding.promise,
    () => false,
  );
  source.listen(() => {})();
  finding.resolve({ next: () => "end", listen: () => () => listened++ });
  await finding.promise;
  assert.deepEqual([source.next(), listened], ["wait", 0]);
});
