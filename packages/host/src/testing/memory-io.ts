/** The command line's `Io` in memory: words in, what was printed out. */
import type { Io } from "../cli/io.ts";
import { oneLine } from "../cli/io.ts";

export type MemoryIo = Io & {
  printed(): { readonly stdout: string; readonly stderr: string };
  interrupt(): void;
};

export function memoryIo(
  given: Partial<Pick<Io, "env" | "cwd" | "outIsTerminal" | "errIsTerminal">> & {
    readonly stdin?: string | Uint8Array | undefined;
  } = {},
): MemoryIo {
  let stdout = "";
  let stderr = "";
  const interrupted = new Set<() => void>();
  const input =
    typeof given.stdin === "string" ? new TextEncoder().encode(given.stdin) : given.stdin;
  return {
    env: given.env ?? {},
    cwd: given.cwd ?? "/",
    async out(text) {
      stdout += text;
    },
    err(line) {
      stderr += `${oneLine(line)}\n`;
    },
    aside(text) {
      stderr += text;
    },
    async *stdin() {
      if (input) yield input;
    },
    outIsTerminal: given.outIsTerminal ?? false,
    errIsTerminal: given.errIsTerminal ?? false,
    onInterrupt(_signals, call) {
      interrupted.add(call);
      return () => interrupted.delete(call);
    },
    printed: () => ({ stdout, stderr }),
    interrupt() {
      for (const call of interrupted) call();
    },
  };
}
