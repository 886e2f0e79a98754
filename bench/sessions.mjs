/**
 * A message through a host that keeps everything, beside a relay that keeps nothing, in front of the
 * same provider: how fast a stream comes through, how long a submit takes to its first token with
 * other sessions streaming, and what 1,000 idle sessions weigh.
 */
import { Agent, request as call } from "node:http";
import { residentMb, startGalley, startProvider, startRelay } from "./stream/contender.mjs";

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
const TOKEN = "token ";

/** Sends, reads to the end, and gives the times of the first token and of the end. */
function take({ url, headers, body }) {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const out = call(url, { method: "POST", agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`));
      let first;
      let tokens = 0;
      let rest = "";
      answer.on("data", (chunk) => {
        // A read may end inside a word: its beginning is kept for the next one.
        const words = (rest + chunk.toString("latin1")).split(TOKEN);
        tokens += words.length - 1;
        rest = words.at(-1).slice(1 - TOKEN.length);
        if (tokens > 0) first ??= performance.now() - begun;
      });
      answer.on("end", () => resolve({ first, tokens, ms: performance.now() - begun }));
      answer.on("error", reject);
    });
    out.on("error", reject);
    out.end(body);
  });
}

const quantile = (values, q) => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
};

const TOKENS = 20_000;
const ROUNDS = 7;

async function throughput(contender) {
  const rates = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { tokens, ms } = await take(contender.ask()(`tokens=${TOKENS} pace=0`));
    if (tokens !== TOKENS) throw new Error(`${contender.name} gave ${tokens} of ${TOKENS} tokens`);
    if (round > 0) rates.push(tokens / (ms / 1000));
  }
  return quantile(rates, 0.5);
}

const SPAN_MS = 12_000;

/** So many sessions, each with one answer after the other, 40 tokens at 20 ms. */
async function latency(contender, sessions) {
  const firsts = [];
  const end = performance.now() + SPAN_MS;
  const converse = async (index) => {
    const ask = contender.ask();
    await new Promise((resolve) => setTimeout(resolve, (800 / sessions) * index));
    while (performance.now() < end) {
      const { first, tokens } = await take(ask("tokens=40 pace=20"));
      if (tokens !== 40) throw new Error(`${contender.name} gave ${tokens} of 40 tokens`);
      // The first turn opens the session; it counts too, like every other.
      firsts.push(first);
    }
  };
  await Promise.all(Array.from({ length: sessions }, (_, index) => converse(index)));
  return { p50: quantile(firsts, 0.5), p99: quantile(firsts, 0.99), count: firsts.length };
}

const IDLE = 1_000;

async function idleMemory(galley) {
  const before = residentMb(galley.pid);
  for (let from = 0; from < IDLE; from += 20) {
    const asks = Array.from({ length: 20 }, () => take(galley.ask()("tokens=20 pace=0")));
    await Promise.all(asks);
  }
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  return { before, after: residentMb(galley.pid) };
}

const row = (cells) => `| ${cells.join(" | ")} |`;
const ms = (value) => value.toFixed(1);

export async function run() {
  const provider = await startProvider();
  const relay = await startRelay(provider.url);
  const galley = await startGalley(provider.url);
  try {
    const [bare, ours] = [await throughput(relay), await throughput(galley)];
    const head = ["", "galley", "bare relay", "galley ÷ relay", "goal"];
    const round = (value) => Math.round(value).toLocaleString("en");
    const share = (ours / bare).toFixed(2);
    const lines = [head, head.map(() => "---")];
    lines.push(["tokens a second, one stream", round(ours), round(bare), share, "≥ 0.5"]);
    for (const sessions of [1, 10, 100]) {
      const [theirs, mine] = [await latency(relay, sessions), await latency(galley, sessions)];
      const label = `submit to first token, ${sessions} streaming, p50 ms`;
      const times = (mine.p50 / theirs.p50).toFixed(1);
      lines.push([label, ms(mine.p50), ms(theirs.p50), `${times} ×`, "≤ 3 ×"]);
      const counts = `${mine.count} and ${theirs.count} submits`;
      lines.push([`the same, p99 ms (${counts})`, ms(mine.p99), ms(theirs.p99), "", ""]);
    }
    const idle = await startGalley(provider.url);
    try {
      const { before, after } = await idleMemory(idle);
      const label = `resident MB, ${IDLE.toLocaleString("en")} idle sessions (none: ${before.toFixed(0)})`;
      lines.push([label, after.toFixed(0), "", "", "< 150"]);
    } finally {
      await idle.stop();
    }
    return lines.map(row).join("\n");
  } finally {
    agent.destroy();
    await galley.stop();
    await relay.stop();
    await provider.stop();
  }
}
