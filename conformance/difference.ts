/** Where two JSON values differ, as paths; and paths held against a table of agreed differences. */

export type Difference = {
  readonly path: string;
  readonly ours: unknown;
  readonly theirs: unknown;
};

export function differences(ours: unknown, theirs: unknown, path = ""): Difference[] {
  if (isTree(ours) && isTree(theirs) && Array.isArray(ours) === Array.isArray(theirs)) {
    const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
    return [...keys].flatMap((key) =>
      differences(ours[key], theirs[key], path === "" ? key : `${path}.${key}`),
    );
  }
  return Object.is(ours, theirs) ? [] : [{ path, ours, theirs }];
}

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** `*` stands for one step of a path. */
export function coversPath(pattern: string, path: string): boolean {
  const steps = path.split(".");
  const wanted = pattern.split(".");
  return (
    steps.length === wanted.length &&
    wanted.every((step, index) => step === "*" || step === steps[index])
  );
}
