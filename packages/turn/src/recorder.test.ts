import assert from "node:assert/strict";
import { test } from "node:test";
import type { UiChunk } from "@galley/parts";
import { failing, settle, stage } from "./recorder-stage.ts";
import { TurnError } from "./turn-error.ts";

const said = (delta: string): UiChunk => ({ type: "text-delta", id: "0", delta });
const call: UiChunk = {
  type: "tool-input-available",
  toolCallId: "c1",
  toolName: "read",
  input: {},
};
const usage = { input: 10, output: 2, reasoning: 0, cache_read: 0, cache_write: 0 };
const spent: UiChunk = { type: "message-metadata", messageMetadata: { usage } };

test("at each flush the rows are the folded parts, and the part ids stay", async (context) => {
  const { record, rows, store } = await stage(context);
  const recorder = record();
  const script = [[{ type: "start-step" }, said("He")], [said("llo")], [call], [spent]] as const;
  const ids: (string | undefined)[][] = [];
  for (const chunks of script) {
    recorder.take(chunks);
    await recorder.flush();
    assert.deepEqual(await rows(), recorder.parts);
    ids.push((await store.messages.get("msg_a"))?.parts.map(({ id }) => id) ?? []);
  }
  assert.deepEqual(ids.at(0), ["prt_1", "prt_2"]);
  assert.deepEqual(ids.at(-1), ["prt_1", "prt_2", "prt_3"]);
});

test("text is written when its window ends, not for every chunk", async (context) => {
  const { record, rows, store } = await stage(context);
  const { state, store: counted } = failing(store);
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const recorder = record({}, counted);
  for (const word of ["a", "b", "c"]) recorder.take([said(word)]);
  await settle();
  assert.deepEqual(await rows(), []);
  context.mock.timers.tick(40);
  await recorder.flush();
  assert.deepEqual(await rows(), [{ type: "text", text: "abc", state: "streaming" }]);
  assert.equal(state.tries, 1);
});

test("a call that changes its state does not wait for the window", async (context) => {
  const { record, rows } = await stage(context);
  context.mock.timers.enable({ apis: ["setTimeout"] });
  record().take([said("so "), call]);
  await settle();
  const states = (await rows()).map((part) => (part as { state: string }).state);
  assert.deepEqual(states, ["streaming", "input-available"]);
});

test("listeners hear the chunks as they are taken, before anything is stored", async (context) => {
  const { record, live, rows } = await stage(context);
  const recorder = record();
  recorder.take([{ type: "start" }, said("now")]);
  assert.deepEqual(live.readFrom(0)?.batch, [{ type: "start" }, said("now")]);
  assert.deepEqual(await rows(), []);
  await recorder.flush();
});

test("without a chunk there is no message, whatever is stamped or ended", async (context) => {
  const { record, metadata } = await stage(context);
  const recorder = record();
  recorder.stamp({ system_prompt_digest: "d" });
  await recorder.flush();
  await recorder.end("abort");
  assert.equal(await metadata(), undefined);
});

test("an answer that said nothing but began is ended, with what was stamped", async (context) => {
  const { record, metadata } = await stage(context);
  const recorder = record();
  recorder.stamp({ system_prompt_digest: "d" });
  recorder.take([{ type: "start", messageId: "msg_a" }]);
  await recorder.end("error", "no key");
  const { failed_at, ...rest } = (await metadata()) as Record<string, unknown>;
  assert.equal(typeof failed_at, "number");
  assert.deepEqual(rest, { agent: "a", system_prompt_digest: "d", error: "no key" });
});

test("tokens are stamped after every step, before the answer ends", async (context) => {
  const { record, metadata, store } = await stage(context);
  const recorder = record();
  recorder.take([{ type: "start-step" }, spent, { type: "finish-step" }]);
  await recorder.flush();
  assert.deepEqual(await metadata(), { agent: "a", usage, last_usage: usage });
  recorder.take([{ type: "start-step" }, spent, { type: "finish-step" }]);
  await recorder.flush();
  assert.equal((await store.sessions.get("ses_1"))?.prompt_tokens, 20);
});

test("the end closes open texts and says how it ended", async (context) => {
  const { record, rows, metadata } = await stage(context);
  const recorder = record();
  recorder.take([said("half")]);
  await recorder.end("abort");
  assert.deepEqual(await rows(), [{ type: "text", text: "half", state: "done" }]);
  assert.deepEqual(Object.keys((await metadata()) as object), ["agent", "aborted_at"]);
});

test("a blocked answer stays open, and its next segment adds to its parts and tokens", async (context) => {
  const { record, claim, metadata, store } = await stage(context);
  const first = record();
  first.take([{ type: "start-step" }, call, spent]);
  await first.end("blocked");
  assert.deepEqual(await metadata(), { agent: "a", usage, last_usage: usage });
  const stored = (await store.messages.get("msg_a"))?.parts ?? [];
  const second = record({ claim: { ...claim, segment: 1 }, parts: stored });
  second.take([
    { type: "tool-output-available", toolCallId: "c1", output: 1 },
    { type: "start-step" },
    spent,
  ]);
  await second.end("finish");
  const message = await store.messages.get("msg_a");
  assert.deepEqual(
    message?.parts.map(({ id, index, tool_state }) => [id, index, tool_state]),
    [
      ["prt_1", 0, null],
      ["prt_2", 1, "output-available"],
      ["prt_3", 2, null],
    ],
  );
  const { usage: sum, finished_at } = (await metadata()) as { usage: object; finished_at: number };
  assert.deepEqual(sum, { ...usage, input: 20, output: 4 });
  assert.equal(typeof finished_at, "number");
});

test("a segment that adds nothing still ends the answer of the one before", async (context) => {
  const { record, claim, metadata, store } = await stage(context);
  const first = record();
  first.take([call]);
  await first.end("blocked");
  const stored = (await store.messages.get("msg_a"))?.parts ?? [];
  await record({ claim: { ...claim, segment: 1 }, parts: stored }).end("abort");
  assert.deepEqual(Object.keys((await metadata()) as object), ["agent", "aborted_at"]);
});

test("nothing is added to an answer that is ended, and that is told once", async (context) => {
  const { record, rows, live, reported, metadata } = await stage(context);
  const recorder = record();
  recorder.take([{ type: "start-step" }, said("Hi.")]);
  await recorder.end("abort");
  const before = [await rows(), await metadata(), live.readFrom(0)?.batch.length];
  recorder.take([call]);
  recorder.take([{ type: "finish-step" }]);
  recorder.stamp({ late: true });
  await recorder.flush();
  assert.deepEqual([await rows(), await metadata(), live.readFrom(0)?.batch.length], before);
  assert.deepEqual(
    reported.map((error) => TurnError.is(error, "too-late")),
    [true],
  );
});
