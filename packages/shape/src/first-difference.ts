/** Where two bodies part: a provider's cache holds the beginning that they share. */

/** The first byte that differs; the shorter one's length where it is the beginning of the other. */
export function firstDifference(before: Uint8Array, now: Uint8Array): number | undefined {
  const most = Math.min(before.length, now.length);
  let at = 0;
  while (at < most && before[at] === now[at]) at += 1;
  return at === before.length && at === now.length ? undefined : at;
}
