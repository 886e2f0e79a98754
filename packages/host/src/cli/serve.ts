/** `galley serve`: the sessions of a database over HTTP and the start page, until a signal ends it. */
import { flushCompileCache } from "node:module";
import { createHost } from "../sessions/create-host.ts";
import { databasePath } from "../sessions/database-path.ts";
import { warnOfDamage } from "../sessions/find-damage.ts";
import type { Io } from "./io.ts";
import { type CommonFlags, databaseOf, readSettings, userHomeOf } from "./open-pipeline.ts";
import { collectAtRest, keepHeapSmall } from "./small-heap.ts";
import { tokenOf } from "./token.ts";
import { whenUnlocked } from "./when-unlocked.ts";

export type ServeFlags = CommonFlags & { readonly port: number; readonly host: string };

export async function runServe(flags: ServeFlags, io: Io): Promise<number> {
  keepHeapSmall();
  const { workspace, home, settings } = await readSettings(flags, io);
  const token = await tokenOf(home, io.env);
  const userHome = userHomeOf(io.env);
  const db = databaseOf(flags, io);
  const warn = (line: string): void => io.err(`galley: warning: ${line}`);
  const ending = new AbortController();
  let checked: Promise<void> | undefined;
  const open = () =>
    createHost({
      workspace,
      home,
      db,
      settings,
      env: io.env,
      warn,
      // Over HTTP, whoever names a file need not be the one whose files they are.
      attachFrom: "workspace",
      ...(userHome !== undefined && { userHome }),
    });
  const stopped = untilInterrupted(io);
  void stopped.then(() => ending.abort());
  const host = await whenUnlocked(open, ending.signal, warn);
  const rest = collectAtRest();
  const deaf = host.sessions.listen(() => rest.stir());
  try {
    const { url, pageUrl } = await host.serve({
      host: flags.host,
      port: flags.port,
      token,
      print: (line) => io.err(line),
      limits: { bodyBytes: settings.limits.message_bytes },
    });
    // After it listens: a port that is taken must not have fired anything.
    await host.start();
    await io.out(welcome(url, pageUrl, token));
    // Now and not at its end: the next start is as quick also when this host is killed.
    flushCompileCache();
    checked = warnOfDamage(await databasePath(db, home), ending.signal, warn);
    await stopped;
    return 0;
  } finally {
    ending.abort();
    await checked;
    deaf();
    rest.stop();
    await host.close();
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
  talk     galley send "Hello" uses this host while it runs

Ctrl-C ends it.
`;
