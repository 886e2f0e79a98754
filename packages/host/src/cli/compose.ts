/** `galley compose`: text to the typed message. No model, nothing stored. */
import { type Io, json } from "./io.ts";
import { tellNotes } from "./notes.ts";
import { type CommonFlags, withPipeline } from "./open-pipeline.ts";
import { UsageError } from "./usage.ts";
import { composeInput, type WordFlags } from "./words.ts";

export function runCompose(
  words: readonly string[],
  flags: CommonFlags & WordFlags,
  io: Io,
): Promise<number> {
  const given = [words, flags.ref, flags.attach, flags.editorContext];
  if (given.every((each) => each.length === 0)) {
    throw new UsageError("there is nothing to compose: give a text, a --ref or an --attach");
  }
  return withPipeline(flags, io, async ({ pipeline }) => {
    const { message, notes } = await pipeline.compose(composeInput(words, flags));
    tellNotes(notes, io);
    await io.out(json(message));
    return 0;
  });
}
