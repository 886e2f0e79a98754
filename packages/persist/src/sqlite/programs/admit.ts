/** Admits messages for as long as it lives, and prints each id once the store has said yes. */
import { writeSync } from "node:fs";
import process from "node:process";
import { openSqliteStore } from "../open.ts";

const [path = "", run = "0"] = process.argv.slice(2);
const store = await openSqliteStore({ path });
const session_id = "ses_main";
if (!(await store.sessions.get(session_id))) {
  await store.sessions.create({ id: session_id, agent: "a", at: 1 });
}
for (let count = 0; ; count++) {
  const id = `msg_${run}_${count}`;
  const part = (index: number) => ({
    id: `prt_${run}_${count}_${index}`,
    data_json: `{"type":"text","text":"${id} ${index} ${"x".repeat(count % 3000)}"}`,
  });
  await store.messages.admit({
    id,
    session_id,
    metadata_json: "{}",
    parts: [part(0), part(1), part(2)],
    disposition: count % 3 === 0 ? "queued" : "fired",
    at: count,
  });
  // Straight to the descriptor: what was printed before the kill is out.
  writeSync(1, `${id}\n`);
  if (count % 3 === 0) await store.queue.fire(id, count);
}
