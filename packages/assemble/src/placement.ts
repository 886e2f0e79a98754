/**
 * Where each kind of context stands, as one table. Stable first: one changed byte costs the
 * provider's cache everything that comes after it.
 */
import type { Layer } from "./context.ts";

/** What a piece of context answers. */
export type Category =
  /** Who the assistant is. */
  | "identity"
  /** Where it works. */
  | "environment"
  /** What is asked now. */
  | "task"
  /** What happened so far. */
  | "conversation"
  /** What the model asked for. */
  | "pulled";

export type Position =
  /** A text of the system prompt, in the order of the table. */
  | "system"
  /** The messages, in the order in which they came. */
  | "history"
  /** In the last message that a person typed, before its own words. */
  | "anchor"
  /** The message that is answered. */
  | "task";

export type Placement = {
  readonly content: string;
  readonly category: Category;
  readonly position: Position;
  /** How often it changes; what changes less stands earlier. */
  readonly changes: "with the agent" | "with the project" | "with the session" | "with each turn";
  /** The first words of layer ids that belong here; the part up to the first dot counts. */
  readonly layers: readonly string[];
};

export const PLACEMENTS: readonly Placement[] = [
  system("agent", "identity", "with the agent", ["agent"]),
  system("project instructions", "environment", "with the project", ["instructions", "project"]),
  system("skill catalogue and memory index", "identity", "with the project", ["skills", "memory"]),
  system("environment", "environment", "with the session", ["environment", "env"]),
  system("pipeline", "task", "with the session", ["pipeline"]),
  wire("history", "conversation", "history"),
  wire("tool results", "pulled", "history"),
  wire("pins", "task", "anchor"),
  wire("message", "task", "task"),
];

function system(
  content: string,
  category: Category,
  changes: Placement["changes"],
  layers: readonly string[],
): Placement {
  return { content, category, position: "system", changes, layers };
}

function wire(content: string, category: Category, position: Position): Placement {
  return { content, category, position, changes: "with each turn", layers: [] };
}

const RANKS: ReadonlyMap<string, number> = new Map(
  PLACEMENTS.flatMap(({ layers }, rank) => layers.map((word) => [word, rank] as const)),
);

/** A layer that the table does not name belongs to the pipeline that brought it. */
const UNNAMED = RANKS.get("pipeline") ?? PLACEMENTS.length;

const rankOf = ({ id }: Layer): number => RANKS.get(id.split(".")[0] ?? "") ?? UNNAMED;

/** Layers in the order of the table; those of one row stay as they came. */
export function placeLayers(layers: readonly Layer[]): readonly Layer[] {
  const inOrder = layers.every(
    (layer, at) => at === 0 || rankOf(layers[at - 1] ?? layer) <= rankOf(layer),
  );
  return inOrder ? layers : layers.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** The category of a system layer, for whoever shows what a context is made of. */
export const categoryOf = (layer: Layer): Category => PLACEMENTS[rankOf(layer)]?.category ?? "task";
