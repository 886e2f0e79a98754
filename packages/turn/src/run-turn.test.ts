import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BEGIN,
  calls,
  delta,
  END,
  plays,
  says,
  scripted,
  stage,
  throws,
  tool,
} from "./scripted.ts";
import type { Span, SpanValue, Tracer } from "./trace.ts";
import { TurnError } from "./turn-error.ts";

test("an answer of text is streamed in its frame, stored and ended", async (t) => {
  const { run, parts, metadata, backOffs, reported } = await stage(t, { tries: [says("Hi.")] });
  const { end, chunks } = await run();
  assert.deepEqual(end, { type: "finished" });
  assert.deepEqual(
    chunks.map(({ type }) => type),
    [
      "start",
      "start-step",
      "text-start",
      "text-delta",
      "text-end",
      "message-metadata",
      "finish-step",
      "finish",
    ],
  );
  assert.deepEqual(chunks[0], { type: "start", messageId: "msg_a" });
  assert.deepEqual(chunks.at(-1), { type: "finish", finishReason: "stop" });
  assert.deepEqual(await parts(), [
    { type: "step-start" },
    { type: "text", text: "Hi.", state: "done" },
  ]);
  const row = await metadata();
  assert.equal(typeof row.finished_at, "number");
  assert.deepEqual(row.model, { provider_id: "scripted", model_id: "one" });
  assert.deepEqual([backOffs, reported], [[], []]);
});

test("the manifest and the bytes of a request are kept, and the bytes are those that were sent", async (t) => {
  const { run, store, model } = await stage(t, { tries: [says("Hi.")] });
  await run();
  const [manifest] = await store.manifests.list("ses_1");
  assert.deepEqual([manifest?.turn, manifest?.round, manifest?.message_id], [1, 1, "msg_u"]);
  const account = JSON.parse(manifest?.manifest_json ?? "");
  assert.deepEqual(
    [account.turn_id, account.model, account.over_limit, account.blocks.length],
    ["turn_1", "scripted/one", false, 1],
  );
  const [{ outcome, bytes, type }] = account.blocks;
  assert.deepEqual([type, outcome, bytes], ["text", "text", []]);
  const [request] = await store.requests.list("ses_1");
  assert.equal(request?.headers_json, '{"authorization":"***"}');
  const body = await store.requests.body("ses_1", 1, 1);
  assert.equal(new TextDecoder().decode(body), JSON.stringify(model.contexts[0]?.messages));
});

test("the system's layers are asked for once, frozen, and named by every answer", async (t) => {
  let asked = 0;
  const { run, store, model, deps, metadata } = await stage(t, {
    tries: [says("One."), says("Two.")],
  });
  const layers = async () => {
    asked += 1;
    return [{ id: "agent", text: `version ${asked}` }];
  };
  Object.assign(deps.surroundings, { layers });
  await run();
  await run(1);
  assert.equal(asked, 1);
  assert.deepEqual(
    model.contexts.map((context) => context.layers),
    [[{ id: "agent", text: "version 1" }], [{ id: "agent", text: "version 1" }]],
  );
  const session = await store.sessions.get("ses_1");
  const digest = JSON.parse(session?.metadata_json ?? "").system_prompt;
  assert.equal((await metadata()).system_prompt_digest, digest);
  assert.equal(
    (await store.systemPrompts.get(digest))?.body,
    '[{"id":"agent","text":"version 1"}]',
  );
});

const CHOICES = [
  ['{"model":{"provider_id":"a","model_id":"m"}}', '{"provider_id":"b","model_id":"s"}', "a/m"],
  ["{}", '{"provider_id":"b","model_id":"s"}', "b/s"],
  ["{}", null, "scripted/one"],
  ['{"model":"nonsense"}', "{}", "scripted/one"],
] as const;

for (const [message, session, opened] of CHOICES) {
  test(`a message with ${message} in a session with ${session} opens ${opened}`, async (t) => {
    const model = scripted([says("Hi.")]);
    const names: string[] = [];
    const { run, store, claim } = await stage(t, {
      model,
      deps: {
        models: {
          open: async ({ provider_id, model_id }) => {
            names.push(`${provider_id}/${model_id}`);
            return model;
          },
        },
      },
    });
    await store.sessions.patch("ses_1", { model_json: session, at: 2 });
    await store.messages.stamp("msg_u", JSON.parse(message), 2);
    assert.equal(claim.message_id, "msg_u");
    await run();
    assert.deepEqual(names, [opened]);
  });
}

test("later segments go on with the rounds of their turn, and another turn is counted anew", async (t) => {
  const question = tool("question", { waits: "question" });
  const { run, store } = await stage(t, {
    tools: [question, tool("read")],
    tries: [calls(["c1", "read"]), calls(["c2", "question"]), says("Thanks."), says("Again.")],
  });
  await run();
  await run(1);
  await run();
  const rows = await store.manifests.list("ses_1");
  assert.deepEqual(
    rows.map(({ turn, round }) => [turn, round]),
    [
      [1, 1],
      [1, 2],
      [1, 3],
      [2, 1],
    ],
  );
});

test("a failure with a sentence of its own is shown as it is, and nobody is alarmed", async (t) => {
  const refused = TurnError.make("archived", { id: "ses_1" });
  const { run, reported, metadata } = await stage(t, {
    deps: {
      models: {
        open: async () => {
          throw refused;
        },
      },
    },
  });
  const { end, chunks } = await run();
  assert.deepEqual(end, { type: "failed", message: refused.message });
  assert.deepEqual(chunks.at(-1), { type: "error", errorText: refused.message });
  assert.deepEqual(reported, []);
  assert.equal((await metadata()).error, refused.message);
});

test("a turn that is blocked before its first request has its prompt, and is counted when it goes on", async (t) => {
  let asks = 0;
  const { run, store, metadata, announced } = await stage(t, {
    tools: [tool("question", { waits: "question" })],
    box: {
      prelude: async () => {
        asks += 1;
        return asks === 2 ? [{ tool: "question", input: {} }] : [];
      },
    },
    tries: [says("One."), says("Two.")],
  });
  await run(0, "turn_1");
  await store.messages.stamp("msg_a", { system_prompt_digest: undefined }, 2);
  const { end } = await run(0, "turn_2");
  assert.equal(end.type, "blocked");
  assert.equal(typeof (await metadata()).system_prompt_digest, "string");
  await run(1, "turn_2");
  const rows = await store.manifests.list("ses_1");
  assert.deepEqual(
    rows.map(({ turn, round }) => [turn, round]),
    [
      [1, 1],
      [2, 1],
    ],
  );
  assert.deepEqual(
    announced.map((event) => [event.type, event.session_id, event.turn]),
    [
      ["manifest", "ses_1", 1],
      ["manifest", "ses_1", 2],
    ],
  );
});

test("what breaks because of a stop is a stop", async (t) => {
  const { run, controller, reported } = await stage(t, {
    deps: {
      models: {
        open: async () => {
          controller.abort();
          throw new Error("the loading was interrupted");
        },
      },
    },
  });
  const { end, chunks } = await run();
  assert.deepEqual(end, { type: "aborted" });
  assert.deepEqual(chunks.at(-1), { type: "abort" });
  assert.deepEqual(reported, []);
});

test("a host that hangs cannot keep a stopped turn from ending", async (t) => {
  const { run, controller } = await stage(t, {
    deps: {
      models: {
        open: () => {
          t.mock.timers.enable({ apis: ["setTimeout"] });
          controller.abort();
          setImmediate(() => t.mock.timers.tick(5_000));
          return new Promise(() => {});
        },
      },
    },
  });
  const { end } = await run();
  assert.deepEqual(end, { type: "aborted" });
});

const PLAIN = "an unexpected error ended the turn: retry sends the message again";

test("a model that throws garbage ends the turn with a plain sentence, and is reported", async (t) => {
  const bug = new TypeError("x is not a function");
  const { run, reported } = await stage(t, { tries: [throws(bug)] });
  const { end, chunks } = await run();
  assert.deepEqual(end, { type: "failed", message: PLAIN });
  assert.deepEqual(chunks.at(-1), { type: "error", errorText: PLAIN });
  assert.deepEqual(reported, [bug]);
});

test("a model that streams garbage ends the turn, and what it had said is kept", async (t) => {
  const garbage = plays([...BEGIN, delta("Half")], null as never, END("stop"));
  const { run, parts, reported } = await stage(t, { tries: [garbage] });
  const { end } = await run();
  assert.deepEqual(end, { type: "failed", message: PLAIN });
  assert.equal(reported.length, 1);
  assert.deepEqual((await parts()).at(-1), { type: "text", text: "Half", state: "done" });
});

test("a record that can never be written is a failed turn, not a thrown one", async (t) => {
  const { run, store, reported } = await stage(t, { tries: [says("Hi.")] });
  await store.sessions.delete("ses_1");
  const { end } = await run();
  assert.equal(end.type, "failed");
  assert.notEqual(reported.length, 0);
});

test("spans name the session, the model, the tools and what it came to, and nothing that was said", async (t) => {
  const spans: [string, Record<string, SpanValue>, string | undefined][] = [];
  const open: Tracer["span"] = (name, attributes): Span => {
    const record: (typeof spans)[number] = [name, { ...attributes }, undefined];
    spans.push(record);
    return {
      set: (more) => void Object.assign(record[1], more),
      end: (error) => {
        record[2] = error ?? "ok";
      },
      span: open,
    };
  };
  const { run } = await stage(t, {
    tracer: { span: open },
    tools: [tool("read")],
    tries: [calls(["c1", "read", { path: "secret.txt" }]), says("Hi.")],
  });
  await run();
  const timeless = spans.map(([name, { duration_ms, ...rest }, how]) => [
    name,
    { ...rest, ...(duration_ms !== undefined && { timed: true }) },
    how,
  ]);
  const session_id = "ses_1";
  assert.deepEqual(timeless, [
    [
      "session.run",
      { session_id, agent: "default", model_id: "one", provider_id: "scripted" },
      "ok",
    ],
    [
      "session.turn",
      { session_id, turn_index: 1, tokens: 10, stop_reason: "stop", timed: true },
      "ok",
    ],
    ["permission.evaluate", { tool_id: "read", action: "allow" }, "ok"],
    ["tool.call", { tool_id: "read", tool_call_id: "c1", truncated: false, timed: true }, "ok"],
  ]);
});
