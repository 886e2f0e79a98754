/**
 * A session: messages are stored before a model hears of them, and fire one after the other. The
 * model asks a question, the host goes away while it waits, and another one takes the answer.
 *
 *   node examples/04-a-session.ts
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHost, type Host } from "@galley/host";
import type { SessionStatus } from "@galley/parts";
import { startRehearsal } from "@galley/rehearsal";

const folder = await mkdtemp(join(tmpdir(), "galley-example-"));
const question = { question: "Which colour?", options: [{ label: "red" }, { label: "blue" }] };
const rehearsal = await startRehearsal({
  script: [
    {
      say: "Before I paint it:",
      toolCalls: [{ name: "question", input: { questions: [question] }, id: "call_colour" }],
    },
    { say: "Blue it is." },
    { say: "The door is done too." },
  ],
});

/** Everything that a host knows is in its folder; two on one database are refused. */
const openHost = (): Promise<Host> =>
  createHost({
    workspace: folder,
    home: folder,
    offline: { url: async () => rehearsal.url, close: async () => {} },
  });

const say = (host: Host, id: string, text: string) =>
  host.submit("ses_house", { id, input: { text }, payload: { text } });

/** Events are doorbells: they say that something changed, and the state is asked for. */
async function untilIt(host: Host, is: SessionStatus["state"]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = async () => {
    if ((await host.sessions.status("ses_house")).state === is) resolve();
  };
  const stop = host.sessions.listen(() => void look());
  await look();
  await promise;
  stop();
}

async function show({ store }: Host): Promise<string[]> {
  const history = await store.messages.history("ses_house");
  return history.map(({ message, parts }) => {
    const texts = parts.map(({ data_json }) => (JSON.parse(data_json) as { text?: string }).text);
    return `${message.role}: ${texts.filter(Boolean).join(" ")}`;
  });
}

try {
  const first = await openHost();
  await first.start();
  await first.sessions.create({ id: "ses_house" });

  const fired = await say(first, "msg_1", "Paint the house.");
  assert.equal(fired.disposition, "fired");
  await untilIt(first, "waiting_on_user_input");

  // One turn at a time: what comes now waits for its own.
  const queued = await say(first, "msg_2", "And the door.");
  assert.deepEqual([queued.disposition, queued.position], ["queued", 1]);
  // The id is the key of a retry: the same message again is answered as the first time.
  assert.equal((await say(first, "msg_2", "And the door.")).disposition, "queued");
  await first.close();
  console.log("The host has gone; a question is open, and a message waits.");

  const second = await openHost();
  await second.start();
  const { entries } = await second.sessions.queue("ses_house");
  assert.deepEqual(
    entries.map(({ message }) => message.id),
    ["msg_2"],
  );
  await second.sessions.answer("ses_house", { tool_call_id: "call_colour", answers: [["blue"]] });
  await untilIt(second, "idle");

  console.log("\nAnother host took the answer, and went on with the queue:\n");
  const said = await show(second);
  for (const line of said) console.log(`  ${line}`);
  assert.deepEqual(said, [
    "user: Paint the house.",
    "assistant: Before I paint it: Blue it is.",
    "user: And the door.",
    "assistant: The door is done too.",
  ]);
  assert.equal(rehearsal.received.length, 3, "every message fired once");
  await second.close();
} finally {
  await rehearsal.close();
  await rm(folder, { recursive: true, force: true });
}
