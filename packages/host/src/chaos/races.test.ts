/** Two clients that race for one session: each message fires once, and each race has one winner. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { SessionId } from "@galley/parts";
import { ClientError } from "../client/client-error.ts";
import { type Client, createClient } from "../client/create-client.ts";
import { gates, idOf, type MarkedModel, marked, startMarkedModel } from "./marked-model.ts";
import { isEnd, lookOn, type Onlooker } from "./onlooker.ts";
import { type ServedHost, serveHost } from "./served-host.ts";

/** What never comes is a failure, and not a run without an end. */
const LONGEST = { timeout: 120_000 };

const submit = ({ client }: Pick<Onlooker, "client">, id: SessionId, mark: string) =>
  client.messages.submit(id, { id: idOf(mark), text: marked(mark) });

/** Four conversations at once: how long one of them is costs time and proves nothing more. */
const SESSIONS = 4;
const EACH = 250;

test(
  "a thousand racing submits fire each message once, in the order of acceptance",
  LONGEST,
  async (t) => {
    const model = await startMarkedModel(t);
    const served = await serveHost(t, model);
    const race = async (_: unknown, number: number): Promise<void> => {
      const { id } = await createClient(served).sessions.create({});
      const both = [await lookOn(t, served, id), await lookOn(t, served, id)] as const;
      const marks = Array.from({ length: EACH }, (_each, index) => `s${number}m${index}`);
      const { began, ended } = await sendAll(marks, both, id);
      await both[0].nth(isEnd, EACH - 1);
      const rows = await both[1].client.messages.list(id);
      const fired = rows.flatMap(({ role, id: each }) => (role === "user" ? [each.slice(4)] : []));
      assert.deepEqual([...fired].sort(), [...marks].sort());
      const asked = model.asked.filter((mark) => mark.startsWith(`s${number}m`));
      assert.deepEqual(asked, fired);
      let soonest = Number.POSITIVE_INFINITY;
      for (const mark of fired.toReversed()) {
        // Nobody who fired later was told of it before this one was even sent.
        assert.ok((began.get(mark) ?? 0) < soonest, `${mark} fired too late`);
        soonest = Math.min(soonest, ended.get(mark) ?? 0);
      }
      assert.deepEqual((await both[0].client.queue.list(id)).entries, []);
    };
    await Promise.all(Array.from({ length: SESSIONS }, race));
    assert.equal(model.asked.length, 1000);
  },
);

/** In eight lines at once, half of them each client's; every tenth message is sent by both. */
async function sendAll(
  marks: readonly string[],
  [one, two]: readonly [Onlooker, Onlooker],
  id: SessionId,
) {
  const began = new Map<string, number>();
  const ended = new Map<string, number>();
  let clock = 0;
  async function send(by: Onlooker, mark: string): Promise<void> {
    if (!began.has(mark)) began.set(mark, ++clock);
    const { message_id } = await submit(by, id, mark);
    assert.equal(message_id, idOf(mark));
    if (!ended.has(mark)) ended.set(mark, ++clock);
  }
  const waiting = marks.values();
  const line = async (by: Onlooker, other: Onlooker): Promise<void> => {
    for (const mark of waiting) {
      await Promise.all([send(by, mark), ...(mark.endsWith("0") ? [send(other, mark)] : [])]);
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, n) => (n % 2 ? line(one, two) : line(two, one))));
  return { began, ended };
}

/** A race is as long as the turn in it: short conversations, and more of them. */
const TABLES = 8;
const RACES = 125;

test("a thousand races of cancel against fire have one winner each", LONGEST, async (t) => {
  const line = gates();
  const model = await startMarkedModel(t, line);
  const served = await serveHost(t, model);
  const play = (_: unknown, number: number) => racesIn(`s${number}`, served, line, model);
  const wins = (await Promise.all(Array.from({ length: TABLES }, play))).flat();
  assert.equal(wins.length, 1000);
  const fired = wins.filter((each) => each === "fire").length;
  t.diagnostic(`${fired} fired, ${1000 - fired} were cancelled`);
  assert.ok(fired > 50 && fired < 950, "these were no races");
});

type Winner = "fire" | "cancel";

/** While one turn ends, both clients cancel the message that fires next. */
async function racesIn(
  name: string,
  served: ServedHost,
  { open, arrived }: ReturnType<typeof gates>,
  model: MarkedModel,
): Promise<Winner[]> {
  const [one, two] = [createClient(served), createClient(served)];
  const { id } = await one.sessions.create({});
  const wins: Winner[] = [];
  let count = 0;
  const next = async (): Promise<string> => {
    const mark = `${name}m${count++}`;
    await submit({ client: one }, id, mark);
    return mark;
  };
  let running = await next();
  const fired = [running];
  await arrived([running]);
  let head = await next();
  let after = await next();
  /** Grows until the fire wins as well, and shrinks again: each race is a close one. */
  let lead_ms = 0;
  while (wins.length < RACES) {
    open(running);
    if (lead_ms > 0) await sleep(lead_ms);
    const racers = wins.length % 2 === 0 ? [one, two] : [two, one];
    const answers = await Promise.all(racers.map((client) => cancel(client, id, head)));
    running = await arrived([head, after]);
    const winner = winnerOf(answers, running === head);
    wins.push(winner);
    lead_ms = Math.max(0, lead_ms + (winner === "fire" ? -1 : 1));
    fired.push(running);
    head = winner === "fire" ? after : await next();
    after = await next();
  }
  for (const mark of [running, head, after]) open(await arrived([mark]));
  for await (const _ of one.follow(id, idOf(after)));
  const seen = [...fired, head, after];
  const rows = (await two.messages.list(id)).filter(({ role }) => role === "user");
  assert.deepEqual(
    rows.map((row) => row.id),
    seen.map(idOf),
  );
  assert.deepEqual(
    model.asked.filter((mark) => mark.startsWith(`${name}m`)),
    seen,
  );
  return wins;
}

const cancel = (client: Client, id: SessionId, mark: string): Promise<string> =>
  client.queue.cancel(id, idOf(mark)).then(
    () => "done",
    (error: unknown) => {
      if (!ClientError.is(error, "problem")) throw error;
      return error.data.code;
    },
  );

/** Whoever did not win was told who did. */
function winnerOf(answers: readonly string[], hasFired: boolean): Winner {
  const told = answers.toSorted().join(", ");
  const expected = hasFired ? "turn.already-fired, turn.already-fired" : "done, turn.cancelled";
  assert.equal(told, expected);
  return hasFired ? "fire" : "cancel";
}
