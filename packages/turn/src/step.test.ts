/** One model call in a turn: what a provider can do to it, and when it is tried again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { UiChunk } from "@galley/parts";
import {
  BEGIN,
  delta,
  hangs,
  metadata,
  PROFILE,
  plays,
  says,
  scripted,
  stage,
  type Try,
  throws,
} from "./scripted.ts";
import { SendError } from "./send.ts";
import { TurnError } from "./turn-error.ts";

const refused = (status: number, retry_after_ms?: number): Try =>
  throws(
    SendError.make("refused", {
      status,
      reason: "no",
      ...(retry_after_ms !== undefined && { retry_after_ms }),
    }),
  );
const unreachable = throws(SendError.make("unreachable", { url: "http://x", reason: "gone" }));
const error = (errorText: string): UiChunk => ({ type: "error", errorText });
const typesOf = (chunks: readonly UiChunk[]): string[] => chunks.map(({ type }) => type);
const textOf = (chunks: readonly UiChunk[]): string =>
  chunks.map((chunk) => (chunk.type === "text-delta" ? chunk.delta : "")).join("");

test("a refusal that passes is waited out, and nobody who listens sees a trace of it", async (t) => {
  const { run, model, backOffs } = await stage(t, { tries: [refused(429, 2), says("Hi.")] });
  const { end, chunks } = await run();
  assert.deepEqual(end, { type: "finished" });
  assert.equal(model.contexts.length, 1, "printed once");
  assert.deepEqual(typesOf(chunks).slice(0, 3), ["start", "start-step", "text-start"]);
  const [scheduled, due] = backOffs;
  assert.equal(scheduled?.type === "retry-scheduled" && scheduled.attempt, 1);
  assert.equal(
    scheduled?.type === "retry-scheduled" && scheduled.message,
    "the provider refused the request (429): no",
  );
  assert.deepEqual(due, { type: "retry-due", turn_id: "turn_1", segment: 0 });
  assert.equal(backOffs.length, 2);
});

test("the end of a back-off is reckoned from the clock and the provider's wish", async (t) => {
  const { run, backOffs } = await stage(t, {
    tries: [refused(429, 7), says("Hi.")],
    deps: { now: () => 5_000 },
  });
  await run();
  assert.equal(backOffs[0]?.type === "retry-scheduled" && backOffs[0].until, 5_007);
});

test("attempts are exhausted, and the last sentence is the answer's", async (t) => {
  const {
    run,
    model,
    metadata: row,
  } = await stage(t, {
    limits: { attempts: 3 },
    tries: [unreachable, refused(503), refused(500), says("never")],
  });
  const { end } = await run();
  const message = "the provider refused the request (500): no (tried 3 times)";
  assert.deepEqual(end, { type: "failed", message });
  assert.equal(model.sent(), 3);
  assert.equal((await row()).error, message);
});

test("a refusal of these very bytes is not tried again", async (t) => {
  const { run, model, backOffs } = await stage(t, { tries: [refused(400), says("never")] });
  const { end } = await run();
  assert.deepEqual(end, {
    type: "failed",
    message: "the provider refused the request (400): no",
  });
  assert.deepEqual([model.sent(), backOffs], [1, []]);
});

test("a wait beyond the longest is told instead of waited", async (t) => {
  const { run, model } = await stage(t, { tries: [refused(429, 3_600_000), says("never")] });
  const { end } = await run();
  assert.equal(
    end.type === "failed" && end.message,
    "the provider refused the request (429): no (it asks to wait 3600 s)",
  );
  assert.equal(model.sent(), 1);
});

const SILENT_FAULTS: readonly (readonly [string, Try])[] = [
  ["an error event", plays(BEGIN, [metadata("error"), error("overloaded")])],
  ["an empty stream", plays()],
  ["a stream that ends early", plays([...BEGIN, metadata(), error("cut")])],
  ["silence", hangs(BEGIN)],
];

for (const [name, first] of SILENT_FAULTS) {
  test(`${name} before anything was said is tried again, and leaves no part behind`, async (t) => {
    const { run, parts, backOffs } = await stage(t, {
      limits: { stall_ms: 5 },
      tries: [first, says("Hi.")],
    });
    const { end } = await run();
    assert.deepEqual(end, { type: "finished" });
    assert.equal(backOffs.length, 2);
    assert.deepEqual(await parts(), [
      { type: "step-start" },
      { type: "text", text: "Hi.", state: "done" },
    ]);
  });
}

test("what a try cost is counted, also when it was made again", async (t) => {
  const { run, metadata: row } = await stage(t, {
    tries: [plays([...BEGIN, metadata("error"), error("overloaded")]), says("Hi.")],
  });
  await run();
  const twice = { input: 6, output: 4, reasoning: 0, cache_read: 0, cache_write: 0 };
  assert.deepEqual((await row()).usage, twice);
});

test("a model that ends without a word by its own will would do so again", async (t) => {
  const filtered = error("the model stopped without an answer: content_filter");
  const { run, model } = await stage(t, {
    tries: [plays([{ type: "start-step" }, metadata("content-filter"), filtered]), says("never")],
  });
  const { end } = await run();
  assert.equal(end.type === "failed" && end.message, filtered.errorText);
  assert.equal(model.sent(), 1);
});

test("an answer that is cut in the middle is kept and not begun again", async (t) => {
  const broken = error("the connection broke: reset");
  const cut = [{ type: "text-end", id: "0" } as const, metadata(), broken];
  const { run, parts, model } = await stage(t, {
    tries: [plays([...BEGIN, delta("Half")], cut), says("never")],
  });
  const { end, chunks } = await run();
  assert.deepEqual(end, { type: "failed", message: "the connection broke: reset" });
  assert.equal(chunks.filter(({ type }) => type === "error").length, 1);
  assert.deepEqual(chunks.at(-1), broken);
  assert.deepEqual((await parts()).at(-1), { type: "text", text: "Half", state: "done" });
  assert.equal(model.sent(), 1);
});

test("a provider that falls silent in the middle is given up, and what it said is kept", async (t) => {
  const { run, parts } = await stage(t, {
    limits: { stall_ms: 5 },
    tries: [hangs([...BEGIN, delta("Half")])],
  });
  const { end } = await run();
  const { message } = TurnError.make("stalled", { seconds: 1 });
  assert.deepEqual(end, { type: "failed", message });
  assert.deepEqual((await parts()).at(-1), { type: "text", text: "Half", state: "done" });
});

test("a stop before the first byte ends the turn, and is no error", async (t) => {
  const { run, controller, parts } = await stage(t, {
    tries: [
      (signal) => {
        controller.abort();
        return hangs()(signal);
      },
    ],
  });
  const { end, chunks } = await run();
  assert.deepEqual(end, { type: "aborted" });
  assert.deepEqual(typesOf(chunks), ["start", "abort"]);
  assert.deepEqual(await parts(), []);
});

test("a stop in the text keeps what was said", async (t) => {
  const {
    run,
    controller,
    parts,
    metadata: row,
  } = await stage(t, {
    tries: [
      async function* (signal) {
        yield [...BEGIN, delta("Half")];
        controller.abort();
        assert.equal(signal.aborted, true);
        yield [{ type: "text-end", id: "0" }, metadata(), { type: "abort" }];
      },
    ],
  });
  const { end, chunks } = await run();
  assert.deepEqual(end, { type: "aborted" });
  assert.equal(chunks.filter(({ type }) => type === "abort").length, 1);
  assert.equal(textOf(chunks), "Half");
  assert.deepEqual((await parts()).at(-1), { type: "text", text: "Half", state: "done" });
  assert.equal(typeof (await row()).aborted_at, "number");
});

test("a stop in a back-off ends it at once", async (t) => {
  const { run, controller, backOffs, model, deps } = await stage(t, {
    limits: { backoff_ms: 3_600_000, longest_backoff_ms: 3_600_000 },
    tries: [refused(503), says("never")],
    deps: {
      chance: () => {
        setImmediate(() => controller.abort());
        return 0;
      },
    },
  });
  assert.equal(deps.limits.attempts, 5);
  const { end } = await run();
  assert.deepEqual(end, { type: "aborted" });
  assert.deepEqual(typesOfReports(backOffs), ["retry-scheduled"]);
  assert.equal(model.sent(), 1);
});

const typesOfReports = (reports: readonly { readonly type: string }[]) =>
  reports.map(({ type }) => type);

test("a context beyond the limit is refused before anything is sent, and its account is kept", async (t) => {
  const model = scripted([says("never")], { ...PROFILE, contextWindow: 1_001 });
  const { run, store } = await stage(t, { model });
  const { end } = await run();
  assert.match(
    end.type === "failed" ? end.message : "",
    /^not sent to scripted\/one: the request needs about \d+ tokens and 1 fit; /,
  );
  assert.equal(model.sent(), 0);
  const [row] = await store.manifests.list("ses_1");
  assert.equal(JSON.parse(row?.manifest_json ?? "{}").over_limit, true);
  assert.deepEqual(await store.requests.list("ses_1"), []);
});
