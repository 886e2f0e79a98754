/**
 * A process with a clock, a bound on what it writes and an eye on what it takes. However it ends, it
 * is gone when the promise is kept.
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { setTimeout as setTimeoutPromise } from "node:timers/promises";
import { wordsOf } from "../attachments/tried.ts";
import { isAlive, usageOf } from "./process-watch.ts";
import type { RunEnd, RunLimits, Watcher } from "./sandbox.ts";

export type ProcessInput = {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Given to it on its fourth channel. */
  readonly extra?: Uint8Array;
  /** It makes namespaces of its own, and tells on its fifth channel which process is their first. */
  readonly isNamespace: boolean;
  /** Ends what the process left behind beside itself. */
  readonly sweep?: () => void;
};

const LOOK_MS = 50;
/** Between two questions that may take a while. */
const ASK_MS = 500;
const COMPLAINT_BYTES = 4096;
/** What holds a channel open after the end of the process is not waited for. */
const GRACE_MS = 300;
/** What was killed is gone within moments. */
const PATIENCE_MS = 5_000;
const STEP_MS = 5;

/** Never throws. */
export async function runProcess(
  input: ProcessInput,
  limits: RunLimits,
  watcher: Watcher,
): Promise<RunEnd> {
  const child = start(input);
  const inner = input.isNamespace ? innerPid(child) : () => undefined;
  const end = await endOf(child, input, limits, { ...watcher, inner });
  // Its first process is the last to go, and takes all others with it.
  const first = inner();
  if (first !== undefined) await isGone(first);
  return end;
}

type Inner = { readonly inner: () => number | undefined };

function endOf(
  child: ChildProcess,
  input: ProcessInput,
  limits: RunLimits,
  watcher: Watcher & Inner,
): Promise<RunEnd> {
  return new Promise((resolve) => {
    let ended: RunEnd | undefined;
    const end = (how: RunEnd): void => {
      ended ??= how;
      kill(child, input);
    };
    const stop = (): void => end({ kind: "stopped" });
    const over = (reason: string): void => end({ kind: "limit", reason });
    const clock = setTimeout(
      () => over(`took longer than ${limits.timeMs / 1000} seconds`),
      limits.timeMs,
    );
    const eye = watch(limits, watcher, over);
    const complaint = listen(child, limits, watcher, over);
    const finish = (how: RunEnd): void => {
      clearTimeout(clock);
      clearInterval(eye);
      watcher.signal.removeEventListener("abort", stop);
      resolve(ended ?? how);
    };
    watcher.signal.addEventListener("abort", stop, { once: true });
    child.once("error", (error) => finish({ kind: "failed", reason: wordsOf(error) }));
    // Whatever it left behind goes with it, and is not waited for.
    child.once("exit", () => {
      kill(child, input);
      setTimeout(() => {
        for (const channel of child.stdio) channel?.destroy();
      }, GRACE_MS).unref();
    });
    child.once("close", (code, signal) => finish(ownEnd(code, signal, complaint())));
    if (watcher.signal.aborted) stop();
  });
}

/** Hands on what it writes; gives what the sandbox itself complained of. */
function listen(
  child: ChildProcess,
  { outputBytes }: RunLimits,
  watcher: Watcher,
  over: (reason: string) => void,
): () => string {
  let complaint = "";
  let left = outputBytes;
  child.stdout?.on("data", (chunk: Buffer) => {
    watcher.onOutput(chunk.subarray(0, Math.max(0, left)));
    left -= chunk.length;
    if (left < 0) over(`wrote more than ${outputBytes} bytes`);
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    if (complaint.length < COMPLAINT_BYTES) complaint += chunk.toString();
  });
  return () => complaint;
}

/** Told by the sandbox on its fifth channel, as soon as there is one. */
function innerPid(child: ChildProcess): () => number | undefined {
  let told = "";
  (child.stdio[4] as Readable | null | undefined)?.on("data", (chunk: Buffer) => {
    told += chunk.toString();
  });
  return () => {
    const pid = Number(/"child-pid":\s*(\d+)/.exec(told)?.[1]);
    return Number.isInteger(pid) ? pid : undefined;
  };
}

async function isGone(pid: number): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS && isAlive(pid); waited += STEP_MS) {
    await setTimeoutPromise(STEP_MS);
  }
}

function start({ file, args, env, cwd, extra, isNamespace }: ProcessInput): ChildProcess {
  const more = isNamespace ? (["pipe", "pipe"] as const) : [];
  const child = spawn(file, args, {
    cwd,
    env,
    // A group of its own: it is ended as one.
    detached: true,
    stdio: ["ignore", "pipe", "pipe", ...more],
  });
  const channel = child.stdio[3] as Writable | null | undefined;
  // A process that ended before it read tells so by its end.
  channel?.on("error", () => undefined);
  channel?.end(extra);
  return child;
}

/** Gone already is as good. */
function kill({ pid }: ChildProcess, { sweep }: ProcessInput): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ESRCH") throw error;
  }
  sweep?.();
}

function watch(
  limits: RunLimits,
  watcher: Watcher & Inner,
  end: (reason: string) => void,
): NodeJS.Timeout {
  let asked = 0;
  let isAsking = false;
  async function ask(): Promise<void> {
    isAsking = true;
    const problem = await watcher.problem?.();
    if (problem !== undefined) end(problem);
    isAsking = false;
  }
  return setInterval(() => {
    const pid = watcher.inner();
    const usage = pid === undefined ? undefined : usageOf(pid);
    if (usage && usage.processes > limits.processes) {
      end(`started more than ${limits.processes} processes`);
    }
    if (usage && usage.memoryMb > limits.memoryMb) {
      end(`took more than ${limits.memoryMb} MB of memory`);
    }
    asked += LOOK_MS;
    if (asked < ASK_MS || isAsking) return;
    asked = 0;
    ask().catch((error: unknown) => end(`could not be watched: ${wordsOf(error)}`));
  }, LOOK_MS);
}

function ownEnd(code: number | null, signal: string | null, complaint: string): RunEnd {
  // The command's own errors go with its output: what comes here is the sandbox's.
  const [first] = complaint.trim().split("\n");
  if (first && code !== 0) return { kind: "failed", reason: wordsOf(first) };
  return code === null
    ? { kind: "killed", signal: signal ?? "an unknown signal" }
    : { kind: "exit", code };
}
