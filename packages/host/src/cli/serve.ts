/** `galley serve`: the HTTP API and the start page, until a signal ends them. */
import { startServer } from "../http/server.ts";
import type { Io } from "./io.ts";
import { type CommonFlags, openPipeline } from "./open-pipeline.ts";
import { tokenOf } from "./token.ts";

export type ServeFlags = CommonFlags & { readonly port: number; readonly host: string };

export async function runServe(flags: ServeFlags, io: Io): Promise<number> {
  // Over HTTP, whoever names a file need not be the one whose files they are.
  const { pipeline, settings, home } = await openPipeline(flags, io, { attachFrom: "workspace" });
  try {
    const token = await tokenOf(home, io.env);
    const server = await startServer({
      pipeline,
      host: flags.host,
      port: flags.port,
      token,
      print: (line) => io.err(line),
      limits: { bodyBytes: settings.limits.message_bytes },
    });
    const stopped = untilInterrupted(io);
    await io.out(welcome(server.url, server.pageUrl, token));
    await stopped;
    await server.close();
    return 0;
  } finally {
    await pipeline.close();
  }
}

const untilInterrupted = (io: Io): Promise<void> =>
  new Promise((stop) => {
    io.onInterrupt(["SIGINT", "SIGTERM", "SIGHUP"], stop);
  });

const welcome = (url: string, pageUrl: string, token: string): string => `\
galley is at ${url}

  open     ${pageUrl}
  token    ${token}
  try      curl -s ${url}/v1/proof -H 'authorization: Bearer ${token}' \\
             -H 'content-type: application/json' -d '{"text": "hello", "all": true}'

Ctrl-C ends it.
`;
