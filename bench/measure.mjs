/** Timing: the median of rounds after warm-up, with the preparation of each round left out. */

/** @param {number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * @template T, R
 * @param {{ prepare: () => T, run: (prepared: T) => R | Promise<R>, rounds: number, warmUp: number }} what
 * @returns {Promise<{ ms: number, last: R }>}
 */
export async function time({ prepare, run, rounds, warmUp }) {
  const times = [];
  let last;
  for (let round = 0; round < rounds + warmUp; round += 1) {
    const prepared = prepare();
    const start = performance.now();
    last = await run(prepared);
    if (round >= warmUp) times.push(performance.now() - start);
  }
  return { ms: median(times), last: /** @type {R} */ (last) };
}

const encoder = new TextEncoder();

/** A body as bytes: a peer hands `fetch` a text, which `fetch` then has to encode. */
export const asBytes = (/** @type {string | Uint8Array} */ body) =>
  typeof body === "string" ? encoder.encode(body) : body;

/** @param {number} ms */
export const show = (ms) => (ms >= 100 ? ms.toFixed(0) : ms >= 1 ? ms.toFixed(1) : ms.toFixed(3));
