/** What a turn left behind, for whoever asks later: accounts, the bytes sent, and all of it by turn. */
import type { RequestRow } from "@galley/persist";
import { wholeManifests } from "@galley/turn";
import type { Context } from "hono";
import { z } from "zod";
import { Manifest } from "./answers.ts";
import { HttpError } from "./problem.ts";
import type { Env, Route } from "./route.ts";
import { jsonText } from "./session-answers.ts";
import { JSON_TYPE, type SessionDeps } from "./session-deps.ts";
import { sessionOf, shownId } from "./session-scope.ts";
import { TraceAnswer, traceJson } from "./trace.ts";

const round = {
  turn: z.int().min(1),
  round: z.int().min(1).describe("one model call each"),
  message_id: z.string().nullable(),
  created_at: z.int(),
};
const ManifestsAnswer = z.looseObject({
  manifests: z.array(z.looseObject({ ...round, manifest: Manifest })),
});
const RequestsAnswer = z.looseObject({
  turn: z.int().min(1),
  requests: z.array(
    z.looseObject({
      ...round,
      model: z.string(),
      method: z.string(),
      url: z.string(),
      headers: z.record(z.string(), z.string()).describe("secrets are ***"),
      sha256: z.string(),
      size: z.int(),
      body_text: z.string().nullable().describe("the exact body; null where only its hash is kept"),
    }),
  ),
});

export function inspectRoutes({ backend }: SessionDeps): readonly Route[] {
  const { store } = backend;
  return [
    {
      method: "GET",
      path: "/v1/sessions/:id/manifests",
      id: "manifests",
      summary: "The account of every model call, in order",
      answers: { says: "The manifests", type: JSON_TYPE, schema: ManifestsAnswer },
      refuses: [404],
      async handle(c) {
        const { id } = await sessionOf(c, backend);
        return Response.json({ manifests: await wholeManifests(store, id) });
      },
    },
    {
      method: "GET",
      path: "/v1/sessions/:id/manifests/:turn",
      id: "turnManifests",
      summary: "The account of every model call of one turn",
      answers: { says: "The manifests", type: JSON_TYPE, schema: ManifestsAnswer },
      refuses: [404],
      async handle(c) {
        const { id } = await sessionOf(c, backend);
        return Response.json({ manifests: some(await wholeManifests(store, id, turnOf(c)), c) });
      },
    },
    {
      method: "GET",
      path: "/v1/sessions/:id/requests/:turn",
      id: "requests",
      summary: "What was sent in one turn, to the byte, without secrets",
      answers: { says: "One for each model call", type: JSON_TYPE, schema: RequestsAnswer },
      refuses: [404],
      async handle(c) {
        const { id } = await sessionOf(c, backend);
        const turn = turnOf(c);
        const rows = some(await store.requests.list(id, turn), c);
        const requests = await Promise.all(
          rows.map(async (row) => requestOf(row, await store.requests.body(id, turn, row.round))),
        );
        return Response.json({ turn, requests });
      },
    },
    {
      method: "GET",
      path: "/v1/sessions/:id/trace",
      id: "trace",
      summary: "Turn by turn: what was said, what it cost, what was sent, and by which rules",
      answers: { says: "The turns", type: JSON_TYPE, schema: TraceAnswer },
      refuses: [404],
      handle: async (c) => jsonText(await traceJson(await sessionOf(c, backend), store)),
    },
  ];
}

function turnOf(c: Context<Env>): number {
  const turn = c.req.param("turn") ?? "";
  if (/^[1-9]\d{0,8}$/.test(turn)) return Number(turn);
  throw HttpError.make("no_such", { what: "turn", id: shownId(turn) });
}

function some<T>(rows: readonly T[], c: Context<Env>): readonly T[] {
  if (rows.length > 0) return rows;
  throw HttpError.make("no_such", { what: "turn", id: String(turnOf(c)) });
}

const requestOf = ({ headers_json, ...row }: RequestRow, body: Uint8Array | undefined) => ({
  ...row,
  headers: JSON.parse(headers_json) as unknown,
  body_text: body === undefined ? null : new TextDecoder().decode(body),
});
