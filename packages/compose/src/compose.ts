/**
 * A draft to a user message: the one way in, for every surface.
 *
 * Tokens are found, then settled, then acted on. Nothing has happened before all of it is known to
 * be right; when something is not, the draft comes back as it was, with the reason.
 */
import type { GalleyError, UserPart } from "@galley/parts";
import { actsOnly, type Planned, runActions } from "./command/act.ts";
import type { Catalogue } from "./command/catalogue.ts";
import { type CommandPart, settleCommand } from "./command/settle.ts";
import { lineOf } from "./command/structured.ts";
import type { Composed } from "./composed.ts";
import { type Draft, messageOf } from "./draft.ts";
import { ComposeError } from "./error.ts";
import type { ComposeHost } from "./host.ts";
import type { Note } from "./note.ts";
import { type Cell, cellsOf } from "./scan/cells.ts";
import { createLookup } from "./scan/lookup.ts";
import { mentionReader } from "./scan/mention-token.ts";
import { streamOf } from "./scan/stream.ts";
import { tokensOf } from "./scan/tokens.ts";

export type ComposeOptions = {
  /** Characters from which a paste becomes an attachment. */
  readonly pasteChars?: number;
};

export async function composeMessage(
  draft: Draft,
  catalogue: Catalogue,
  host: ComposeHost,
  options: ComposeOptions = {},
): Promise<Composed> {
  const stream = streamOf(draft, options.pasteChars);
  const lookup = createLookup(host);
  const notes: Note[] = [...stream.notes];
  const readMention = mentionReader(catalogue.mentions, host, lookup);
  const tokens = await tokensOf(stream, catalogue, readMention, notes);
  const cells = cellsOf(stream, tokens);
  notes.push(...lookup.notes);
  if (cells.length === 0) return refused(ComposeError.make("empty", {}), draft);
  const settled = await settleAll(cells, catalogue, host, notes);
  if (!settled.ok) return refused(settled.error, draft);
  const acted = await runActions(settled.planned, host);
  if (!acted.ok) return refused(acted.error, draft);
  const turn = !actsOnly(acted.parts);
  const metadata = metadataOf(cells, acted.parts, turn);
  return {
    ok: true,
    message: messageOf(draft, acted.parts, metadata),
    actions: acted.records,
    notes: [...notes, ...acted.notes],
    turn,
  };
}

const refused = (error: GalleyError, draft: Draft): Composed => ({ ok: false, error, draft });

type SettledAll =
  | { readonly ok: true; readonly planned: readonly Planned[] }
  | { readonly ok: false; readonly error: GalleyError };

async function settleAll(
  cells: readonly Cell[],
  catalogue: Catalogue,
  host: ComposeHost,
  notes: Note[],
): Promise<SettledAll> {
  const planned: Planned[] = [];
  for (const [index, cell] of cells.entries()) {
    const command = asCommand(cell, catalogue);
    if (command === undefined) {
      // A cell that is no command holds its part.
      planned.push({ part: (cell as Cell & { kind: "part" }).part });
      continue;
    }
    const settled = await settleCommand(command.line, command.entry, host);
    if (!settled.ok) return settled;
    planned.push(settled);
    notes.push(...settled.notes.map((note) => ({ ...note, part: index })));
  }
  return { ok: true, planned };
}

/** A typed command, or one that came as a part and is not settled yet. */
function asCommand(cell: Cell, catalogue: Catalogue) {
  if (cell.kind === "command") return cell;
  if (cell.part.type !== "command") return undefined;
  const part = cell.part as CommandPart;
  if (part.outcome !== undefined) return undefined;
  const entry = catalogue.find(part.id.replace(/^\//, ""));
  return { line: lineOf(part, entry), entry };
}

function metadataOf(
  cells: readonly Cell[],
  parts: readonly UserPart[],
  turn: boolean,
): Record<string, unknown> {
  const unresolved = parts.find(
    (part) => part.type === "command" && part.outcome === "pass-through",
  );
  const verbatim = verbatimParts(cells);
  return {
    ...(!turn && { turn: false }),
    ...(unresolved !== undefined && { unresolved_command: unresolved.id }),
    ...(verbatim.length > 0 && { verbatim_parts: verbatim }),
  };
}

/** Texts that were given as parts and could be read as typed: re-opening must not search them. */
function verbatimParts(cells: readonly Cell[]): number[] {
  const isText = (cell: Cell | undefined): boolean =>
    cell?.kind === "part" && cell.part.type === "text";
  return cells.flatMap((cell, index) => {
    if (cell.kind !== "part" || !cell.given) return [];
    const beside = isText(cells[index - 1]) || isText(cells[index + 1]);
    return beside || /[@/\\`~]/.test(String(cell.part.text)) ? [index] : [];
  });
}
