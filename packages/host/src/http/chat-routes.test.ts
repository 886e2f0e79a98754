/** The AI SDK's own transport and reader against the chat routes: nothing here speaks for them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LiveSessions } from "@galley/turn";
import {
  DefaultChatTransport,
  readUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
  validateUIMessages,
} from "ai";
import { TOKEN } from "./test-server.ts";
import { type SessionServer, sessionServer, smallSessions } from "./test-sessions.ts";
import { openStream } from "./test-stream.ts";

const transportOf = ({ url }: SessionServer) =>
  new DefaultChatTransport<UIMessage>({
    api: `${url}/v1/chat`,
    headers: { authorization: `Bearer ${TOKEN}` },
  });

type Sent = Pick<
  Parameters<DefaultChatTransport<UIMessage>["sendMessages"]>[0],
  "messages" | "trigger" | "messageId"
>;

const send = (server: SessionServer, sent: Partial<Sent>, abortSignal?: AbortSignal) =>
  transportOf(server).sendMessages({
    chatId: "chat-1",
    messages: [],
    trigger: "submit-message",
    messageId: undefined,
    abortSignal,
    ...sent,
  });

const user = (id: string, text: string): UIMessage => ({
  id,
  role: "user",
  parts: [{ type: "text", text }],
});

/** The message as `useChat` would show it at the end. */
async function read(
  stream: ReadableStream<UIMessageChunk>,
  message?: UIMessage,
): Promise<UIMessage | undefined> {
  let last = message;
  const all = readUIMessageStream({ stream, ...(message && { message }) });
  for await (const each of all) last = structuredClone(each);
  return last;
}

const textOf = (message: UIMessage | undefined): string =>
  (message?.parts ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");

test("a first message makes the session and is answered in it", async (t) => {
  const server = await sessionServer(t);
  const answer = await read(await send(server, { messages: [user("u-1", "hi")] }));
  assert.equal(textOf(answer), "you said hi");
  const { json } = await server.ask("GET", "/v1/sessions/ses_chat-1/messages");
  assert.deepEqual(
    json.messages.map(({ id }: { id: string }) => id),
    ["msg_u-1", answer?.id],
  );
});

test("only the last message of the history is taken", async (t) => {
  const server = await sessionServer(t);
  const messages = [user("u-0", "never sent"), user("u-1", "hi")];
  await read(await send(server, { messages }));
  const { json } = await server.ask("GET", "/v1/sessions/ses_chat-1/messages");
  assert.equal(json.messages.length, 2);
});

test("a request that is repeated is answered with what was said, and asks nobody again", async (t) => {
  const server = await sessionServer(t);
  const messages = [user("u-1", "hi")];
  const first = await read(await send(server, { messages }));
  const again = await read(await send(server, { messages }));
  assert.equal(again?.id, first?.id);
  assert.deepEqual(again?.parts, first?.parts);
  await assert.rejects(send(server, { messages: [user("u-1", "ho")] }), /turn\.conflict/);
});

test("a message that waits keeps its stream open until it is answered", async (t) => {
  const server = await sessionServer(t);
  const first = await send(server, { messages: [user("u-1", "wait")] });
  const second = await openStream(`${server.url}/v1/chat`, {
    id: "chat-1",
    messages: [user("u-2", "hi")],
  });
  const receipt = JSON.parse((await second.next()) ?? "");
  assert.deepEqual(
    [receipt.type, receipt.transient, receipt.data.disposition, receipt.data.position],
    ["data-galley-submitted", true, "queued", 1],
  );
  server.sessions.release();
  assert.equal(textOf(await read(first)), "you said wait");
  const said = (await second.rest()).filter((data) => data.includes("text-delta"));
  assert.deepEqual(
    said.map((data) => JSON.parse(data).delta),
    ["you said ", "hi"],
  );
});

test("a message that is cancelled while it waits ends its stream", async (t) => {
  const server = await sessionServer(t);
  await send(server, { messages: [user("u-1", "wait")] });
  const stream = await openStream(`${server.url}/v1/chat`, {
    id: "chat-1",
    messages: [user("u-2", "hi")],
  });
  await stream.next();
  await server.ask("DELETE", "/v1/sessions/ses_chat-1/queue/msg_u-2");
  assert.deepEqual((await stream.rest()).slice(1), [
    '{"type":"abort","reason":"the message was cancelled"}',
    "[DONE]",
  ]);
  server.sessions.release();
});

test("leaving does not stop the answer, and coming back finds it from its first chunk", async (t) => {
  const server = await sessionServer(t);
  const left = new AbortController();
  await send(server, { messages: [user("u-1", "wait")] }, left.signal);
  left.abort();
  const transport = transportOf(server);
  const stream = await transport.reconnectToStream({ chatId: "chat-1" });
  assert.ok(stream);
  server.sessions.release();
  assert.equal(textOf(await read(stream)), "you said wait");
  while (server.sessions.live.live("ses_chat-1")) await new Promise(setImmediate);
  assert.equal(await transport.reconnectToStream({ chatId: "chat-1" }), null);
  assert.equal(await transport.reconnectToStream({ chatId: "never seen" }), null);
});

test("a chat is stopped by its own call, and stopping what does not run is harmless", async (t) => {
  const server = await sessionServer(t);
  const stream = await send(server, { messages: [user("u-1", "wait")] });
  const stop = () => server.ask("POST", "/v1/chat/chat-1/stop");
  assert.deepEqual(await stop(), { status: 204, json: "" });
  assert.equal(textOf(await read(stream)), "you said ");
  while (server.sessions.live.live("ses_chat-1")) await new Promise(setImmediate);
  assert.equal((await stop()).status, 204);
  assert.equal((await server.ask("POST", "/v1/chat/never/stop")).status, 204);
});

test("a page begins with the messages that the AI SDK takes for its own", async (t) => {
  const server = await sessionServer(t);
  const file = {
    type: "file",
    mediaType: "text/plain",
    filename: "a.txt",
    url: "data:text/plain;base64,aGk=",
  } as const;
  const mention = { type: "mention", target: { kind: "file", path: "a.ts" } };
  const message: UIMessage = {
    id: "u-1",
    role: "user",
    parts: [{ type: "text", text: "hi" }, file, { type: "data-galley", data: mention }],
  };
  const answer = await read(await send(server, { messages: [message] }));
  const { json } = await server.ask("GET", "/v1/chat/chat-1");
  assert.deepEqual(json.messages[0].parts, message.parts);
  assert.deepEqual(json.messages[1].parts, JSON.parse(JSON.stringify(answer?.parts)));
  assert.equal((await validateUIMessages({ messages: json.messages })).length, 2);
  assert.deepEqual((await server.ask("GET", "/v1/chat/never")).json, { messages: [] });
});

test("the last message is answered anew, and the answer before is hidden", async (t) => {
  const server = await sessionServer(t);
  const messages = [user("u-1", "hi")];
  const first = await read(await send(server, { messages }));
  while ((await server.sessions.live.status("ses_chat-1")).state !== "idle") {
    await new Promise(setImmediate);
  }
  const again = await read(await send(server, { messages, trigger: "regenerate-message" }));
  assert.equal(textOf(again), "you said hi");
  assert.notEqual(again?.id, first?.id);
  const { json } = await server.ask("GET", "/v1/sessions/ses_chat-1/messages");
  assert.deepEqual(
    json.messages.map(({ id }: { id: string }) => id),
    ["msg_u-1", again?.id],
  );
});

test("a chat whose session was made by another request meanwhile goes on in it", async (t) => {
  const sessions = await smallSessions(t);
  const create: LiveSessions["create"] = async (session) => {
    await sessions.live.create(session);
    return sessions.live.create(session);
  };
  const backend = { ...sessions, live: { ...sessions.live, create } };
  const server = await sessionServer(t, { sessions: backend });
  const stream = await send(server, { messages: [user("u-1", "hi")] });
  assert.equal(textOf(await read(stream)), "you said hi");
});

test("host actions alone are answered with an empty message", async (t) => {
  const server = await sessionServer(t);
  const body = { id: "chat-1", messages: [user("u-1", "/help")] };
  const said = await (await openStream(`${server.url}/v1/chat`, body)).rest();
  assert.equal(JSON.parse(said[0] ?? "").data.disposition, "settled");
  assert.deepEqual(said.slice(1), ['{"type":"start"}', '{"type":"finish"}', "[DONE]"]);
});

const REFUSED: readonly (readonly [string, object, string])[] = [
  ["no message", { messages: [] }, "422 http.bad_shape"],
  ["a message without an id", { messages: [{ role: "user", parts: [] }] }, "422 http.bad_shape"],
  ["a field of nobody's", { messages: [user("u", "hi")], colour: 1 }, "422 http.bad_shape"],
  [
    "a system message",
    { messages: [{ id: "s", role: "system", parts: [] }] },
    "422 http.not_an_answer",
  ],
  [
    "an answer in a chat that never was",
    { messages: [{ id: "a", role: "assistant", parts: [] }] },
    "404 turn.no-session",
  ],
];

for (const [what, body, expected] of REFUSED) {
  test(`${what} is refused with ${expected}`, async (t) => {
    const { ask } = await sessionServer(t);
    const { status, json } = await ask("POST", "/v1/chat", { id: "chat-1", ...body });
    assert.equal(`${status} ${json.code}`, expected);
  });
}

test("a stream that waits for its turn ends when the session is deleted", async (t) => {
  const server = await sessionServer(t);
  const url = `${server.url}/v1/chat`;
  const running = await openStream(url, { id: "chat-1", messages: [user("u-1", "wait")] });
  await running.until((data) => data.includes("you said"));
  await server.sessions.live.setStopPolicy("ses_chat-1", "hold");
  const held = await openStream(url, { id: "chat-1", messages: [user("u-2", "later")] });
  await server.sessions.live.abort("ses_chat-1");
  await running.rest();
  assert.equal((await server.ask("DELETE", "/v1/sessions/ses_chat-1")).status, 204);
  const abort = { type: "abort", reason: "the session was deleted" };
  assert.deepEqual((await held.rest()).slice(-3), [
    '{"type":"start"}',
    JSON.stringify(abort),
    "[DONE]",
  ]);
});
