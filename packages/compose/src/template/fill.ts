/**
 * Slots to text. Argument text goes in as it is and is never looked at again: this file holds no
 * pattern and no replacement string.
 */
import type { CommandArgs, InlineNode, Slot, SlotNode } from "./tree.ts";

/** What a slot stands for; undefined when the argument is not there. */
function valueIn(slot: Slot, args: CommandArgs): string | undefined {
  switch (slot.kind) {
    case "all":
      return args.raw === "" ? undefined : args.raw;
    case "positional":
      return slot.rest ? joined(args.argv.slice(slot.index)) : args.argv[slot.index];
    case "slice":
      return sliceOf(slot, args).join(" ");
    case "named":
      return namedText(args, slot.name);
  }
}

const joined = (words: readonly string[]): string | undefined =>
  words.length === 0 ? undefined : words.join(" ");

const sliceOf = (slot: Slot & { kind: "slice" }, args: CommandArgs): readonly string[] =>
  args.argv.slice(slot.from, slot.count === undefined ? undefined : slot.from + slot.count);

function namedText(args: CommandArgs, name: string): string | undefined {
  const named = args.named;
  if (named === undefined || !Object.hasOwn(named, name)) return undefined;
  const value = named[name];
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** As in a shell, `:-` also stands in for an argument that is there and empty. */
function orFallback(slot: Slot, value: string | undefined): string | undefined {
  const fallback = "fallback" in slot ? slot.fallback : undefined;
  return fallback !== undefined && (value === undefined || value === "") ? fallback : value;
}

export function fillSlot({ slot, literal }: SlotNode, args: CommandArgs): string {
  const value = orFallback(slot, valueIn(slot, args));
  if (value !== undefined) return value;
  return slot.kind === "positional" && slot.missing === "literal" ? literal : "";
}

/** The words that a slot stands for in a shell: several only where several arguments are meant. */
export function wordsOf({ slot }: SlotNode, args: CommandArgs, wholeAsOne: boolean): string[] {
  if (slot.kind === "all" && !wholeAsOne && args.argv.length > 0) return [...args.argv];
  if (slot.kind === "all" && !wholeAsOne && slot.fallback === undefined) return [];
  if (slot.kind === "slice") return [...sliceOf(slot, args)];
  if (slot.kind === "positional" && slot.rest) return args.argv.slice(slot.index);
  return [orFallback(slot, valueIn(slot, args)) ?? ""];
}

export function fillInline(nodes: readonly InlineNode[], args: CommandArgs): string {
  let text = "";
  for (const node of nodes) text += node.kind === "text" ? node.text : fillSlot(node, args);
  return text;
}
