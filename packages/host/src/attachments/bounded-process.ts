/**
 * Work on a hostile file, in a process of its own that ends when it takes too long or too much.
 *
 * A thread would not do: an allocation that its heap cannot hold takes the whole host down with it.
 * The process has no environment, may read files and may neither write them nor start anything, and
 * a thread beside its work ends it when its memory goes over the limit.
 */
import { type ChildProcess, fork } from "node:child_process";
import { failed, type Tried, wordsOf } from "./tried.ts";

export type WorkLimits = {
  readonly timeoutMs: number;
  /** Of the whole process, which needs some 80 before it does anything. */
  readonly memoryMb: number;
};

export const WORK_LIMITS: WorkLimits = { timeoutMs: 20_000, memoryMb: 512 };

/** What the process is asked; `module` exports `run(input)`, which gives a `Tried`. */
export type Job = { readonly module: string; readonly input: unknown; readonly memoryMb: number };

const CHILD = new URL("./bounded-child.ts", import.meta.url);

/** Never throws, and leaves no process behind. */
export function runBounded<T>(
  module: URL,
  input: unknown,
  { timeoutMs, memoryMb }: WorkLimits = WORK_LIMITS,
): Promise<Tried<T>> {
  return new Promise((resolve) => {
    const child = start(memoryMb);
    const finish = (result: Tried<T>): void => {
      clearTimeout(clock);
      child.kill("SIGKILL");
      resolve(result);
    };
    const clock = setTimeout(
      () => finish(failed(`it took longer than ${timeoutMs / 1000} seconds`)),
      timeoutMs,
    );
    child.once("message", (answer) => finish(answer as Tried<T>));
    child.once("error", (error) => finish(failed(`no process can be started: ${wordsOf(error)}`)));
    child.once("exit", (code, signal) => finish(failed(endingOf(code, signal, memoryMb))));
    const job: Job = { module: module.href, input, memoryMb };
    // A process that ended before it was asked tells so by its end.
    child.send(job, () => undefined);
  });
}

function start(memoryMb: number): ChildProcess {
  return fork(CHILD, [], {
    execArgv: [
      `--max-old-space-size=${memoryMb}`,
      "--permission",
      "--allow-fs-read=*",
      "--allow-worker",
    ],
    env: {},
    // Bytes stay bytes on the way.
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}

/** Killed from within, or given up by the engine: both are for want of memory. */
function endingOf(code: number | null, signal: string | null, memoryMb: number): string {
  const isMemory = signal === "SIGKILL" || signal === "SIGABRT" || code === 134;
  return isMemory
    ? `it took more than ${memoryMb} MB of memory`
    : `it ended without an answer (${signal ?? code})`;
}
