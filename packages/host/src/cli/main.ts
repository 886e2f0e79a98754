/**
 * The command line, from its words to an exit code: 0 done, 1 refused or failed, 2 misused. A
 * failure is one line on standard error; a stack is shown only to who asks for it.
 */
import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { CommanderError } from "commander";
import { type Io, oneLine, processIo } from "./io.ts";
import { buildProgram } from "./program.ts";

export async function main(argv: readonly string[]): Promise<void> {
  const io = processIo();
  // Before any command is imported: what Node compiled once starts in less than half the time.
  // Only where there is a folder for caches, so that a bare home folder stays bare.
  const caches = io.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  if (existsSync(caches)) enableCompileCache(join(caches, "galley", "compiled"));
  process.once("uncaughtException", (error) => {
    process.exit(tell(error, io));
  });
  process.exitCode = await runCli(argv, io);
  // What was read only in part must not hold up the end.
  process.stdin.destroy();
}

/** Everything but the process itself. */
export async function runCli(argv: readonly string[], io: Io): Promise<number> {
  const program = buildProgram(io);
  try {
    await program.command.parseAsync([...argv], { from: "user" });
    return program.exitCode();
  } catch (error) {
    if (!(error instanceof CommanderError)) return tell(error, io);
    if (!isHelp(error)) return tellUsage(error.message, io);
    if (program.printed() === "") program.command.outputHelp();
    return await printHelp(program.printed(), io);
  }
}

/** Asked for, or shown because no command was named. */
const isHelp = ({ code }: CommanderError): boolean =>
  ["commander.helpDisplayed", "commander.help", "commander.version"].includes(code);

async function printHelp(text: string, io: Io): Promise<number> {
  try {
    await io.out(text);
    return 0;
  } catch (error) {
    return tell(error, io);
  }
}

function tellUsage(message: string, io: Io): number {
  io.err(`galley: ${oneLine(message.replace(/^error: /, ""))} (see galley --help)`);
  return 2;
}

function tell(error: unknown, io: Io): number {
  const { name, code, message, stack } = error as Partial<Error> & { code?: unknown };
  // Whoever read the output has enough, as `head` does.
  if (code === "EPIPE") return 0;
  if (name === "UsageError") return tellUsage(String(message), io);
  const known = name === "GalleyError" || typeof code === "string";
  const said = message ?? String(error);
  io.err(
    known
      ? `galley: ${said}`
      : `galley: something broke inside Galley: ${said} (GALLEY_DEBUG=1 shows where)`,
  );
  if (io.env.GALLEY_DEBUG === "1" && stack !== undefined) io.aside(`${stack}\n`);
  return 1;
}
