/** What a palette shows for what is typed so far: data, in the order in which to show it. */
import type { Catalogue } from "./catalogue.ts";
import { type ArgumentSpec, addressOf, type CommandEntry, type CommandSource } from "./entry.ts";

export type Completion = {
  /** What to put in: the shortest name that leads to the entry, with its slash. */
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly source: CommandSource["kind"];
  /** The server, the skill or the file behind it. */
  readonly from?: string;
  readonly description: string;
  readonly argument_hint?: string;
  readonly arguments: readonly ArgumentSpec[];
  readonly needs_idle: boolean;
};

export function complete(catalogue: Catalogue, prefix: string): readonly Completion[] {
  const typed = prefix.replace(/^\//, "").toLowerCase();
  return catalogue.entries
    .map((entry) => ({ entry, rank: rankOf(entry, typed) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ entry }) => completionOf(catalogue, entry));
}

const NO_MATCH = 4;

/** The whole name, its beginning, the beginning of a later word of it, an alias or address. */
function rankOf(entry: CommandEntry, typed: string): number {
  const name = entry.name.toLowerCase();
  if (name === typed) return 0;
  if (name.startsWith(typed)) return 1;
  if (name.split(/[:/_.-]/).some((word) => word.startsWith(typed))) return 2;
  const others = [addressOf(entry), ...(entry.aliases ?? [])];
  return others.some((other) => other.toLowerCase().startsWith(typed)) ? 3 : NO_MATCH;
}

export function completionOf(catalogue: Catalogue, entry: CommandEntry): Completion {
  const leads = catalogue.find(entry.name) === entry;
  const from = originOf(entry.source);
  const hint = entry.argumentHint ?? usageHint(entry.arguments ?? []);
  return {
    id: `/${leads ? entry.name : addressOf(entry)}`,
    name: entry.name,
    aliases: entry.aliases ?? [],
    source: entry.source.kind,
    ...(from !== undefined && { from }),
    description: entry.description ?? "",
    ...(hint !== "" && { argument_hint: hint }),
    arguments: entry.arguments ?? [],
    needs_idle: entry.needsIdle ?? false,
  };
}

function originOf(source: CommandSource): string | undefined {
  switch (source.kind) {
    case "builtin":
      return undefined;
    case "project":
    case "user":
      return source.file;
    case "skill":
      return source.skill;
    case "mcp":
      return source.server;
  }
}

/** `<path> [severity]`, from the declared arguments. */
export function usageHint(specs: readonly ArgumentSpec[]): string {
  return specs
    .map(({ name, required, rest, enum: values }) => {
      const shown = `${values ? `${name}:${values.join("|")}` : name}${rest ? "…" : ""}`;
      return required ? `<${shown}>` : `[${shown}]`;
    })
    .join(" ");
}
