import assert from "node:assert/strict";
import { connect } from "node:net";
import { afterEach, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { type Rehearsal, RehearsalError, type RehearsalOptions, startRehearsal } from "./server.ts";
import { HEADERS } from "./trial.ts";

const open: Rehearsal[] = [];
const start = async (options: RehearsalOptions = {}) => {
  const rehearsal = await startRehearsal(options);
  open.push(rehearsal);
  return rehearsal;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((rehearsal) => rehearsal.close()));
});

const PATH = "/v1/messages";
const body = { model: "default", max_tokens: 50, messages: [{ role: "user", content: "hi" }] };
const post = (url: string, sent: unknown, init: RequestInit = {}) =>
  fetch(url, {
    method: "POST",
    headers: HEADERS["anthropic-messages"],
    body: typeof sent === "string" ? sent : JSON.stringify(sent),
    ...init,
  });
const messageOf = async (response: Response): Promise<unknown> =>
  ((await response.json()) as { error: { message: string } }).error.message;

test("it listens on loopback and answers in words what it received", async () => {
  const { url } = await start();
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
  const answer = (await (await post(url + PATH, body)).json()) as { content: { text: string }[] };
  assert.match(answer.content[0]?.text ?? "", /1\. user:\n {3}- text, 2 bytes: "hi"/);
});

test("what it received is kept byte for byte, refused or not", async () => {
  const { url, received, idle } = await start();
  const odd = `{ "model" : "default",\n"max_tokens":5e1, "messages":[{"role":"user","content":"\\u00e9é"}]}`;
  await (await post(url + PATH, odd)).text();
  await (await post(`${url}/anthropic${PATH}?beta=true`, "{ not json")).text();
  await (await post(`${url}/elsewhere`, "x")).text();
  await idle();
  assert.deepEqual(
    received.map((row) => [
      new TextDecoder().decode(row.body),
      row.index,
      row.protocol,
      row.path,
      row.status,
      row.accepted,
      row.isWhole,
      row.ending,
    ]),
    [
      [odd, 0, "anthropic-messages", PATH, 200, true, true, "sent"],
      [
        "{ not json",
        1,
        "anthropic-messages",
        `/anthropic${PATH}?beta=true`,
        400,
        false,
        true,
        "sent",
      ],
      ["x", 2, undefined, "/elsewhere", 404, false, true, "sent"],
    ],
  );
  assert.equal(received[0]?.headers["x-api-key"], "key");
});

test("old entries are let go and counted", async () => {
  const rehearsal = await start({ keepReceived: 1 });
  await (await post(rehearsal.url + PATH, body)).text();
  await (await post(rehearsal.url + PATH, body)).text();
  assert.deepEqual([rehearsal.received.length, rehearsal.released], [1, 1]);
});

test("a refused request takes no step, and a script that ran out says so", async () => {
  const { url, use } = await start({ script: [{ say: "one" }] });
  assert.equal((await post(url + PATH, { ...body, n: 1 })).status, 400);
  assert.match(await (await post(url + PATH, body)).text(), /"text":"one"/);
  const late = await post(url + PATH, body);
  assert.equal(late.status, 400);
  assert.equal(
    await messageOf(late),
    "rehearsal: the script has 1 steps, and this request came after the last.",
  );
  use([{ say: "again" }]);
  assert.match(await (await post(url + PATH, body)).text(), /"text":"again"/);
});

test("a script may be a function of what was heard, and its failure is an answer", async () => {
  const { url } = await start({
    script: (heard, index) => {
      if (index > 0) throw new Error("lost the thread");
      return { say: `${heard.messages.length} message` };
    },
  });
  assert.match(await (await post(url + PATH, body)).text(), /"text":"1 message"/);
  const failed = await post(url + PATH, body);
  assert.equal(failed.status, 500);
  assert.equal(await messageOf(failed), "rehearsal: the script failed: lost the thread");
});

test("a failure of the rehearsal itself is an answer too", async () => {
  const countTokens = () => {
    throw new Error("cannot count");
  };
  const { url, received } = await start({ countTokens });
  const failed = await post(url + PATH, body);
  assert.equal(await messageOf(failed), "rehearsal: internal failure: cannot count");
  assert.equal(received[0]?.status, 500);
});

test("a body over the limit is refused, and kept as far as it was read", async () => {
  const { url, received } = await start({ maxBodyBytes: 1000 });
  const large = JSON.stringify({ ...body, system: "x".repeat(2_000_000) });
  assert.equal((await post(url + PATH, large)).status, 413);
  assert.equal(received[0]?.isWhole, false);
  assert.equal(large.startsWith(new TextDecoder().decode(received[0]?.body)), true);
});

test("a cut stream breaks the connection after its events", async () => {
  const script = [{ say: "a b c", fault: { cutAfterEvents: 3 } }];
  const { url, received, idle } = await start({ script });
  const response = await post(url + PATH, { ...body, stream: true });
  const reader = response.body?.getReader();
  assert.ok(reader);
  let text = "";
  await assert.rejects(async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += new TextDecoder().decode(value);
    }
  });
  assert.deepEqual(text.match(/event: \w+/g), [
    "event: message_start",
    "event: ping",
    "event: content_block_start",
  ]);
  await idle();
  assert.equal(received[0]?.ending, "cut");
});

test("a client that leaves a hanging stream is noticed", async () => {
  const fault = { hang: true, afterEvents: 1 } as const;
  const { url, received, idle } = await start({ script: [{ say: "a", fault }] });
  const leaving = new AbortController();
  const sent = { ...body, stream: true };
  const response = await post(url + PATH, sent, { signal: leaving.signal });
  await response.body?.getReader().read();
  assert.equal(received[0]?.ending, "open");
  leaving.abort();
  await idle();
  assert.equal(received[0]?.ending, "client-left");
});

test("closing ends open streams and those that were never answered", async () => {
  const script = [
    { say: "a", fault: { hang: true, afterEvents: 1 } as const },
    { fault: { hang: true } as const },
    { say: "late", delayMs: 3_600_000 },
  ];
  const { url, received, close } = await start({ script });
  const stream = await post(url + PATH, { ...body, stream: true });
  const silent = Promise.allSettled([post(url + PATH, body), post(url + PATH, body)]);
  while (received.length < 3) await turn();
  await close();
  await assert.rejects(stream.text());
  const outcomes = (await silent).map(({ status }) => status);
  assert.deepEqual(outcomes, ["rejected", "rejected"]);
  assert.deepEqual(
    received.map(({ ending }) => ending),
    ["server-closed", "server-closed", "server-closed"],
  );
  await close();
});

test("a client that leaves within its own request is recorded as far as it came", async () => {
  const { url, received } = await start();
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write(`POST ${PATH} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"model"`, () =>
    socket.destroy(),
  );
  while (received.length === 0) await turn();
  const { status, isWhole, accepted, ending } = received[0] ?? {};
  assert.deepEqual([status, isWhole, accepted, ending], [499, false, false, "client-left"]);
});

test("a taken port is a typed error", async () => {
  const { url } = await start();
  const port = Number(new URL(url).port);
  await assert.rejects(startRehearsal({ port }), (error) =>
    RehearsalError.is(error, "cannot-listen"),
  );
});

test("only POST is answered", async () => {
  const { url } = await start();
  const response = await fetch(url + PATH);
  assert.equal(response.status, 405);
  assert.equal(await messageOf(response), "Invalid URL (GET /v1/messages)");
});

test("pauses between events do not change what is sent", async () => {
  const { url } = await start({ script: () => ({ say: "a b", delayMs: 1, chunkDelayMs: 1 }) });
  const sent = { ...body, stream: true };
  const first = await (await post(url + PATH, sent)).text();
  assert.match(first, /"text":"a "[\s\S]*"text":"b"[\s\S]*message_stop/);
});
