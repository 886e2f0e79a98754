/** Every route there is. Each does its one thing through the pipeline and knows no stage below it. */

import { UiChunk, UserMessage } from "@galley/parts";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";
import { z } from "zod";
import type { Pipeline, Proof } from "../pipeline/pipeline.ts";
import { allSessionRoutes } from "./all-session-routes.ts";
import {
  ComposedAnswer,
  ModelsAnswer,
  modelRow,
  ProofAnswer,
  proofAnswer,
  StageAnswer,
  StatusAnswer,
  stageAnswer,
} from "./answers.ts";
import { type Asset, assetResponse, INDEX } from "./assets.ts";
import { readJson } from "./body.ts";
import { openApi } from "./openapi.ts";
import { palette } from "./palette.ts";
import { HttpError } from "./problem.ts";
import {
  type AskedMessage,
  ComposeQuery,
  ComposeRequest,
  checked,
  checkedQuery,
  inputOf,
  ProofRequest,
  readProof,
  readTry,
  TryRequest,
} from "./requests.ts";
import type { Env, Route } from "./route.ts";
import type { SessionDeps } from "./session-deps.ts";
import { streamChunks } from "./stream.ts";

export type RouteDeps = {
  readonly pipeline: Pipeline;
  readonly assets: ReadonlyMap<string, Asset>;
  /** Bytes. */
  readonly maxBody: number;
  /** Aborted when the server no longer waits for what runs. */
  readonly stopping: AbortSignal;
  readonly isClosing: () => boolean;
  readonly report: (error: unknown) => void;
  /** Absent in a host without sessions: it composes, proofs and tries, and keeps nothing. */
  readonly sessions?: SessionDeps | undefined;
};

const JSON_TYPE = "application/json";
const json = (says: string, schema: z.ZodType) => ({ says, type: JSON_TYPE, schema });

export function routesOf(deps: RouteDeps): readonly Route[] {
  const api = [
    ...pulse(deps),
    ...calls(deps),
    ...palette(deps.pipeline),
    ...(deps.sessions ? allSessionRoutes(deps.sessions) : []),
  ];
  const routes: Route[] = [...api, ...page(deps)];
  let document: string | undefined;
  routes.push({
    method: "GET",
    path: "/openapi.json",
    id: "openapi",
    summary: "This description",
    answers: json("OpenAPI 3.1", z.looseObject({ openapi: z.string() })),
    handle() {
      document ??= JSON.stringify(openApi(routes));
      return new Response(document, { headers: { "content-type": JSON_TYPE } });
    },
  });
  return routes;
}

const pulse = ({ isClosing }: RouteDeps): readonly Route[] => [
  {
    method: "GET",
    path: "/healthz",
    id: "healthz",
    summary: "Whether the process is alive",
    answers: json("It is", StatusAnswer),
    handle: (c) => c.json({ status: "ok" }),
  },
  {
    method: "GET",
    path: "/readyz",
    id: "readyz",
    summary: "Whether new requests are taken",
    answers: json("They are", StatusAnswer),
    refuses: [503],
    handle(c) {
      if (isClosing()) throw HttpError.make("closing", {});
      return c.json({ status: "ok" });
    },
  },
];

const calls = (deps: RouteDeps): readonly Route[] => [
  {
    method: "POST",
    path: "/v1/compose",
    id: "compose",
    summary: "Words, references and attachments to the typed user message",
    takes: ComposeRequest,
    query: ComposeQuery,
    answers: json(
      "The message; with explain the message, its notes, its host actions and whether it fires",
      z.union([UserMessage, ComposedAnswer]),
    ),
    async handle(c) {
      const { explain } = checkedQuery(ComposeQuery, c.req.query());
      const input = checked(ComposeRequest, await bodyOf(c, deps));
      const composed = await deps.pipeline.compose(inputOf(input));
      return Response.json(explain === "true" ? composed : composed.message);
    },
  },
  {
    method: "POST",
    path: "/v1/proof",
    id: "proof",
    summary: "What would be sent, to the byte, without sending it",
    takes: ProofRequest,
    answers: json(
      "The proof; with all an array of them, with stage what that stage made instead",
      z.union([ProofAnswer, z.array(ProofAnswer), z.array(StageAnswer), z.unknown()]),
    ),
    handle: async (c) => Response.json(await proof(await bodyOf(c, deps), deps.pipeline)),
  },
  {
    method: "POST",
    path: "/v1/try",
    id: "try",
    summary: "Sends a message once, outside any session, and streams the answer",
    takes: TryRequest,
    answers: {
      says: "One UI message chunk a `data:` line, and `data: [DONE]` at the end",
      type: "text/event-stream",
      schema: UiChunk,
    },
    refuses: [502],
    handle: (c) => send(c, deps),
  },
  {
    method: "GET",
    path: "/v1/models",
    id: "models",
    summary: "What each model can take, and where that is known from",
    answers: json("The models", ModelsAnswer),
    handle: (c) => c.json({ models: deps.pipeline.models().map(modelRow) }),
  },
];

const page = ({ assets }: RouteDeps): readonly Route[] => {
  const serve = (c: Context<Env>, name: string): Response => {
    const asset = assets.get(name);
    if (asset === undefined) throw HttpError.make("not_found", { path: c.req.path });
    return assetResponse(asset, c.req.header("if-none-match"));
  };
  return [
    {
      method: "GET",
      path: "/",
      id: "page",
      summary: "The start page",
      answers: { says: "The page", type: "text/html" },
      handle: (c) => serve(c, INDEX),
    },
    {
      method: "GET",
      path: "/page/:file",
      id: "pageFile",
      summary: "A file of the start page",
      answers: { says: "The file", type: "*/*" },
      refuses: [404],
      handle: (c) => serve(c, c.req.param("file") ?? ""),
    },
  ];
};

const bodyOf = (c: Context<Env>, { maxBody }: RouteDeps): Promise<unknown> =>
  readJson(c.env.incoming, maxBody);

async function proof(body: unknown, pipeline: Pipeline): Promise<unknown> {
  const asked = readProof(body);
  const { all, model, stage } = asked.options;
  const { message, notes } = await asked.message(pipeline);
  const answer = (each: Proof) => ({ ...proofAnswer(each), ...(notes.length > 0 && { notes }) });
  if (all) {
    const proofs = await pipeline.proofAll(message);
    return proofs.map((each) => (stage === undefined ? answer(each) : stageAnswer(each, stage)));
  }
  const one = await pipeline.proof(message, { ...(model !== undefined && { model }) });
  return stage === undefined ? answer(one) : one.stages[stage];
}

async function send(c: Context<Env>, deps: RouteDeps): Promise<Response> {
  const asked = readTry(await bodyOf(c, deps));
  const { message, notes } = await asked.message(deps.pipeline);
  const { model } = asked.options;
  await streamChunks({
    outgoing: c.env.outgoing,
    open: (signal) =>
      noted(deps.pipeline.send(message, { signal, ...(model !== undefined && { model }) }), notes),
    stopping: deps.stopping,
    report: deps.report,
  });
  return RESPONSE_ALREADY_SENT;
}

/** The notes on a message that came in words go along with the start of its answer. */
async function* noted(
  chunks: AsyncIterable<UiChunk>,
  notes: AskedMessage["notes"],
): AsyncGenerator<UiChunk, void, undefined> {
  for await (const chunk of chunks) {
    const isStart = chunk.type === "start" && notes.length > 0;
    yield isStart ? { ...chunk, messageMetadata: { notes: [...notes] } } : chunk;
  }
}
