/**
 * All commands that can be typed, by name.
 *
 * A name leads to one entry: built-in before project before user before skill before MCP. Nothing
 * is hidden by that: each entry also has an address (`project:review`) that leads to it alone, and
 * each name with two owners is reported.
 */
import { DEFAULT_MENTIONS, type MentionCatalogue } from "../mention.ts";
import { addressOf, type CommandEntry, type CommandSource, oneWord } from "./entry.ts";

export type Collision = {
  readonly name: string;
  /** The address of the entry that the name leads to. */
  readonly taken: string;
  /** The addresses of those that it does not lead to, in order. */
  readonly shadowed: readonly string[];
};

export type Catalogue = {
  /** By name, alias or address, without the slash. */
  find(name: string): CommandEntry | undefined;
  /** Every entry once, in order of precedence and then of its own list. */
  readonly entries: readonly CommandEntry[];
  readonly collisions: readonly Collision[];
  readonly mentions: MentionCatalogue;
};

const ORDER: { readonly [K in CommandSource["kind"]]: number } = {
  builtin: 0,
  project: 1,
  user: 2,
  skill: 3,
  mcp: 4,
};

export function createCatalogue(
  given: readonly CommandEntry[],
  mentions: MentionCatalogue = DEFAULT_MENTIONS,
): Catalogue {
  const entries = given.toSorted((a, b) => ORDER[a.source.kind] - ORDER[b.source.kind]);
  const owners = new Map<string, CommandEntry[]>();
  const claim = (name: string, entry: CommandEntry): void => {
    const all = owners.get(name);
    if (all === undefined) owners.set(name, [entry]);
    else if (!all.includes(entry)) all.push(entry);
  };
  // Addresses first: whoever wants one entry by its source gets that entry.
  for (const entry of entries) claim(addressOf(entry), entry);
  for (const entry of entries) claim(oneWord(entry.name), entry);
  for (const entry of entries) for (const alias of entry.aliases ?? []) claim(alias, entry);
  return {
    find: (name) => owners.get(name)?.[0],
    entries,
    collisions: [...owners].flatMap(([name, [taken, ...shadowed]]): Collision[] =>
      taken === undefined || shadowed.length === 0
        ? []
        : [{ name, taken: addressOf(taken), shadowed: shadowed.map(addressOf) }],
    ),
    mentions,
  };
}

/** An MCP prompt as its server lists it. */
export type ListedPrompt = {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required?: boolean;
  }[];
};

export function promptCommand(server: string, prompt: ListedPrompt): CommandEntry {
  const last = (prompt.arguments?.length ?? 0) - 1;
  const description = prompt.description ?? prompt.title;
  return {
    name: oneWord(prompt.name),
    source: { kind: "mcp", server, prompt: prompt.name },
    ...(description !== undefined && { description }),
    arguments: (prompt.arguments ?? []).map((argument, index) => ({
      name: argument.name,
      type: "string",
      required: argument.required === true,
      ...(argument.description !== undefined && { description: argument.description }),
      // `/weather New York` has one argument of two words.
      ...(index === last && { rest: true }),
    })),
    namedWords: true,
    deed: { kind: "prompt", server, prompt: prompt.name },
  };
}

/** A skill's slash trigger: its own name unless it says another. */
export function skillCommand(skill: {
  readonly name: string;
  readonly trigger?: string;
  readonly description?: string;
  readonly argumentHint?: string;
}): CommandEntry {
  return {
    name: oneWord(skill.trigger?.replace(/^\//, "") || skill.name),
    source: { kind: "skill", skill: skill.name },
    ...(skill.description !== undefined && { description: skill.description }),
    ...(skill.argumentHint !== undefined && { argumentHint: skill.argumentHint }),
    deed: { kind: "skill", skill: skill.name },
  };
}
