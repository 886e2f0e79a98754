/**
 * Where a text is code, by the rules of Markdown: fenced blocks, to the end when they are not
 * closed, and spans between runs of as many backticks within a paragraph. Each character is read a
 * fixed number of times, whatever the text.
 */
export type Region = { readonly from: number; readonly to: number };

const FENCE = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/;

export function fencesOf(text: string): Region[] {
  if (!text.includes("```") && !text.includes("~~~")) return [];
  const fences: Region[] = [];
  let open: { readonly from: number; readonly mark: string } | undefined;
  for (let start = 0; start <= text.length; ) {
    const next = text.indexOf("\n", start);
    const end = next < 0 ? text.length : next;
    const [, mark = "", info = ""] = FENCE.exec(text.slice(start, end)) ?? [];
    if (open !== undefined) {
      const closes = mark[0] === open.mark[0] && mark.length >= open.mark.length;
      if (closes && info.trim() === "") {
        fences.push({ from: open.from, to: end });
        open = undefined;
      }
    } else if (mark !== "" && !(mark.startsWith("`") && info.includes("`"))) {
      open = { from: start, mark };
    }
    if (next < 0) break;
    start = next + 1;
  }
  if (open !== undefined) fences.push({ from: open.from, to: text.length });
  return fences;
}

type Run = { readonly at: number; readonly length: number; readonly paragraph: number };

/** Spans outside `blocks`, which are in order and end a paragraph, as an empty line does. */
export function codeSpansOf(text: string, blocks: readonly Region[]): Region[] {
  if (!text.includes("`")) return [];
  const runs = runsOf(text, blocks);
  const partner = partnersOf(runs);
  const spans: Region[] = [];
  for (let index = 0; index < runs.length; index++) {
    const close = partner[index];
    if (close === undefined) continue;
    const last = runs[close] as Run;
    spans.push({ from: (runs[index] as Run).at, to: last.at + last.length });
    index = close;
  }
  return spans;
}

/** For each run the next one of its length in its paragraph. */
function partnersOf(runs: readonly Run[]): (number | undefined)[] {
  const next = new Map<string, number>();
  const partner = new Array<number | undefined>(runs.length);
  for (let index = runs.length - 1; index >= 0; index--) {
    const { length, paragraph } = runs[index] as Run;
    partner[index] = next.get(`${paragraph} ${length}`);
    next.set(`${paragraph} ${length}`, index);
  }
  return partner;
}

function runsOf(text: string, blocks: readonly Region[]): Run[] {
  const runs: Run[] = [];
  let paragraph = 0;
  let block = 0;
  for (const { 0: found, index } of text.matchAll(/`+|\n[ \t\r]*(?=\n)/g)) {
    while (block < blocks.length && (blocks[block] as Region).to <= index) {
      block += 1;
      paragraph += 1;
    }
    if (block < blocks.length && (blocks[block] as Region).from <= index) continue;
    if (found.startsWith("`")) runs.push({ at: index, length: found.length, paragraph });
    else paragraph += 1;
  }
  return runs;
}

/** Whether a position is in one of the regions; both must come in order. */
export function regionReader(regions: readonly Region[]): (at: number) => boolean {
  let next = 0;
  return (at) => {
    while (next < regions.length && (regions[next] as Region).to <= at) next += 1;
    return next < regions.length && (regions[next] as Region).from <= at;
  };
}
