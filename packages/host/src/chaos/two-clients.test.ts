/** Two clients on one session: what both see. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { SessionId, UiChunk } from "@galley/parts";
import { type Client, createClient } from "../client/create-client.ts";
import {
  answerTo,
  gates,
  idOf,
  type MarkedInput,
  marked,
  startMarkedModel,
} from "./marked-model.ts";
import { isEnd, isQueueChange, lookOn, type Onlooker } from "./onlooker.ts";
import { serveHost } from "./served-host.ts";

/** What never comes is a failure, and not a run without an end. */
const LONGEST = { timeout: 120_000 };

const ids = (list: readonly { readonly id: string }[]): string[] => list.map(({ id }) => id);

async function twoOn(t: TestContext, input: MarkedInput = {}) {
  const model = await startMarkedModel(t, input);
  const served = await serveHost(t, model);
  const { id } = await createClient(served).sessions.create({ title: "a race" });
  const [one, two] = [await lookOn(t, served, id), await lookOn(t, served, id)];
  return { model, served, id, one, two };
}

const submit = ({ client }: Pick<Onlooker, "client">, id: SessionId, mark: string) =>
  client.messages.submit(id, { id: idOf(mark), text: marked(mark) });

type Change = {
  readonly by: Onlooker;
  readonly act: () => Promise<unknown>;
  /** The order that both must see afterwards. */
  readonly leaves: readonly string[];
};

/** Both hear of the change, both look, and both see the order that it leaves. */
async function change(
  number: number,
  { act, leaves }: Change,
  both: readonly Onlooker[],
  id: SessionId,
) {
  await act();
  await Promise.all(both.map((each) => each.nth(isQueueChange, number)));
  const queues = await Promise.all(both.map(({ client }) => client.queue.list(id)));
  assert.deepEqual(ids(queues[0]?.entries ?? []), leaves);
  assert.deepEqual(queues[0], queues[1]);
  const statuses = await Promise.all(both.map(({ client }) => client.status(id)));
  assert.equal(statuses[0]?.state, "busy");
  assert.deepEqual(statuses[0], statuses[1]);
}

test(
  "both see the same queue, order and status after every change, whoever makes it",
  LONGEST,
  async (t) => {
    const { gate, open, arrived } = gates();
    const { id, one, two } = await twoOn(t, { gate });
    const both = [one, two];
    await submit(one, id, "first");
    await arrived(["first"]);
    let order: string[] = [];
    const changes = Array.from({ length: 60 }, (_, number) => {
      const by = both[number % 2] ?? one;
      const next = changeOf(number, order, by, id);
      order = [...next.leaves];
      return next;
    });
    for (const [number, each] of changes.entries()) await change(number, each, both, id);
    assert.ok(order.length > 5);
    for (const mark of ["first", ...order.map((each) => each.slice(4))]) {
      await arrived([mark]);
      open(mark);
    }
    await Promise.all(both.map((each) => each.nth(isEnd, order.length)));
    await Promise.all(both.map((each) => each.nth(isIdle, 0)));
    assert.deepEqual(one.heard, two.heard);
    const [seen, again] = await Promise.all(both.map(({ client }) => client.messages.list(id)));
    assert.deepEqual(seen, again);
    const fired = (seen ?? []).filter(({ role }) => role === "user");
    assert.deepEqual(ids(fired), [idOf("first"), ...order]);
  },
);

const isIdle = (event: Onlooker["heard"][number]): boolean =>
  event.type === "status-changed" && event.status.state === "idle";

/** Three of five bring a message, one takes one away, one moves the last before the first. */
function changeOf(number: number, order: readonly string[], by: Onlooker, id: SessionId): Change {
  const { queue } = by.client;
  const [head = "", last = ""] = [order[0], order.at(-1)];
  if (number % 5 === 3) {
    const gone = order[number % order.length] ?? head;
    const leaves = order.filter((each) => each !== gone);
    return { by, act: () => queue.cancel(id, gone), leaves };
  }
  if (number % 5 === 4) {
    const leaves = [last, ...order.slice(0, -1)];
    return { by, act: () => queue.move(id, last, { before: head }), leaves };
  }
  const mark = `n${number}`;
  return { by, act: () => submit(by, id, mark), leaves: [...order, idOf(mark)] };
}

test(
  "both hear the same words, also who comes in the middle, and find them stored",
  LONGEST,
  async (t) => {
    const marks = ["a", "b", "c", "d"];
    const { id, one, two } = await twoOn(t, { answer: () => ({ chunkDelayMs: 5 }) });
    for (const mark of marks) await submit(mark < "c" ? one : two, id, mark);
    const from = async (client: Client, mark: string): Promise<string> => {
      let text = "";
      for await (const chunk of client.follow(id, idOf(mark))) text += wordsOf(chunk);
      return text;
    };
    const early = await Promise.all(marks.map((mark) => from(one.client, mark)));
    assert.deepEqual(early, marks.map(answerTo));
    await submit(one, id, "e");
    await one.nth(({ type }) => type === "turn-started", marks.length);
    const first = Promise.withResolvers<void>();
    const whole = (async () => {
      let text = "";
      for await (const chunk of one.client.stream(id)) {
        text += wordsOf(chunk);
        if (text !== "") first.resolve();
      }
      return text;
    })();
    await first.promise;
    const late = await from(two.client, "e");
    assert.deepEqual([await whole, late], [answerTo("e"), answerTo("e")]);
    await Promise.all([one.nth(isEnd, marks.length), two.nth(isEnd, marks.length)]);
    const stored = await Promise.all([one, two].map(({ client }) => client.messages.list(id)));
    const texts = stored.map((rows) =>
      rows.flatMap(({ role, parts }) => (role === "assistant" ? [textIn(parts)] : [])),
    );
    assert.deepEqual(texts[0], [...marks, "e"].map(answerTo));
    assert.deepEqual(stored[0], stored[1]);
  },
);

const wordsOf = (chunk: UiChunk): string => (chunk.type === "text-delta" ? chunk.delta : "");
const textIn = (parts: readonly { readonly type: string; readonly text?: unknown }[]): string =>
  parts.flatMap(({ type, text }) => (type === "text" ? [text] : [])).join("");
