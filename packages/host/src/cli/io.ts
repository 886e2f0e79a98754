/**
 * The process as the commands see it: words in, text out, one line for a complaint. Commands get
 * this and touch `process` nowhere else.
 */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import type { Env } from "../config/settings.ts";

export interface Io {
  readonly env: Env;
  readonly cwd: string;
  /** Resolves when the text is on its way; rejects when nobody reads any more. */
  out(text: string): Promise<void>;
  /** One line on standard error. */
  err(line: string): void;
  /** As it comes, without a line end: for what streams beside the answer. */
  aside(text: string): void;
  /** Undefined when standard input is a terminal. */
  stdin(): AsyncIterable<Uint8Array> | undefined;
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  /** Calls back on the first interrupt only: the second ends the process. Returns the way to stop. */
  onInterrupt(signals: readonly NodeJS.Signals[], call: () => void): () => void;
}

export function processIo(): Io {
  const { stdin, stdout, stderr } = process;
  // A failed write is told to whoever waits for it; without a listener it would end the process.
  for (const stream of [stdout, stderr]) stream.on("error", () => undefined);
  return {
    env: process.env,
    cwd: process.cwd(),
    out: (text) =>
      new Promise((done, failed) => {
        stdout.write(text, (error) => (error ? failed(error) : done()));
      }),
    err: (line) => void stderr.write(`${oneLine(line)}\n`),
    aside: (text) => void stderr.write(text),
    stdin: () => (stdin.isTTY ? undefined : stdin),
    outIsTerminal: stdout.isTTY === true,
    errIsTerminal: stderr.isTTY === true,
    onInterrupt(signals, call) {
      const stop = () => {
        for (const signal of signals) process.off(signal, onSignal);
      };
      const onSignal = () => {
        stop();
        call();
      };
      for (const signal of signals) process.on(signal, onSignal);
      return stop;
    },
  };
}

/** Control characters, line ends among them: a complaint is one line whatever it quotes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]+/g;

export const oneLine = (text: string): string => text.replace(CONTROL, " ").trim();

/** Control characters other than tab and line feed, which could steer a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export const forTerminal = (text: string): string => text.replace(STEERING, "\ufffd");

export const homeOf = (env: Env): string => resolve(env.GALLEY_HOME || join(homedir(), ".galley"));

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
