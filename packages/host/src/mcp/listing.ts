/**
 * What a server says it has, page by page, as far as it can be used. One entry that cannot be used
 * is left out and told; it does not cost the others.
 */
import type { ListedPrompt } from "@galley/compose";
import { plainName } from "@galley/shape";
import type { Ask } from "./asked.ts";
import { isJson, schemaProblem } from "./foreign-schema.ts";

export type ListedTool = {
  readonly name: string;
  readonly description: string | undefined;
  readonly schema: Readonly<Record<string, unknown>>;
};

export type Listing = {
  readonly tools: readonly ListedTool[];
  readonly prompts: readonly ListedPrompt[];
  /** What was left out and why, a sentence each. */
  readonly left: readonly string[];
};

export const NOTHING_LISTED: Listing = { tools: [], prompts: [], left: [] };

/** A server may have many pages and must not have endless ones. */
const MOST_PAGES = 1_000;
const MOST_ENTRIES = 20_000;
const LONGEST_NAME = 256;
/** The first of them say what is wrong with the rest. */
const MOST_TOLD = 5;

export type Offers = { readonly tools: boolean; readonly prompts: boolean };

export type Listed =
  | { readonly ok: true; readonly listing: Listing }
  | { readonly ok: false; readonly reason: string };

export async function listAll(ask: Ask, offers: Offers): Promise<Listed> {
  const tools = offers.tools ? await entriesOf(ask, "tools") : NO_ENTRIES;
  if (!tools.ok) return tools;
  const prompts = offers.prompts ? await entriesOf(ask, "prompts") : NO_ENTRIES;
  if (!prompts.ok) return prompts;
  const read = readAll(tools.entries, readTool);
  const commands = readAll(prompts.entries, readPrompt);
  const left = [
    ...tools.left,
    ...told("tool", read.left),
    ...prompts.left,
    ...told("prompt", commands.left),
  ];
  return { ok: true, listing: { tools: read.kept, prompts: commands.kept, left } };
}

type Entries =
  | { readonly ok: true; readonly entries: readonly unknown[]; readonly left: readonly string[] }
  | { readonly ok: false; readonly reason: string };

const NO_ENTRIES: Entries = { ok: true, entries: [], left: [] };

async function entriesOf(ask: Ask, kind: "tools" | "prompts"): Promise<Entries> {
  const entries: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES && entries.length <= MOST_ENTRIES; page += 1) {
    const asked = await ask(`${kind}/list`, cursor === undefined ? {} : { cursor });
    if (!asked.ok) return { ok: false, reason: `its ${kind} cannot be listed: ${asked.reason}` };
    const { [kind]: listed, nextCursor } = asked.value;
    if (!Array.isArray(listed)) {
      return { ok: false, reason: `its ${kind} cannot be listed: the answer holds no list` };
    }
    entries.push(...listed.slice(0, MOST_ENTRIES + 1));
    if (typeof nextCursor !== "string" || nextCursor === cursor) {
      if (entries.length <= MOST_ENTRIES) return { ok: true, entries, left: [] };
      break;
    }
    cursor = nextCursor;
  }
  const left = [
    `its list of ${kind} does not end: those after the first ${MOST_ENTRIES} are not used`,
  ];
  return { ok: true, entries: entries.slice(0, MOST_ENTRIES), left };
}

type Read<T> = { readonly kept: T } | { readonly name: string; readonly problem: string };

function readAll<T extends { readonly name: string }>(
  entries: readonly unknown[],
  read: (entry: Readonly<Record<string, unknown>>, name: string) => Read<T>,
): { readonly kept: readonly T[]; readonly left: readonly string[] } {
  const kept = new Map<string, T>();
  const left: string[] = [];
  for (const entry of entries) {
    const name = isJson(entry) ? entry.name : undefined;
    if (!isJson(entry) || typeof name !== "string" || name === "" || name.length > LONGEST_NAME) {
      left.push("one without a usable name");
      continue;
    }
    const each = kept.has(name)
      ? { name, problem: "there are two of that name; the first is used" }
      : read(entry, name);
    if ("kept" in each) kept.set(name, each.kept);
    else left.push(`${plainName(each.name)}: ${each.problem}`);
  }
  return { kept: [...kept.values()], left };
}

function readTool(entry: Readonly<Record<string, unknown>>, name: string): Read<ListedTool> {
  const { inputSchema, description, title } = entry;
  const problem = schemaProblem(inputSchema);
  if (problem !== undefined || !isJson(inputSchema)) return { name, problem: problem ?? "" };
  return { kept: { name, description: textOf(description) ?? textOf(title), schema: inputSchema } };
}

function readPrompt(entry: Readonly<Record<string, unknown>>, name: string): Read<ListedPrompt> {
  const { arguments: given = [], description, title } = entry;
  if (!Array.isArray(given) || !given.every(isArgument)) {
    return { name, problem: "its arguments are no list of names" };
  }
  const said = textOf(description);
  const titled = textOf(title);
  return {
    kept: {
      name,
      ...(titled !== undefined && { title: titled }),
      ...(said !== undefined && { description: said }),
      arguments: given.map((argument) => {
        const about = textOf(argument.description);
        return {
          name: argument.name,
          ...(about !== undefined && { description: about }),
          ...(argument.required === true && { required: true }),
        };
      }),
    },
  };
}

type Argument = Readonly<Record<string, unknown>> & { readonly name: string };

const isArgument = (value: unknown): value is Argument =>
  isJson(value) && typeof value.name === "string" && value.name !== "";

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;

function told(kind: string, left: readonly string[]): string[] {
  const shown = left.slice(0, MOST_TOLD).map((each) => `the ${kind} is left out: ${each}`);
  const more = left.length - shown.length;
  return more > 0 ? [...shown, `${more} more of its ${kind}s are left out`] : shown;
}
