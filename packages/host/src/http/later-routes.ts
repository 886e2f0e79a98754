/** Calls whose names are promised and that nothing stands behind yet: they say so. */
import { HttpError } from "./problem.ts";
import type { Route } from "./route.ts";

const LATER: readonly (readonly [Route["method"], path: string, id: string, what: string])[] = [
  ["POST", "/v1/sessions/:id/compact", "compact", "Compacting a session"],
];

export const laterRoutes = (): readonly Route[] =>
  LATER.map(([method, path, id, what]) => ({
    method,
    path,
    id,
    summary: `${what}: not built yet`,
    answers: { says: "Not built yet", type: "application/problem+json", status: 501 },
    handle() {
      throw HttpError.make("not_yet", { what });
    },
  }));
