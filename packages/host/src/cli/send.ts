/** `galley send`: sends one message and streams the answer. */
import type { UiChunk } from "@galley/parts";
import { refuseActionsAlone } from "../compositor/compositor-error.ts";
import { forTerminal, type Io } from "./io.ts";
import { tellNotes } from "./notes.ts";
import { type CommonFlags, withPipeline } from "./open-pipeline.ts";
import { noSessions } from "./usage.ts";
import { composeInput, type WordFlags } from "./words.ts";

export type SendFlags = CommonFlags &
  WordFlags & { readonly json?: boolean; readonly session?: string };

const INTERRUPTED = 130;

export function runSend(words: readonly string[], flags: SendFlags, io: Io): Promise<number> {
  if (flags.session !== undefined) throw noSessions();
  return withPipeline(flags, io, async ({ pipeline }) => {
    const interrupt = new AbortController();
    const stop = io.onInterrupt(["SIGINT"], () => interrupt.abort());
    try {
      const { message, notes } = await pipeline.compose(composeInput(words, flags));
      refuseActionsAlone(message);
      tellNotes(notes, io);
      const chunks = pipeline.send(message, { signal: interrupt.signal });
      const printer = flags.json ? jsonPrinter(io) : textPrinter(io);
      for await (const chunk of chunks) await printer.print(chunk);
      return await printer.end();
    } finally {
      stop();
    }
  });
}

interface Printer {
  print(chunk: UiChunk): Promise<void>;
  /** The exit code. */
  end(): Promise<number>;
}

/** How the stream ended, in whichever form it is printed. */
function ending(io: Io) {
  let code = 0;
  return {
    note(chunk: UiChunk): void {
      if (chunk.type === "abort") code = INTERRUPTED;
      if (chunk.type !== "error") return;
      if (code === 0) io.err(`galley: ${chunk.errorText}`);
      code = 1;
    },
    code: () => code,
  };
}

function jsonPrinter(io: Io): Printer {
  const how = ending(io);
  return {
    async print(chunk) {
      await io.out(`${JSON.stringify(chunk)}\n`);
      how.note(chunk);
    },
    end: async () => how.code(),
  };
}

/** Exported for tests. */
export function textPrinter(io: Io): Printer {
  const how = ending(io);
  const colours = io.errIsTerminal && !io.env.NO_COLOR;
  const [dim, plain] = colours ? ["\u001b[2m", "\u001b[22m"] : ["", ""];
  let lastText = "";

  async function write(text: string): Promise<void> {
    if (text === "") return;
    lastText = text;
    await io.out(io.outIsTerminal ? forTerminal(text) : text);
  }

  /** Answers of several texts are told apart by a blank line. */
  const gap = () => (lastText === "" ? "" : lastText.endsWith("\n") ? "\n" : "\n\n");

  return {
    async print(chunk) {
      how.note(chunk);
      switch (chunk.type) {
        case "text-start":
          return write(gap());
        case "text-delta":
          return write(chunk.delta);
        case "reasoning-delta":
          if (io.errIsTerminal) io.aside(`${dim}${forTerminal(chunk.delta)}${plain}`);
          return;
        case "reasoning-end":
          if (io.errIsTerminal) io.aside("\n");
          return;
        case "tool-input-available":
          return io.err(`galley: the model called ${chunk.toolName}; no tools run here yet`);
        case "file":
          return io.err(`galley: the model sent a file (${chunk.mediaType}); see it with --json`);
        case "finish":
          if (chunk.finishReason === "length") io.err("galley: the answer was cut at its limit");
          if (chunk.finishReason === "content-filter") io.err("galley: the model refused to go on");
          return;
        default:
      }
    },
    async end() {
      if (lastText !== "" && !lastText.endsWith("\n")) await io.out("\n");
      return how.code();
    },
  };
}
