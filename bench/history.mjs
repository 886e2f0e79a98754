/**
 * One conversation for all: turns of four wire messages (question, tool call, result, answer), made
 * from a seed, so that every contender shapes the same text.
 */

/** @typedef {{ ask: string, callId: string, input: { path: string, offset: number }, result: string, answer: string }} Turn */

const WORDS =
  'the parser reads a line and keeps what it cannot place so that const value = read(index) never loses { a: 1 } or "quoted" text — naïve, 日本語, done'.split(
    " ",
  );

/** @param {number} seed */
function chance(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** @param {() => number} random @param {number} chars */
function prose(random, chars) {
  let text = "";
  while (text.length < chars) text += `${WORDS[Math.floor(random() * WORDS.length)]} `;
  return text.slice(0, chars).toWellFormed();
}

/** @param {number} messages wire messages; four make a turn @returns {Turn[]} */
export function history(messages, seed = 1) {
  const random = chance(seed);
  return Array.from({ length: messages / 4 }, (_, index) => ({
    ask: prose(random, 240),
    callId: `call_${index}`,
    input: { path: `src/file-${index}.ts`, offset: index },
    result: prose(random, 1200),
    answer: prose(random, 600),
  }));
}
