/**
 * Time to shape a history: the first build, and one appended turn.
 *
 * Everybody is given the same text in its own message type and is timed from there to the bytes of
 * the request: for the peers, the text that they hand to `fetch`, encoded as `fetch` does. "copy" is what copying the body's bytes
 * alone costs, the part of an append that must grow with the history.
 */
import { history } from "./history.mjs";
import { asBytes, show, time } from "./measure.mjs";
import { ours } from "./ours.mjs";
import { aiSdk } from "./peers/ai-sdk.mjs";
import { pi } from "./peers/pi.mjs";

const SIZES = [100, 1_000, 10_000];
const CONTENDERS = { galley: ours, "AI SDK 7.0.169": aiSdk, "pi-ai 0.73.1": pi };
const ROUNDS = { 100: 60, 1000: 20, 10000: 9 };

/** @param {"anthropic" | "chat"} wire @param {number} size */
async function contest(wire, size) {
  const turns = history(size);
  const extra = history(400, 2);
  const rounds = ROUNDS[/** @type {keyof typeof ROUNDS} */ (size)];
  const rows = {};
  for (const [name, make] of Object.entries(CONTENDERS)) {
    const contender = make(wire, turns);
    const first = await time({
      prepare: contender.prepareFirst,
      run: async (prepared) => asBytes(await contender.first(prepared)),
      rounds,
      warmUp: Math.ceil(rounds / 3),
    });
    const state = contender.prepareAppend();
    let next = 0;
    const append = await time({
      prepare: () => extra[next++ % extra.length],
      run: async (turn) => asBytes(await contender.append(state, turn)),
      rounds: 40,
      warmUp: 5,
    });
    const pieces = contender.appendInPieces
      ? await time({
          prepare: () => extra[next++ % extra.length],
          run: (turn) => contender.appendInPieces(state, turn),
          rounds: 200,
          warmUp: 20,
        })
      : undefined;
    rows[name] = {
      pieces: pieces?.ms,
      first: first.ms,
      append: append.ms,
      bytes: first.last.length,
      body: append.last,
    };
  }
  const body = rows.galley.body;
  const copy = await time({ prepare: () => 0, run: () => body.slice(), rounds: 15, warmUp: 5 });
  return { wire, size, rows, copy: copy.ms };
}

export async function run() {
  const results = [];
  for (const wire of /** @type {const} */ (["anthropic", "chat"])) {
    for (const size of SIZES) results.push(await contest(wire, size));
  }
  return [table(results, "first"), table(results, "append")].join("\n\n");
}

function table(results, what) {
  const title = what === "first" ? "First build, ms" : "One appended turn, ms";
  const extra = what === "append" ? ["galley, in pieces", "copying the bytes alone"] : [];
  const names = Object.keys(CONTENDERS);
  const head = [title, ...names, ...extra, "fastest peer ÷ galley"];
  const lines = results.map(({ wire, size, rows, copy }) => {
    const mine = rows.galley[what];
    const peer = Math.min(
      ...names.filter((name) => name !== "galley").map((name) => rows[name][what]),
    );
    const cells = names.map((name) => show(rows[name][what]));
    const label = `${wire === "chat" ? "Chat Completions" : "Anthropic"}, ${size} messages (${(rows.galley.bytes / 1e6).toFixed(2)} MB)`;
    return [
      label,
      ...cells,
      ...(what === "append" ? [show(rows.galley.pieces), show(copy)] : []),
      `${(peer / mine).toFixed(1)} ×`,
    ];
  });
  return [head, head.map(() => "---"), ...lines].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
