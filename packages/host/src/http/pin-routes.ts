/** What is pinned to a session: references that are read again for every turn. */
import { FileRef } from "@galley/parts";
import { type PinnedRef, pinnedTo, putPin, removePin, TurnError } from "@galley/turn";
import type { Context } from "hono";
import { z } from "zod";
import { checked } from "./requests.ts";
import type { Env, Route } from "./route.ts";
import { bodyOf, JSON_TYPE, type SessionDeps } from "./session-deps.ts";
import { sessionIdOf, sessionOf, shownId } from "./session-scope.ts";

const PutPin = z.strictObject({
  ref: FileRef.refine(({ kind }) => kind === "path", {
    error: "a pin names a file of the workspace: give kind path",
  }).describe("a path from the workspace, and a range of it where not all of it is wanted"),
});
const PinsAnswer = z.looseObject({
  pins: z
    .array(z.looseObject({ id: z.string(), ref: FileRef }))
    .describe("in the order in which they were pinned; what they hold is never stored"),
});

const PINS = { says: "The pins as they are now", type: JSON_TYPE, schema: PinsAnswer } as const;

export function pinRoutes(deps: SessionDeps): readonly Route[] {
  const { backend } = deps;
  const { store } = backend;
  const told = (pins: readonly PinnedRef[]) => Response.json({ pins });
  return [
    {
      method: "GET",
      path: "/v1/sessions/:id/pins",
      id: "pins",
      summary: "What is pinned: read again for every turn, and shown with its message",
      answers: PINS,
      refuses: [404],
      handle: async (c) => told(pinnedTo(await sessionOf(c, backend))),
    },
    {
      method: "PUT",
      path: "/v1/sessions/:id/pins/:pin_id",
      id: "putPin",
      summary: "Pins a file, or gives a pin another one; it need not be there yet",
      takes: PutPin,
      answers: PINS,
      refuses: [404, 409, 503, 507],
      async handle(c) {
        const { ref } = checked(PutPin, await bodyOf(c, deps));
        const pin = { id: pinIdOf(c), ref };
        return told(await putPin(store, sessionIdOf(c), pin, backend.now()));
      },
    },
    {
      method: "DELETE",
      path: "/v1/sessions/:id/pins/:pin_id",
      id: "deletePin",
      summary: "Takes a pin away, from the next turn on",
      answers: PINS,
      refuses: [404, 503, 507],
      handle: async (c) => told(await removePin(store, sessionIdOf(c), pinIdOf(c), backend.now())),
    },
  ];
}

/** Shown to people and to the model, so it is a plain word. */
const PIN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

function pinIdOf(c: Context<Env>): string {
  const id = c.req.param("pin_id") ?? "";
  if (!PIN_ID.test(id)) throw TurnError.make("no-pin", { id: shownId(id) });
  return id;
}
