/** Messages over HTTP: handed in once, answered, queued, and read back to the byte. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type SessionServer, sessionServer } from "./test-sessions.ts";
import { openStream } from "./test-stream.ts";

const SESSION = "/v1/sessions/ses_a";

async function opened(t: Parameters<typeof sessionServer>[0]): Promise<SessionServer> {
  const server = await sessionServer(t);
  await server.ask("POST", "/v1/sessions", { id: "ses_a" });
  return server;
}

/** Waits for the end of whatever runs. */
async function settled({ url, sessions }: SessionServer): Promise<void> {
  sessions.release();
  const stream = await openStream(`${url}${SESSION}/stream`);
  if (stream.status === 200) await stream.rest();
  while ((await sessions.live.status("ses_a")).state === "busy") {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("a message is taken, answered and read back with its parts in order", async (t) => {
  const server = await opened(t);
  const parts = [
    { type: "text", text: "hi" },
    { type: "x-future", deep: { b: 1, a: [2] } },
  ];
  const taken = await server.ask("POST", `${SESSION}/messages`, { id: "msg_1", parts });
  assert.deepEqual(taken, {
    status: 202,
    json: { message_id: "msg_1", disposition: "fired", notes: [], actions: [] },
  });
  await settled(server);
  const { messages } = (await server.ask("GET", `${SESSION}/messages`)).json;
  assert.deepEqual(
    messages.map(({ role, seq }: { role: string; seq: number }) => [role, seq]),
    [
      ["user", 1],
      ["assistant", 2],
    ],
  );
  assert.deepEqual(messages[0].parts, parts);
  assert.deepEqual(messages[1].parts, [
    { type: "step-start" },
    { type: "text", text: "you said hi", state: "done" },
  ]);
  assert.equal(messages[1].metadata.usage.output, 2);
});

test("a retry is answered as the first time, and another payload under its id is refused", async (t) => {
  const server = await opened(t);
  const send = (text: string) => server.ask("POST", `${SESSION}/messages`, { id: "msg_1", text });
  const first = await send("hi");
  assert.deepEqual(await send("hi"), first);
  const { status, json } = await send("ho");
  assert.deepEqual([status, json.code], [409, "turn.conflict"]);
  await settled(server);
  assert.equal((await server.ask("GET", `${SESSION}/messages`)).json.messages.length, 2);
});

test("host actions alone are recorded, and no turn begins", async (t) => {
  const { ask } = await opened(t);
  const { json } = await ask("POST", `${SESSION}/messages`, { text: "/rename x" });
  assert.equal(json.disposition, "settled");
  assert.deepEqual((await ask("GET", `${SESSION}/status`)).json, { state: "idle" });
});

test("messages are read after another one, and the last few of them", async (t) => {
  const server = await opened(t);
  for (const id of ["msg_1", "msg_2"]) {
    await server.ask("POST", `${SESSION}/messages`, { id, text: "hi" });
    await settled(server);
  }
  const ids = async (query: string) =>
    (await server.ask("GET", `${SESSION}/messages?${query}`)).json.messages.map(
      ({ role, id }: { role: string; id: string }) => (role === "user" ? id : role),
    );
  assert.deepEqual(await ids("after=msg_1"), ["assistant", "msg_2", "assistant"]);
  assert.deepEqual(await ids("last=2"), ["msg_2", "assistant"]);
  const { status } = await server.ask("GET", `${SESSION}/messages?after=msg_none`);
  assert.equal(status, 404);
  await server.ask("POST", "/v1/sessions", { id: "ses_b" });
  const foreign = await server.ask("GET", "/v1/sessions/ses_b/messages?after=msg_1");
  assert.deepEqual([foreign.status, foreign.json.code], [404, "turn.no-message"]);
});

test("what waits is listed, changed, moved and cancelled; what fired is not", async (t) => {
  const server = await opened(t);
  const { ask } = server;
  for (const id of ["msg_1", "msg_2", "msg_3", "msg_4"]) {
    await ask("POST", `${SESSION}/messages`, { id, text: "wait" });
  }
  const queue = async () => {
    const { json } = await ask("GET", `${SESSION}/queue`);
    return json.entries.map(({ id, parts }: { id: string; parts: { text: string }[] }) => [
      id,
      parts[0]?.text,
    ]);
  };
  assert.deepEqual(await queue(), [
    ["msg_2", "wait"],
    ["msg_3", "wait"],
    ["msg_4", "wait"],
  ]);
  const parts = [{ type: "text", text: "other" }];
  const changed = await ask("PATCH", `${SESSION}/queue/msg_4`, { parts, before: "msg_2" });
  assert.equal(changed.status, 200);
  assert.deepEqual(await ask("DELETE", `${SESSION}/queue/msg_3`), { status: 204, json: "" });
  assert.deepEqual(await queue(), [
    ["msg_4", "other"],
    ["msg_2", "wait"],
  ]);
  const refusal = async (method: string, id: string, body?: unknown) => {
    const { status, json } = await ask(method, `${SESSION}/queue/${id}`, body);
    return `${status} ${json.code}`;
  };
  assert.equal(await refusal("DELETE", "msg_1"), "409 turn.already-fired");
  assert.equal(await refusal("DELETE", "msg_none"), "404 turn.no-message");
  const nowhere = { parts: [{ type: "text", text: "never" }], after: "msg_none" };
  assert.equal(await refusal("PATCH", "msg_2", nowhere), "404 turn.no-message");
  assert.deepEqual((await queue())[1], ["msg_2", "wait"]);
  const both = { before: "msg_2", after: "msg_2" };
  assert.equal(await refusal("PATCH", "msg_4", both), "422 http.bad_shape");
  const again = await ask("POST", `${SESSION}/messages`, { id: "msg_3", text: "wait" });
  assert.deepEqual([again.status, again.json.code], [409, "turn.cancelled"]);
  await ask("POST", `${SESSION}/abort`, { clear_queue: true });
  assert.deepEqual(await queue(), []);
  await settled(server);
});

test("a turn is stopped with what it said, and there is nothing to stop after it", async (t) => {
  const server = await opened(t);
  const { ask } = server;
  await ask("POST", `${SESSION}/messages`, { text: "wait" });
  const { status, json } = await ask("GET", `${SESSION}/status`);
  assert.deepEqual([status, json.state], [200, "busy"]);
  assert.equal((await ask("POST", `${SESSION}/abort`)).status, 200);
  await settled(server);
  const { messages } = (await ask("GET", `${SESSION}/messages`)).json;
  assert.equal(messages[1].parts.at(-1).text, "you said ");
  assert.equal(typeof messages[1].metadata.aborted_at, "number");
  const again = await ask("POST", `${SESSION}/abort`);
  assert.deepEqual([again.status, again.json.code], [409, "turn.nothing-running"]);
});

test("a failed message is tried again, and nothing else is", async (t) => {
  const server = await opened(t);
  const { ask } = server;
  await ask("POST", `${SESSION}/messages`, { id: "msg_1", text: "fail" });
  await settled(server);
  const { state, message } = (await ask("GET", `${SESSION}/status`)).json;
  assert.deepEqual([state, /does not like it/.test(message)], ["error", true]);
  const again = await ask("POST", `${SESSION}/retry`);
  assert.deepEqual([again.status, again.json.message_id], [202, "msg_1"]);
  await settled(server);
  await ask("POST", `${SESSION}/messages`, { id: "msg_2", text: "hi" });
  await settled(server);
  const none = await ask("POST", `${SESSION}/retry`);
  assert.deepEqual([none.status, none.json.code], [409, "turn.nothing-to-retry"]);
  const rest = await ask("POST", `${SESSION}/resume`);
  assert.deepEqual([rest.status, rest.json.code], [409, "turn.not-paused"]);
});

test("a question is answered once, in its own shape, and the turn goes on", async (t) => {
  const server = await opened(t);
  const { ask } = server;
  await ask("POST", `${SESSION}/messages`, { text: "ask" });
  await settled(server);
  assert.equal((await ask("GET", `${SESSION}/status`)).json.state, "waiting_on_user_input");
  const answer = async (body: object) => {
    const { status, json } = await ask("POST", `${SESSION}/answers`, body);
    return `${status} ${json.code ?? json.state}`;
  };
  const tool_call_id = "call_ask";
  assert.equal(await answer({ tool_call_id, decision: "allow" }), "422 turn.wrong-answer");
  assert.equal(await answer({ tool_call_id, answers: "red" }), "422 http.bad_shape");
  assert.equal(await answer({ tool_call_id: "no", answers: [["x"]] }), "409 turn.no-interaction");
  assert.equal(await answer({ tool_call_id, answers: [["red"]] }), "200 busy");
  await settled(server);
  assert.equal(await answer({ tool_call_id, answers: [["red"]] }), "409 turn.no-interaction");
  const { messages } = (await ask("GET", `${SESSION}/messages`)).json;
  const call = messages[1].parts.find(({ type }: { type: string }) => type === "tool-question");
  assert.deepEqual([call.state, call.output.data], ["output-available", { answers: [["red"]] }]);
});

test("an approval is denied, and a question is dismissed", async (t) => {
  const server = await opened(t);
  const { ask } = server;
  const stateOf = async (text: string, path: string, body: object) => {
    await ask("POST", `${SESSION}/messages`, { text });
    await settled(server);
    assert.equal((await ask("POST", `${SESSION}/${path}`, body)).status, 200);
    await settled(server);
    const { messages } = (await ask("GET", `${SESSION}/messages`)).json;
    const parts = messages.findLast(({ role }: { role: string }) => role === "assistant").parts;
    return parts.find(({ toolCallId }: { toolCallId?: string }) => toolCallId)?.state;
  };
  const denied = { tool_call_id: "call_danger", decision: "deny" };
  assert.equal(await stateOf("danger", "answers", denied), "output-denied");
  assert.equal(await stateOf("ask", "dismiss", { tool_call_id: "call_ask" }), "output-error");
});
