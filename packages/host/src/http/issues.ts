/** What a schema found wrong, as sentences that begin with the place: `parts.0.text: …`. */
import type { z } from "zod";

type Issue = z.core.$ZodIssue;

export function sayIssues(issues: readonly Issue[], prefix: readonly PropertyKey[] = []): string[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    if (issue.code === "invalid_union" && issue.errors.length > 0) {
      return sayIssues(nearest(issue.errors), path);
    }
    return [`${path.length === 0 ? "the body" : path.map(String).join(".")}: ${issue.message}`];
  });
}

/** A union names every branch that failed; the one that knew the `type` was meant. */
function nearest(branches: readonly Issue[][]): readonly Issue[] {
  const distance = (issues: readonly Issue[]): number =>
    issues.length + (issues.some(({ path }) => path.length === 1 && path[0] === "type") ? 100 : 0);
  return branches.toSorted((a, b) => distance(a) - distance(b))[0] ?? [];
}
