/**
 * A passage of a text replaced by another. A passage that is not there, or there more than once, is
 * a conflict, and says what would mend it. Line ends are those of the file.
 */
export type Edit = {
  readonly old_text: string;
  readonly new_text: string;
  readonly replace_all: boolean;
};

export type Edited =
  | {
      readonly ok: true;
      readonly text: string /** Where it was replaced. */;
      readonly lines: readonly number[];
    }
  | { readonly ok: false; readonly reason: string };

const SHOWN = 5;

export function editText(text: string, { old_text, new_text, replace_all }: Edit): Edited {
  if (old_text === "") return conflict("an empty passage is everywhere: use write for a new file");
  if (old_text === new_text) return conflict("the new text is the old one");
  const isCrlf = text.includes("\n") && !/(?<!\r)\n/.test(text);
  const asFile = (passage: string): string =>
    isCrlf ? passage.replace(/(?<!\r)\n/g, "\r\n") : passage;
  const passage = asFile(old_text);
  const places = placesOf(text, passage);
  if (places.length === 0) return conflict(whyNot(text, passage));
  const lines = linesAt(text, places);
  if (places.length > 1 && !replace_all) {
    const where = lines.slice(0, SHOWN).join(", ") + (lines.length > SHOWN ? ", …" : "");
    return conflict(
      `the passage is there ${places.length} times (lines ${where}): give more of what is around it, or replace_all`,
    );
  }
  return { ok: true, text: text.split(passage).join(asFile(new_text)), lines };
}

const conflict = (reason: string): Edited => ({ ok: false, reason });

/** From the front, none over another: as a split cuts them. */
function placesOf(text: string, passage: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(passage); at !== -1; at = text.indexOf(passage, at + passage.length)) {
    places.push(at);
  }
  return places;
}

function linesAt(text: string, places: readonly number[]): readonly number[] {
  let line = 1;
  let from = 0;
  return places.map((place) => {
    for (
      let at = text.indexOf("\n", from);
      at !== -1 && at < place;
      at = text.indexOf("\n", at + 1)
    ) {
      line += 1;
    }
    from = place;
    return line;
  });
}

/** The likeliest slip is white space. */
function whyNot(text: string, passage: string): string {
  const squeeze = (each: string): string => each.replace(/\s+/g, " ").trim();
  const isNear = squeeze(passage) !== "" && squeeze(text).includes(squeeze(passage));
  return isNear
    ? "the passage is there with other spaces or line breaks: read the file and copy it as it is"
    : "the passage is not in the file as it is now: read it again";
}
