/**
 * What a session's requests left out, for its copy: the same is left out there, so that the copy's
 * first request begins with the bytes that the provider has seen.
 */

type Json = Readonly<Record<string, unknown>>;

const objectOf = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};

/** By model; the names of blocks (`message/part`) lead to the copies, and others are gone. */
export function copyBudget(states: unknown, ids: ReadonlyMap<string, string>): Json | undefined {
  const copied = Object.entries(objectOf(states)).flatMap(([model, state]) => {
    const elided = Object.entries(objectOf(objectOf(state).elided)).flatMap(([block, elision]) => {
      const end = block.indexOf("/");
      const copy = ids.get(block.slice(0, end));
      return copy === undefined ? [] : [[`${copy}${block.slice(end)}`, elision] as const];
    });
    return elided.length === 0 ? [] : [[model, { elided: Object.fromEntries(elided) }] as const];
  });
  return copied.length === 0 ? undefined : Object.fromEntries(copied);
}
