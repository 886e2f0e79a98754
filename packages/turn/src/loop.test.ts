/** From step to step: tools run, people are asked, and the answer goes on where it was. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AssistantPart, MessageId } from "@galley/parts";
import type { Store } from "@galley/persist";
import { calls, END, plays, says, scripted, stage, tool } from "./scripted.ts";
import type { Tool } from "./tool.ts";
import { TurnError } from "./turn-error.ts";

const statesOf = (parts: readonly AssistantPart[]): unknown[] =>
  parts.flatMap((part) => ("toolCallId" in part ? [[part.toolCallId, part.state]] : []));

/** What a person's answer does to the row of a call. */
async function rewrite(store: Store, call: string, changes: object): Promise<void> {
  const rows = (await store.messages.get("msg_a" as MessageId))?.parts ?? [];
  const row = rows.find(({ tool_call_id }) => tool_call_id === call);
  assert.ok(row);
  const data_json = JSON.stringify({ ...JSON.parse(row.data_json), ...changes });
  const { id, message_id, index } = row;
  await store.parts.upsert([{ id, message_id, index, data_json, at: 9 }]);
}

test("a tool's result goes back to the model, in the answer so far", async (t) => {
  const { run, model, parts } = await stage(t, {
    tools: [tool("read")],
    tries: [calls(["c1", "read", { path: "a" }]), says("Done.")],
  });
  const { end, chunks } = await run();
  assert.deepEqual(end, { type: "finished" });
  assert.deepEqual(
    chunks.map(({ type }) => type),
    [
      "start",
      "start-step",
      "tool-input-start",
      "tool-input-available",
      "message-metadata",
      "finish-step",
      "tool-output-available",
      "start-step",
      "text-start",
      "text-delta",
      "text-end",
      "message-metadata",
      "finish-step",
      "finish",
    ],
  );
  const second = model.contexts[1]?.messages ?? [];
  assert.deepEqual(
    second.map(({ role, id }) => [role, id]),
    [
      ["user", "msg_u"],
      ["assistant", "msg_a"],
    ],
  );
  assert.equal(second[0], model.contexts[0]?.messages[0], "an old message is the same object");
  const [, call] = await parts();
  assert.deepEqual(call, {
    type: "tool-read",
    toolCallId: "c1",
    state: "output-available",
    input: { path: "a" },
    output: { type: "output", data: "read did it", metadata: { duration_ms: 1 } },
  });
  assert.deepEqual(
    model.contexts[0]?.tools.map(({ name }) => name),
    ["read"],
  );
});

test("a model that takes no tools is shown none", async (t) => {
  const model = scripted([says("Hi.")]);
  const bare = { ...model, profile: { ...model.profile, tools: "none" as const } };
  const { run } = await stage(t, { model: bare, tools: [tool("read")] });
  await run();
  assert.deepEqual(model.contexts[0]?.tools, []);
});

test("a server that counts its calls anew in every step gets no call mixed up", async (t) => {
  const { run, parts } = await stage(t, {
    tools: [tool("read")],
    tries: [calls(["call_0", "read"]), calls(["call_0", "read"]), says("Done.")],
  });
  await run();
  assert.deepEqual(statesOf(await parts()), [
    ["call_0", "output-available"],
    ["call_0_2", "output-available"],
  ]);
});

test("an input that is not JSON is told to the model, which goes on", async (t) => {
  const broken = plays([
    { type: "start-step" },
    { type: "tool-input-start", toolCallId: "c1", toolName: "read" },
    {
      type: "tool-input-error",
      toolCallId: "c1",
      toolName: "read",
      input: "{",
      errorText: "not JSON",
    },
    ...END("tool-calls"),
  ]);
  const { run, model } = await stage(t, { tools: [tool("read")], tries: [broken, says("Done.")] });
  const { end } = await run();
  assert.deepEqual([end, model.sent()], [{ type: "finished" }, 2]);
});

test("a call that the provider runs itself is not run here, also before its result", async (t) => {
  const search = { toolCallId: "s1", toolName: "web", providerExecuted: true };
  const { run, model } = await stage(t, {
    tries: [
      plays([
        { type: "start-step" },
        { type: "tool-input-available", input: {}, ...search },
        {
          type: "tool-output-available",
          toolCallId: "s1",
          output: "found",
          providerExecuted: true,
        },
        { type: "tool-input-available", input: {}, ...search, toolCallId: "s2" },
        ...END("stop"),
      ]),
    ],
  });
  const { end } = await run();
  assert.deepEqual([end, model.sent()], [{ type: "finished" }, 1]);
});

test("a turn ends at its step cap, and says how to go on", async (t) => {
  const { run, model, parts } = await stage(t, {
    limits: { steps: 2 },
    tools: [tool("read")],
    tries: [calls(["c1", "read"]), calls(["c2", "read"]), says("never")],
  });
  const { end } = await run();
  const { message } = TurnError.make("too-many-steps", { steps: 2 });
  assert.deepEqual(end, { type: "failed", message });
  assert.equal(model.sent(), 2);
  assert.deepEqual(statesOf(await parts()), [
    ["c1", "output-available"],
    ["c2", "output-available"],
  ]);
});

test("a question blocks the turn after everything else was done, and its answer goes on", async (t) => {
  const { run, model, parts, store, metadata } = await stage(t, {
    tools: [tool("question", { waits: "question" }), tool("read")],
    tries: [calls(["q1", "question"], ["c1", "read"]), says("Thanks.")],
  });
  const { end, chunks } = await run();
  assert.deepEqual(end, { type: "blocked", open: [{ tool_call_id: "q1", kind: "question" }] });
  assert.deepEqual(chunks.at(-1), { type: "finish", finishReason: "tool-calls" });
  assert.deepEqual(statesOf(await parts()), [
    ["q1", "input-available"],
    ["c1", "output-available"],
  ]);
  assert.equal((await metadata()).finished_at, undefined, "a blocked answer is not over");
  const output = { type: "output", data: { answers: [["yes"]] } };
  await rewrite(store, "q1", { state: "output-available", output });
  const second = await run(1);
  assert.deepEqual(second.end, { type: "finished" });
  assert.deepEqual(second.chunks[0], { type: "start", messageId: "msg_a" });
  assert.equal(model.contexts[1]?.messages.length, 2);
  assert.deepEqual((await parts()).at(-1), { type: "text", text: "Thanks.", state: "done" });
});

test("what a person allowed runs first when the turn goes on; what was denied does not", async (t) => {
  const ran: unknown[] = [];
  const write: Tool = tool("write", {
    run: async (input) => {
      ran.push(input);
      return { type: "output", data: null };
    },
  });
  const { run, parts, store, claim } = await stage(t, {
    tools: [write],
    box: { permit: async () => ({ action: "ask", reason: "it changes a file" }) },
    tries: [calls(["w1", "write", { n: 1 }], ["w2", "write", { n: 2 }]), says("Done.")],
  });
  const { end, chunks } = await run();
  assert.deepEqual(end, {
    type: "blocked",
    open: [
      { tool_call_id: "w1", kind: "approval" },
      { tool_call_id: "w2", kind: "approval" },
    ],
  });
  const asked = chunks.filter(({ type }) => type === "tool-approval-request");
  assert.deepEqual(
    asked.map((chunk) => [chunk.toolCallId, chunk.reason]),
    [
      ["w1", "it changes a file"],
      ["w2", "it changes a file"],
    ],
  );
  assert.deepEqual(ran, []);
  const approval = { id: "x", approved: true };
  await rewrite(store, "w1", { state: "approval-responded", approval });
  await rewrite(store, "w2", {
    state: "approval-responded",
    approval: { id: "y", approved: false },
  });
  assert.equal(claim.segment, 0);
  const second = await run(1);
  assert.deepEqual(second.end, { type: "finished" });
  assert.deepEqual(ran, [{ n: 1 }]);
  assert.deepEqual(statesOf(await parts()), [
    ["w1", "output-available"],
    ["w2", "output-denied"],
  ]);
});

test("what a message calls for by itself is a true call, made once, before the model is asked", async (t) => {
  const { run, model, parts } = await stage(t, {
    tools: [tool("skill"), tool("question", { waits: "question" })],
    box: { prelude: async () => [{ tool: "skill", input: { name: "tidy" } }] },
    tries: [calls(["q1", "question"]), says("Done.")],
  });
  const { chunks } = await run();
  assert.deepEqual(
    chunks.slice(0, 5).map(({ type }) => type),
    ["start", "start-step", "tool-input-available", "tool-output-available", "finish-step"],
  );
  await run(1);
  const skills = (await parts()).filter(({ type }) => type === "tool-skill");
  assert.equal(skills.length, 1);
  assert.match(String((skills[0] as { toolCallId?: unknown }).toolCallId), /^call_\d+$/);
  const shown = model.contexts[0]?.messages[1]?.parts ?? [];
  assert.deepEqual(
    shown.map(({ type }) => type),
    ["step-start", "tool-skill"],
  );
});

test("a stop in a tool leaves the calls that did not end as they were", async (t) => {
  const { run, controller, parts, model } = await stage(t, {
    tools: [
      tool("read"),
      tool("slow", {
        run: async (_input, { signal }) => {
          controller.abort();
          assert.equal(signal.aborted, true);
          throw new Error("stopped");
        },
      }),
    ],
    tries: [calls(["c1", "read"], ["c2", "slow"], ["c3", "read"])],
  });
  const { end, chunks } = await run();
  assert.deepEqual(end, { type: "aborted" });
  assert.deepEqual(chunks.at(-1), { type: "abort" });
  assert.equal(model.contexts.length, 1, "nothing more is printed");
  assert.deepEqual(statesOf(await parts()), [
    ["c1", "output-available"],
    ["c2", "input-available"],
    ["c3", "input-available"],
  ]);
});

test("a call stands in the store before its tool begins", async (t) => {
  const seen: unknown[] = [];
  const { run, parts } = await stage(t, {
    tools: [
      tool("write", {
        run: async () => {
          seen.push(...statesOf(await parts()));
          return { type: "output", data: null };
        },
      }),
    ],
    tries: [calls(["w1", "write"]), says("Done.")],
  });
  await run();
  assert.deepEqual(seen, [["w1", "input-available"]]);
});

test("a back-off that nobody could be told of is made all the same", async (t) => {
  const flaky = plays([{ type: "error", errorText: "overloaded" }]);
  const { run, reported, backOffs } = await stage(t, { tries: [flaky, says("Hi.")] });
  backOffs.push = () => {
    throw new Error("the disk is full");
  };
  const { end } = await run();
  assert.deepEqual(end, { type: "finished" });
  assert.equal(reported.length, 1);
});
