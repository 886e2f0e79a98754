/** A provider that fails in every way: what a client sees, what is kept, and that it goes on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fault } from "@galley/rehearsal";
import type { MessageAnswer } from "../client/answers.ts";
import { createClient } from "../client/create-client.ts";
import { answerTo, idOf, marked, startMarkedModel } from "./marked-model.ts";
import { isEnd, lookOn, type Onlooker } from "./onlooker.ts";
import { serveHost } from "./served-host.ts";

/** What never comes is a failure, and not a run without an end. */
const LONGEST = { timeout: 120_000 };

type Row = {
  readonly what: string;
  /** Of the model, or instead of it. */
  readonly fault?: Fault;
  readonly fetch?: () => Promise<Response>;
  /** Where nothing was said it is tried five times; after the first word a fault is final. */
  readonly tries: 1 | 5;
  readonly says: string;
};

const PAGE = "<html>Bad Gateway</html>";
const SILENT = "the provider went silent for 1 s: retry sends the message again";
const NO_JSON = "the provider sent an event that is not JSON: {";

const ROWS: readonly Row[] = [
  { what: "hangs before it answers", fault: { hang: true }, tries: 5, says: SILENT },
  { what: "hangs in the middle", fault: { hang: true, afterEvents: 5 }, tries: 1, says: SILENT },
  { what: "streams garbage", fault: { malformedEventAt: 0 }, tries: 5, says: NO_JSON },
  { what: "streams garbage later", fault: { malformedEventAt: 5 }, tries: 1, says: NO_JSON },
  {
    what: "answers with a page",
    fetch: async () => new Response(PAGE),
    tries: 5,
    says: "the stream ended before the answer was complete",
  },
  {
    what: "cuts off before the first word",
    fault: { cutAfterEvents: 1 },
    tries: 5,
    says: "the connection broke: ",
  },
  {
    what: "cuts off in the middle",
    fault: { cutAfterEvents: 5 },
    tries: 1,
    says: "the connection broke: ",
  },
  {
    what: "reports an error in the middle",
    fault: { errorEventAt: 5 },
    tries: 1,
    says: "overloaded_error: Overloaded",
  },
  {
    what: "answers 500 five times",
    fault: { status: 500 },
    tries: 5,
    says: "the provider refused the request (500): Internal server error",
  },
  {
    what: "cannot be reached",
    fetch: () => Promise.reject(new TypeError("fetch failed")),
    tries: 5,
    says: "cannot reach http://127.0.0.1",
  },
];

for (const row of ROWS) {
  test(
    `a provider that ${row.what} is told of, nothing is lost, and a retry goes on`,
    LONGEST,
    async (t) => {
      let back = false;
      const model = await startMarkedModel(t, {
        answer: () => (back || !row.fault ? {} : { fault: row.fault }),
      });
      let tries = 0;
      const flaky: typeof fetch = (url, init) => {
        tries += 1;
        return back || !row.fetch ? model.fetch(url, init) : row.fetch();
      };
      // A silence is waited for only where there is one: on a busy machine any answer may be slow.
      const stall_ms = row.says === SILENT ? 600 : 60_000;
      const limits = { backoff_ms: 2, longest_backoff_ms: 5, stall_ms };
      const served = await serveHost(t, { ...model, fetch: flaky }, { limits });
      const { id } = await createClient(served).sessions.create({});
      const seen = await lookOn(t, served, id);
      const { client } = seen;
      for (const mark of ["one", "two"]) {
        await client.messages.submit(id, { id: idOf(mark), text: marked(mark) });
      }
      await seen.nth((event) => stateIn(event) === "error", 0);
      const { state, message = "", message_id } = await client.status(id);
      assert.deepEqual([state, message_id], ["error", "msg_one"]);
      assert.ok(message.startsWith(row.says), message);
      assert.equal(message.endsWith(" (tried 5 times)"), row.tries === 5);
      assert.equal(tries, row.tries);
      assert.deepEqual(statesOf(seen), row.tries === 5 ? FIVE_TRIES : ["busy", "error"]);
      const kept = await client.messages.list(id);
      const texts = row.tries === 5 ? ["<<one>> please", ""] : ["<<one>> please", "Said to "];
      assert.deepEqual(kept.map(textOf), texts);
      const { paused, entries } = await client.queue.list(id);
      assert.deepEqual([paused, entries.map((each) => each.id)], ["error", ["msg_two"]]);
      back = true;
      await client.retry(id);
      await seen.nth(isEnd, 2);
      const rows = await client.messages.list(id);
      const whole = ["one", "two"].flatMap((mark) => [marked(mark), answerTo(mark)]);
      assert.deepEqual(rows.map(textOf), whole);
      assert.deepEqual(await client.status(id), { state: "idle" });
      assert.deepEqual(served.warned, []);
    },
  );
}

const FIVE_TRIES = [
  ...["busy", "retrying 1", "busy", "retrying 2", "busy", "retrying 3", "busy", "retrying 4"],
  ...["busy", "error"],
];

type Event = Onlooker["heard"][number];
const stateIn = (event: Event): string | undefined =>
  event.type === "status-changed" ? event.status.state : undefined;

const statesOf = ({ heard }: Onlooker): string[] =>
  heard.flatMap((event) =>
    event.type === "status-changed"
      ? [[event.status.state, event.status.attempt ?? []].flat().join(" ")]
      : [],
  );

const textOf = ({ parts }: MessageAnswer): string => parts.map(({ text }) => text ?? "").join("");
