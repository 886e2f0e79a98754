/**
 * JSON for the wire. Providers refuse a lone surrogate, and `JSON.stringify` writes one as an
 * escape that their parsers choke on, so it is replaced here, once, for every protocol.
 */

/** After `JSON.stringify` a surrogate escape is always a lone one: pairs are written as characters. */
const LONE_SURROGATE = /\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g;

export function wireJson(value: unknown): string {
  const json = JSON.stringify(value);
  return json.includes("\\ud") ? replaceLone(json) : json;
}

function replaceLone(json: string): string {
  // An escaped backslash before `ud800` is text that talks about surrogates: leave it.
  return json.replace(LONE_SURROGATE, (found, at: number) =>
    precedingBackslashes(json, at) % 2 === 0 ? "\\ufffd" : found,
  );
}

function precedingBackslashes(json: string, at: number): number {
  let count = 0;
  while (json[at - 1 - count] === "\\") count += 1;
  return count;
}
