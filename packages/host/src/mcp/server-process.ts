/**
 * A server that is a process of ours: messages are lines on its standard input and output.
 *
 * It runs in a group of its own, because what is configured is often only a starter of the real
 * server; whoever ends it ends the group. What it last said on its standard error, and what it wrote
 * that is no message, is kept for the sentence that tells why it failed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import type { Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { wordsOf } from "../attachments/tried.ts";
import { lineReader } from "./line-reader.ts";

export type ProcessInput = {
  readonly command: string;
  readonly args: readonly string[];
  /** All of it: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** A text without what nobody else is to read. */
  hide(text: string): string;
  /** A line to a message; throws when it is none. */
  read(line: string): JSONRPCMessage;
};

export interface ProcessTransport extends Transport {
  /** Why it ended, or what is odd so far; empty when nothing is. */
  ending(): string;
  /** Ends it without asking it to. */
  end(): Promise<void>;
}

const MESSAGE_BYTES = 16 * 1024 * 1024;
/** A few lines of a log on the wrong stream are borne; a stream of them is not. */
const GARBAGE_BYTES = 256 * 1024;
const TAIL_BYTES = 2_000;
/** Of that, in the sentence that tells why. */
const SHOWN = 200;
/** For each of the two ways to end by itself. */
const GRACE_MS = 1_000;

export function serverProcess(input: ProcessInput): ProcessTransport {
  let child: ChildProcess | undefined;
  let over: Promise<void> = Promise.resolve();
  let tail = "";
  let fault = "";
  let exit = "";
  let garbage = { bytes: 0, first: "" };

  const transport: ProcessTransport = {
    async start() {
      const { started, ended } = launch(input);
      child = started;
      over = ended.then((how) => {
        exit = how;
        transport.onclose?.();
      });
      listen(started);
      await spawned(started, input.command);
    },
    async send(message) {
      const problem = await written(child?.stdin, `${JSON.stringify(message)}\n`);
      if (problem === undefined) return;
      // A pipe breaks a moment before it is known why.
      await endsWithin(over, GRACE_MS);
      throw problem;
    },
    async close() {
      if (child?.pid === undefined) return;
      child.stdin?.end();
      for (const signal of ["SIGTERM", "SIGKILL"] as const) {
        if (await endsWithin(over, GRACE_MS)) break;
        killGroup(child, signal);
      }
      await over;
    },
    async end() {
      if (child?.pid === undefined) return;
      killGroup(child, "SIGKILL");
      await over;
    },
    ending: () =>
      sayEnding({ fault, exit, garbage: input.hide(garbage.first), tail: input.hide(tail) }),
  };

  function listen(started: ChildProcess): void {
    const read = lineReader(MESSAGE_BYTES);
    started.stdout?.on("data", (chunk: Buffer) => {
      const { lines, isTooLong } = read(chunk);
      for (const line of lines) take(line);
      if (isTooLong) giveUp(`it wrote a message of more than ${MESSAGE_BYTES} bytes`);
    });
    started.stderr?.on("data", (chunk: Buffer) => {
      tail = (tail + chunk.toString("utf8")).slice(-TAIL_BYTES);
    });
    // A pipe that breaks is told by the end of the process.
    for (const pipe of [started.stdin, started.stdout, started.stderr]) pipe?.on("error", () => {});
  }

  function take(line: string): void {
    if (fault !== "" || line.trim() === "") return;
    const message = messageIn(line, input);
    if (message !== undefined) {
      transport.onmessage?.(message);
      return;
    }
    garbage = {
      bytes: garbage.bytes + line.length,
      first: garbage.first || line.slice(0, TAIL_BYTES),
    };
    if (garbage.bytes > GARBAGE_BYTES) giveUp("it writes much that is no message");
  }

  function giveUp(why: string): void {
    if (fault !== "" || child === undefined) return;
    fault = why;
    killGroup(child, "SIGKILL");
  }

  return transport;
}

function messageIn(line: string, { read }: ProcessInput): JSONRPCMessage | undefined {
  try {
    return read(line);
  } catch {
    // Whatever the reader throws at a line of a foreign program, the line is no message.
    return undefined;
  }
}

type Launched = { readonly started: ChildProcess; readonly ended: Promise<string> };

function launch({ command, args, env, cwd }: ProcessInput): Launched {
  const isWindows = process.platform === "win32";
  const started = spawn(command, args, {
    cwd,
    env,
    stdio: ["pipe", "pipe", "pipe"],
    detached: !isWindows,
    windowsHide: true,
  });
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  const how = (code: number | null, signal: string | null): string =>
    signal === null ? `it ended with the code ${code}` : `it was ended by ${signal}`;
  started.once("error", (error) => resolve(noStart(command, error)));
  started.once("close", (code, signal) => resolve(how(code, signal)));
  started.once("exit", (code, signal) => {
    // What it started does not outlive it, and must not keep its pipes open.
    killGroup(started, "SIGKILL");
    wait(GRACE_MS, undefined, { ref: false }).then(
      () => resolve(how(code, signal)),
      () => resolve(how(code, signal)),
    );
  });
  return { started, ended };
}

function spawned(child: ChildProcess, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (error) => {
      reject(new Error(noStart(command, error), { cause: error }));
    });
  });
}

function noStart(command: string, error: NodeJS.ErrnoException): string {
  const why = error.code === "ENOENT" ? "there is no such command" : wordsOf(error);
  return `${command} cannot be started: ${why}`;
}

function killGroup(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    // Nobody is left in the group: that is what was wanted.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** What kept it from being written. */
function written(stdin: Writable | null | undefined, line: string): Promise<Error | undefined> {
  if (!stdin?.writable) return Promise.resolve(new Error("it does not listen any more"));
  return new Promise((resolve) => {
    stdin.write(line, (error) => resolve(error ?? undefined));
  });
}

async function endsWithin(over: Promise<void>, ms: number): Promise<boolean> {
  const clock = new AbortController();
  const late = wait(ms, false, { signal: clock.signal }).catch(() => false);
  const isOver = await Promise.race([over.then(() => true), late]);
  clock.abort();
  return isOver;
}

type Ending = {
  readonly fault: string;
  readonly exit: string;
  readonly garbage: string;
  readonly tail: string;
};

function sayEnding({ fault, exit, garbage, tail }: Ending): string {
  const said = tail.trim().slice(-SHOWN);
  return [
    fault || exit,
    garbage === "" ? "" : `it wrote lines that are no messages, the first: ${wordsOf(garbage)}`,
    said === "" ? "" : `it last said: ${wordsOf(said)}`,
  ]
    .filter((clause) => clause !== "")
    .join("; ");
}
