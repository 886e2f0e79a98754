/**
 * Kills a program that admits messages, at a moment of chance, and looks at what it left.
 *
 * The law: what was acknowledged is stored; a message is stored with all its parts or not at all; the
 * order of the transcript is the order in which messages came.
 */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { openSqliteStore } from "./open.ts";
import { program } from "./scratch.ts";

/** Gives the number of messages that were acknowledged. */
export async function killOnce(path: string, run: number, delay_ms: number): Promise<number> {
  const { child, lines, ended } = program("programs/admit.ts", [path, String(run)]);
  const acked = [String((await lines.next()).value)];
  const killed = sleep(delay_ms).then(() => child.kill("SIGKILL"));
  for (let line = await lines.next(); !line.done; line = await lines.next()) acked.push(line.value);
  await killed;
  assert.equal(await ended, "SIGKILL");
  await lookAt(path, run, acked);
  return acked.length;
}

async function lookAt(path: string, run: number, acked: readonly string[]): Promise<void> {
  const store = await openSqliteStore({ path });
  try {
    const rows = await store.messages.all("ses_main");
    const mine = rows.filter(({ message }) => message.id.startsWith(`msg_${run}_`));
    const stored = new Set(mine.map(({ message }) => message.id));
    assert.deepEqual(
      acked.filter((id) => !stored.has(id)),
      [],
    );
    for (const { message, parts } of mine) {
      const texts = parts.map((part) =>
        JSON.parse(part.data_json).text.slice(0, message.id.length + 2),
      );
      const whole = [0, 1, 2].map((index) => `${message.id} ${index}`);
      assert.deepEqual(texts, whole);
    }
    const numbers = mine.map(({ message }) => Number(message.id.split("_")[2]));
    assert.deepEqual(
      numbers,
      [...numbers.keys()],
      "in the order in which they came, without a gap",
    );
    assert.deepEqual(await store.check(), []);
  } finally {
    await store.close();
  }
}
