/**
 * A running answer on a terminal, in a pipe, or as chunks: what it says on standard output, what
 * happens beside it on standard error. How it ended is the exit code.
 */
import type { UiChunk } from "@galley/parts";
import { forTerminal, type Io } from "./io.ts";
import { openQuestions } from "./open-questions.ts";

export const INTERRUPTED = 130;

export interface Printer {
  print(chunk: UiChunk): Promise<void>;
  /** Ends the last line; gives the exit code. */
  end(): Promise<number>;
}

export type PrinterOptions = {
  readonly json?: boolean | undefined;
  /** Whose answers are told how to be given. */
  readonly session?: string | undefined;
  /** Follows what went wrong, on the same line. */
  readonly mend?: string | undefined;
};

export const printerOf = (io: Io, options: PrinterOptions): Printer =>
  options.json ? jsonPrinter(io, options) : textPrinter(io, options);

/** How the stream ended, in whichever form it is printed. */
function ending(io: Io, { session, mend }: PrinterOptions) {
  let code = 0;
  const questions = openQuestions();
  return {
    note(chunk: UiChunk): void {
      questions.note(chunk);
      if (chunk.type === "abort") code = INTERRUPTED;
      if (chunk.type !== "error") return;
      if (code === 0) io.err(`galley: ${chunk.errorText}${mend ? ` (${mend})` : ""}`);
      code = 1;
    },
    end(): number {
      if (session !== undefined) for (const line of questions.lines(session)) io.err(line);
      return code;
    },
  };
}

function jsonPrinter(io: Io, options: PrinterOptions): Printer {
  const how = ending(io, options);
  return {
    async print(chunk) {
      await io.out(`${JSON.stringify(chunk)}\n`);
      how.note(chunk);
    },
    end: async () => how.end(),
  };
}

function textPrinter(io: Io, options: PrinterOptions): Printer {
  const how = ending(io, options);
  const text = textWriter(io);
  const aside = asideWriter(io);
  return {
    async print(chunk) {
      if (chunk.type === "error") await text.endLine();
      how.note(chunk);
      if (chunk.type === "text-start") return text.begin();
      if (chunk.type === "text-delta") return text.write(chunk.delta);
      aside(chunk);
    },
    async end() {
      await text.endLine();
      return how.end();
    },
  };
}

function textWriter(io: Io) {
  let last = "";
  async function write(text: string): Promise<void> {
    if (text === "") return;
    last = text;
    await io.out(io.outIsTerminal ? forTerminal(text) : text);
  }
  return {
    write,
    /** Answers of several texts are told apart by a blank line. */
    begin: () => write(last === "" ? "" : last.endsWith("\n") ? "\n" : "\n\n"),
    async endLine(): Promise<void> {
      if (last !== "" && !last.endsWith("\n")) await write("\n");
    },
  };
}

/** What is said beside the answer; thoughts and tools only to a person who watches. */
function asideWriter(io: Io): (chunk: UiChunk) => void {
  const colours = io.errIsTerminal && !io.env.NO_COLOR;
  const [dim, plain] = colours ? ["\u001b[2m", "\u001b[22m"] : ["", ""];
  const watched = (text: string) => {
    if (io.errIsTerminal) io.aside(`${dim}${forTerminal(text)}${plain}`);
  };
  return (chunk) => {
    switch (chunk.type) {
      case "reasoning-delta":
        return watched(chunk.delta);
      case "reasoning-end":
        return watched("\n");
      case "tool-input-available":
        return watched(`${chunk.toolName} ${short(JSON.stringify(chunk.input))}\n`);
      case "tool-output-error":
        return watched(`  failed: ${short(chunk.errorText)}\n`);
      case "file":
        return io.err(`galley: the model sent a file (${chunk.mediaType}); see it with --json`);
      case "finish":
        if (chunk.finishReason === "length") io.err("galley: the answer was cut at its limit");
        if (chunk.finishReason === "content-filter") io.err("galley: the model refused to go on");
        return;
      default:
    }
  };
}

const SHORT = 120;

const short = (text: string): string => (text.length > SHORT ? `${text.slice(0, SHORT)}…` : text);
