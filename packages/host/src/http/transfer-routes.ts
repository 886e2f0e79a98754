/** A session as a file, and back again. Lines are written as they are read, whatever their number. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { exportSession, importSession, type Line } from "@galley/persist";
import { receiveSession } from "@galley/turn";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { readLines } from "./body.ts";
import { checkedQuery } from "./requests.ts";
import type { Route } from "./route.ts";
import { ImportAnswer, importAnswer } from "./session-answers.ts";
import { JSON_TYPE, type SessionDeps } from "./session-deps.ts";
import { ExportQuery, isSet } from "./session-requests.ts";
import { sessionOf } from "./session-scope.ts";

const JSONL = "application/jsonl";

export const transferRoutes = (deps: SessionDeps): readonly Route[] => [
  {
    method: "GET",
    path: "/v1/sessions/:id/export",
    id: "export",
    summary: "Everything about a session: JSONL, a row a line, or one JSON value",
    query: ExportQuery,
    answers: { says: "The rows", type: JSONL },
    refuses: [404],
    async handle(c) {
      const { format = "jsonl", blobs = "true" } = checkedQuery(ExportQuery, c.req.query());
      const { id } = await sessionOf(c, deps.backend);
      const lines = exportSession(deps.backend.store, id, { blobs: isSet(blobs) });
      if (format === "json") return Response.json(await gathered(lines));
      // What can be refused is refused with the first line, while there is still a status to say.
      const first = await lines.next();
      c.env.outgoing.writeHead(200, {
        "content-type": JSONL,
        "content-disposition": `attachment; filename="${id}.jsonl"`,
      });
      void pour(first.value ?? "", lines, c.env.outgoing, deps.report);
      return RESPONSE_ALREADY_SENT;
    },
  },
  {
    method: "POST",
    path: "/v1/import",
    id: "import",
    summary:
      "Takes an export back, all of it or nothing; what waits in it is held until somebody resumes it",
    takesBytes: JSONL,
    answers: { says: "The session", type: JSON_TYPE, schema: ImportAnswer, status: 201 },
    refuses: [422, 503, 507],
    async handle(c) {
      const { store, now } = deps.backend;
      let notes: readonly string[] = [];
      const id = await importSession(store, await readLines(c.env.incoming, deps.maxBody), {
        async receive(file, tables) {
          const received = await receiveSession(file, tables, now());
          notes = received.notes;
          return received.receipt;
        },
      });
      const row = await store.sessions.get(id);
      return row ? importAnswer(row, notes) : new Response(null, { status: 204 });
    },
  },
];

/** A failure in the middle cuts the connection: half a file must not pass for a whole one. */
async function pour(
  first: string,
  lines: AsyncGenerator<string, void, undefined>,
  outgoing: ServerResponse,
  report: (error: unknown) => void,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  try {
    await write(outgoing, first, gone.signal);
    for await (const line of lines) await write(outgoing, line, gone.signal);
    outgoing.end();
  } catch (error) {
    if (!gone.signal.aborted) report(error);
    outgoing.destroy();
  }
}

async function write(outgoing: ServerResponse, line: string, gone: AbortSignal): Promise<void> {
  gone.throwIfAborted();
  if (!outgoing.write(line)) await once(outgoing, "drain", { signal: gone });
}

/** The inspection form: rows as they are, messages with their parts. */
async function gathered(lines: AsyncIterable<string>): Promise<unknown> {
  const all: Line[] = [];
  for await (const line of lines) all.push(JSON.parse(line) as Line);
  const of = <T extends Line["type"]>(type: T) =>
    all.filter((line): line is Extract<Line, { type: T }> => line.type === type);
  const messages = new Map(
    of("message").map(({ data }) => [data.id, { message: data, parts: [] as unknown[] }]),
  );
  for (const { data } of of("part")) messages.get(data.message_id)?.parts.push(data);
  return {
    session: of("session")[0]?.data,
    messages: [...messages.values()],
    manifests: of("manifest").map(({ data }) => data),
    traces: of("trace").map(({ data }) => data),
    blobs: of("blob").map(({ data }) => data),
  };
}
