/** The command line over a home of its own and a scripted model, for tests of sessions. */
import { type Script, startRehearsal } from "@galley/rehearsal";
import { memoryIo } from "../testing/memory-io.ts";
import { type Files, tempFolder } from "../testing/temp-folder.ts";
import { runCli } from "./main.ts";

type Context = Parameters<typeof tempFolder>[0];

export const MODEL = "anthropic/claude-opus-5-5";

export async function cliIn(t: Context, script?: Script, files: Files = {}) {
  const home = await tempFolder(t);
  const cwd = await tempFolder(t, files);
  const model = await startRehearsal(script === undefined ? {} : { script });
  t.after(() => model.close());
  const env = {
    GALLEY_HOME: home,
    GALLEY_MODEL: MODEL,
    ANTHROPIC_API_KEY: "k",
    ANTHROPIC_BASE_URL: model.url,
  };
  /** Begins; what it printed is there when it ended. */
  function start(words: readonly string[], stdin?: string) {
    const io = memoryIo({ cwd, env, stdin });
    const ended = runCli(words, io).then((code) => ({ code, ...io.printed() }));
    return { io, ended };
  }
  const galley = (...words: readonly string[]) => start(words).ended;
  return { home, cwd, env, model, start, galley };
}

/** The id with which a send ends. */
export function sessionIn(stderr: string): string {
  const [, id] = /^session (ses_\S+)$/m.exec(stderr) ?? [];
  if (id === undefined) throw new Error(`no session in ${JSON.stringify(stderr)}`);
  return id;
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((wait) => setTimeout(wait, 5));
}
