/** `galley send --once`: one message outside any session; nothing of it is stored. */
import { refuseActionsAlone } from "../compositor/compositor-error.ts";
import type { Io } from "./io.ts";
import { tellNotes } from "./notes.ts";
import { type CommonFlags, withPipeline } from "./open-pipeline.ts";
import { printerOf } from "./print-chunks.ts";
import { composeInput, type WordFlags } from "./words.ts";

export function sendOnce(
  words: readonly string[],
  flags: CommonFlags & WordFlags & { readonly json?: boolean },
  io: Io,
): Promise<number> {
  return withPipeline(flags, io, async ({ pipeline }) => {
    const interrupt = new AbortController();
    const stop = io.onInterrupt(["SIGINT"], () => interrupt.abort());
    try {
      const { message, notes } = await pipeline.compose(composeInput(words, flags));
      refuseActionsAlone(message);
      tellNotes(notes, io);
      const chunks = pipeline.send(message, { signal: interrupt.signal });
      const printer = printerOf(io, flags);
      for await (const chunk of chunks) await printer.print(chunk);
      return await printer.end();
    } finally {
      stop();
    }
  });
}
