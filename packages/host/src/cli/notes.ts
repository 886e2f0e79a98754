/** What a person may want to know about the message that was composed, a line each. */
import type { Note } from "@galley/compose";
import { plainName } from "@galley/shape";
import type { Io } from "./io.ts";

/** A text full of `@` words must not push the answer off the screen. */
const MOST_NOTES = 20;

export function tellNotes(notes: readonly Note[], io: Pick<Io, "err">): void {
  for (const { message } of notes.slice(0, MOST_NOTES)) {
    io.err(`galley: note: ${plainName(message)}`);
  }
  const more = notes.length - MOST_NOTES;
  if (more > 0) io.err(`galley: note: and ${more} more of these`);
}
