/** What a person answers in the middle of a turn, sent back in the way of the AI SDK. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DefaultChatTransport, readUIMessageStream, type UIMessage, type UIMessageChunk } from "ai";
import { TOKEN } from "./test-server.ts";
import { type SessionServer, sessionServer } from "./test-sessions.ts";
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

/** Everything that a chat shows after its first message, and the answer with one part changed. */
async function waiting(server: SessionServer, text: string, change: object): Promise<UIMessage> {
  const answer = await read(await send(server, { messages: [user("u-1", text)] }));
  assert.ok(answer);
  while ((await server.sessions.live.status("ses_chat-1")).state === "busy") {
    await new Promise(setImmediate);
  }
  const parts = answer.parts.map((part) =>
    part.type.startsWith("tool-") ? ({ ...part, ...change } as typeof part) : part,
  );
  return { ...answer, parts };
}

test("a question is shown as a call without output, and its output goes on with the turn", async (t) => {
  const server = await sessionServer(t);
  const output = { answers: [["red"]] };
  const message = await waiting(server, "ask", { state: "output-available", output });
  const { status } = await server.ask("GET", "/v1/sessions/ses_chat-1/status");
  assert.equal(status, 200);
  const messages = [user("u-1", "ask"), message];
  const whole = await read(await send(server, { messages, messageId: message.id }), message);
  assert.equal(whole?.id, message.id);
  assert.equal(textOf(whole), "you said ask");
});

test("an answer that is sent again follows what came of it, and another one is refused", async (t) => {
  const server = await sessionServer(t);
  const output = { answers: [["red"]] };
  const message = await waiting(server, "ask and wait", { state: "output-available", output });
  const answered = (parts: UIMessage["parts"]) =>
    openStream(`${server.url}/v1/chat`, { id: "chat-1", messages: [{ ...message, parts }] });
  const first = await answered(message.parts);
  await first.until((data) => data.includes("you said"));
  const second = await answered(message.parts);
  assert.equal(second.status, 200);
  await second.until((data) => data.includes("you said"));
  const other = message.parts.map((part) =>
    part.type === "tool-question" ? ({ ...part, output: [["blue"]] } as typeof part) : part,
  );
  assert.equal((await answered(other)).status, 422);
  server.sessions.release();
  assert.deepEqual(await second.rest(), await first.rest());
  assert.deepEqual(await (await answered(message.parts)).rest(), [
    JSON.stringify({ type: "start", messageId: message.id }),
    '{"type":"finish"}',
    "[DONE]",
  ]);
});

test("an approval is shown as one, and the response to it goes on with the turn", async (t) => {
  const server = await sessionServer(t);
  const answer = await read(await send(server, { messages: [user("u-1", "danger")] }));
  const call = answer?.parts.find((part) => part.type === "tool-danger");
  assert.ok(call && "approval" in call && call.approval);
  assert.equal(call.state, "approval-requested");
  while ((await server.sessions.live.status("ses_chat-1")).state === "busy") {
    await new Promise(setImmediate);
  }
  const approval = { ...call.approval, approved: true };
  const parts = answer?.parts.map((part) =>
    part === call
      ? ({ ...part, state: "approval-responded", approval } as unknown as typeof part)
      : part,
  );
  const message: UIMessage = { id: answer?.id ?? "", role: "assistant", parts: parts ?? [] };
  const whole = await read(await send(server, { messages: [message] }), message);
  const done = whole?.parts.find((part) => part.type === "tool-danger");
  assert.ok(done && "state" in done);
  assert.equal(done.state, "output-available");
  assert.equal(textOf(whole), "you said danger");
});

test("a chat that answers one call of two waits for the other, and says nothing twice", async (t) => {
  const server = await sessionServer(t);
  const message = await waiting(server, "ask danger", {});
  const parts = message.parts.map((part) =>
    part.type === "tool-question"
      ? ({ ...part, state: "output-available", output: [["red"]] } as unknown as typeof part)
      : part,
  );
  const messages = [{ ...message, parts }];
  for (const _ of ["once", "and again"]) {
    const stream = await openStream(`${server.url}/v1/chat`, { id: "chat-1", messages });
    assert.deepEqual(await stream.rest(), [
      JSON.stringify({ type: "start", messageId: message.id }),
      '{"type":"finish"}',
      "[DONE]",
    ]);
  }
  const unchanged = { id: "chat-1", messages: [message] };
  assert.equal((await openStream(`${server.url}/v1/chat`, unchanged)).status, 422);
  const { json } = await server.ask("GET", "/v1/sessions/ses_chat-1/status");
  assert.equal(json.state, "waiting_on_approval");
});

test("a question that the page gives up is dismissed", async (t) => {
  const server = await sessionServer(t);
  const message = await waiting(server, "ask", { state: "output-error", errorText: "closed" });
  const body = { id: "chat-1", messages: [message] };
  assert.equal((await openStream(`${server.url}/v1/chat`, body)).status, 200);
  const { json } = await server.ask("GET", "/v1/chat/chat-1");
  const call = json.messages[1].parts.find(
    ({ type }: { type: string }) => type === "tool-question",
  );
  assert.match(call.errorText, /dismissed/);
});
