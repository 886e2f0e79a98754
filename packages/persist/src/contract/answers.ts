import assert from "node:assert/strict";
import { test } from "node:test";
import { StoreError } from "../store-error.ts";
import { answer, fill, type MakeStore, onStore, textPart, usage } from "./kit.ts";

const call = (id: string, state: string) =>
  `{"type":"tool-read","toolCallId":"${id}","state":"${state}","input":{}}`;

export function answerContract(makeStore: MakeStore): void {
  const on = (name: string, run: Parameters<typeof onStore>[1]) =>
    test(name, onStore(makeStore, run));
  const write = (id: string, index: number, data_json: string, at = 21) => ({
    id: `prt_${id}`,
    message_id: "msg_answer",
    index,
    data_json,
    at,
  });

  on("a part that grows keeps its row, and has the last text", async (store) => {
    await store.messages.begin(answer("answer"));
    await store.parts.upsert([write("t", 0, textPart("He")), write("t", 0, textPart("Hello"))]);
    await store.parts.upsert([write("t", 0, textPart("Hello!"), 25), write("u", 1, textPart("x"))]);
    const stored = await store.messages.get("msg_answer");
    assert.deepEqual(
      stored?.parts.map((part) => [part.id, part.data_json, part.created_at, part.updated_at]),
      [
        ["prt_t", textPart("Hello!"), 21, 25],
        ["prt_u", textPart("x"), 21, 21],
      ],
    );
  });

  on("a tool call keeps one row through all its states", async (store) => {
    await store.messages.begin(answer("answer"));
    await store.parts.upsert([write("a", 0, call("c1", "input-streaming"))]);
    await store.parts.upsert([write("b", 1, call("c1", "output-available"))]);
    const stored = await store.messages.get("msg_answer");
    assert.deepEqual(
      stored?.parts.map((part) => [part.id, part.index, part.tool_call_id, part.tool_state]),
      [["prt_a", 0, "c1", "output-available"]],
    );
  });

  on("a name with half a character in it is stored with its part", async (store) => {
    await store.messages.begin(answer("answer"));
    const odd = String.raw`{"type":"tool-x\ud800","toolCallId":"c\ud800","state":"input-available"}`;
    await store.parts.upsert([write("a", 0, odd), write("b", 1, textPart("kept"))]);
    const stored = await store.messages.get("msg_answer");
    assert.deepEqual(
      stored?.parts.map((part) => [part.type, part.tool_call_id, part.data_json]),
      [
        ["tool-x\ufffd", null, odd],
        ["text", null, textPart("kept")],
      ],
    );
  });

  on("calls are found by their state, in visible messages only", async (store) => {
    await fill(store, "one");
    await store.messages.begin(answer("answer"));
    await store.parts.upsert([
      write("a", 0, call("c1", "input-available")),
      write("b", 1, call("c2", "approval-requested")),
      write("c", 2, call("c3", "output-available")),
    ]);
    const open = async () =>
      (await store.parts.toolCalls("ses_main", ["input-available", "approval-requested"])).map(
        (part) => part.tool_call_id,
      );
    assert.deepEqual(await open(), ["c1", "c2"]);
    await store.messages.rewind({
      id: "r1",
      session_id: "ses_main",
      to_message_id: "msg_one",
      inclusive: false,
      at: 30,
    });
    assert.deepEqual(await open(), []);
  });

  on("a batch is written whole or not at all", async (store) => {
    await store.messages.begin(answer("answer"));
    const batch = [write("a", 0, textPart("kept?")), write("b", 1, "broken")];
    await assert.rejects(store.parts.upsert(batch), (error) => StoreError.is(error, "invalid"));
    assert.deepEqual((await store.messages.get("msg_answer"))?.parts, []);
  });

  on("parts do not grow in a user message, in none, or out of another one", async (store) => {
    await fill(store, "one");
    await store.messages.begin(answer("answer"));
    await store.messages.begin(answer("second"));
    await store.parts.upsert([write("a", 0, textPart("mine"))]);
    const refused = async (over: object, code: "missing" | "conflict") =>
      assert.rejects(
        store.parts.upsert([{ ...write("a", 0, textPart("theirs")), ...over }]),
        (error) => StoreError.is(error, code),
      );
    await refused({ message_id: "msg_never" }, "missing");
    await refused({ id: "prt_new", message_id: "msg_one", index: 1 }, "conflict");
    await refused({ message_id: "msg_second" }, "conflict");
    await refused({ id: "prt_new" }, "conflict");
    assert.equal((await store.messages.get("msg_answer"))?.parts[0]?.data_json, textPart("mine"));
  });

  on("an id of a message is used once", async (store) => {
    await fill(store, "one");
    await assert.rejects(store.messages.begin(answer("one")), (error) =>
      StoreError.is(error, "conflict"),
    );
  });

  on("a message that ended says how and when", async (store) => {
    await store.messages.begin(answer("a", '{"model":{"x":1.0}}'));
    await store.messages.begin(answer("b"));
    await store.messages.begin(answer("c"));
    const finished = await store.messages.end("msg_a", { reason: "finish", at: 31 });
    const aborted = await store.messages.end("msg_b", { reason: "abort", at: 32 });
    const failed = await store.messages.end("msg_c", {
      reason: "error",
      metadata: { error: "no" },
      at: 33,
    });
    assert.deepEqual(
      [finished, aborted, failed].map((row) => row.metadata_json),
      [
        '{"model":{"x":1.0},"finished_at":31}',
        '{"aborted_at":32}',
        '{"error":"no","failed_at":33}',
      ],
    );
  });

  on("usage is counted over visible messages, and cost over all", async (store) => {
    await fill(store, "one");
    await store.messages.begin(answer("a"));
    await store.messages.stamp("msg_a", { usage: usage(10), cost_usd: 0.25 }, 30);
    await store.messages.stamp("msg_a", { usage: usage(100), cost_usd: 0.5 }, 31);
    await fill(store, "two");
    await store.messages.begin(answer("b"));
    await store.messages.end("msg_b", {
      reason: "abort",
      metadata: { usage: usage(1000), cost_usd: 1 },
      at: 32,
    });
    const counts = async () => {
      const row = await store.sessions.get("ses_main");
      return [
        row?.prompt_tokens,
        row?.completion_tokens,
        row?.reasoning_tokens,
        row?.cache_read,
      ].concat(row?.cache_write, row?.total_tokens, row?.cost_usd);
    };
    assert.deepEqual(await counts(), [1100, 4, 6, 8, 10, 1128, 1.5]);
    const rewind = { id: "r1", session_id: "ses_main", to_message_id: "msg_two", at: 40 };
    await store.messages.rewind({ ...rewind, inclusive: true });
    assert.deepEqual(await counts(), [100, 2, 3, 4, 5, 114, 1.5]);
    await store.messages.unrewind({
      session_id: "ses_main",
      rewind_id: "r1",
      swap_id: "r2",
      at: 41,
    });
    assert.deepEqual(await counts(), [1100, 4, 6, 8, 10, 1128, 1.5]);
  });

  on("history gives a stretch, or the newest few, oldest first", async (store) => {
    await fill(store, "1", "2", "3", "4", "5");
    const ids = async (query: object) =>
      (await store.messages.history("ses_main", query)).map(({ message, parts }) => [
        message.id,
        parts.length,
      ]);
    assert.deepEqual(await ids({ last: 2 }), [
      ["msg_4", 1],
      ["msg_5", 1],
    ]);
    assert.deepEqual(await ids({ after_seq: 1, before_seq: 4 }), [
      ["msg_2", 1],
      ["msg_3", 1],
    ]);
    assert.deepEqual(await ids({ before_seq: 4, last: 1 }), [["msg_3", 1]]);
    assert.deepEqual(await ids({ last: 0 }), []);
  });
}
