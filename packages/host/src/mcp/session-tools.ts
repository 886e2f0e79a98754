/**
 * What each session is offered of the servers' tools. A list that a session has seen only grows at
 * its end: what a model was shown once keeps its place and its bytes, whatever a server does since.
 *
 * Few tools are all offered. Of many, a session is offered a search, and what it found.
 */
import { type SessionId, type SessionRow, toolNameOf } from "@galley/parts";
import type { Store } from "@galley/persist";
import type { Tool } from "@galley/turn";
import { z } from "zod";
import { defineTool } from "../tools/define-tool.ts";
import { type ToolIndex, toolIndex } from "./tool-index.ts";
import { isMcpToolName } from "./tool-name.ts";

/** More than these are searched. */
const MOST_OFFERED = 20;
const MOST_FOUND = 10;
export const SEARCH_TOOL = "tool_search";

export interface SessionTools {
  /** Loads nothing and changes nothing but what is offered: it needs nobody's leave. */
  readonly search: Tool;
  /** The same array for a session at every call: it grows when something is found, also in a turn. */
  open(session: SessionRow, own: readonly Tool[]): Promise<readonly Tool[]>;
  forget(session: SessionId): void;
}

export type SessionToolsInput = {
  /** All that the servers have now, in a stable order. */
  tools(): Promise<readonly Tool[]>;
  readonly store: Pick<Store, "parts">;
};

export function sessionTools({ tools, store }: SessionToolsInput): SessionTools {
  const lists = new Map<SessionId, Tool[]>();
  const indexes = new WeakMap<readonly Tool[], ToolIndex>();

  function indexOf(all: readonly Tool[]): ToolIndex {
    const made = indexes.get(all) ?? toolIndex(all);
    indexes.set(all, made);
    return made;
  }

  const search = defineTool({
    name: SEARCH_TOOL,
    description:
      "Finds tools of the connected MCP servers, which are too many to be listed. Give a few words for what you want to do; the tools that are found can be called from your next step on, and stay. It runs none of them.",
    input: z.strictObject({
      query: z.string().min(1).max(500).describe("A few words, such as: create an issue."),
    }),
    async run({ query }, { session }) {
      const all = await tools();
      const found = indexOf(all).find(query, MOST_FOUND);
      append(lists.get(session.id) ?? [], found);
      const matches = found.map(({ definition: { name, description } }) => ({
        id: name,
        description,
      }));
      return { type: "output", data: { matches, searched: all.length } };
    },
  });

  return {
    search,
    async open(session, own) {
      const all = await tools();
      if (all.length === 0 && !lists.has(session.id)) return own;
      const known = lists.get(session.id);
      const list = known ?? [...own];
      // After a wait, so that two who open at once get one list.
      const used = known ? [] : await usedBefore(store, session.id);
      const mine = lists.get(session.id) ?? list;
      lists.set(session.id, mine);
      if (all.length <= MOST_OFFERED && !mine.includes(search)) append(mine, all);
      else if (all.length > 0) append(mine, [search]);
      append(mine, named(all, used));
      return mine;
    },
    forget: (session) => {
      lists.delete(session);
    },
  };
}

/** By name: a tool that is listed anew is still the one that the session has. */
function append(list: Tool[], more: readonly Tool[]): void {
  const names = new Set(list.map(({ definition }) => definition.name));
  list.push(...more.filter(({ definition }) => !names.has(definition.name)));
}

function named(all: readonly Tool[], names: readonly string[]): readonly Tool[] {
  if (names.length === 0) return [];
  const byName = new Map(all.map((tool) => [tool.definition.name, tool]));
  return names.flatMap((name) => byName.get(name) ?? []);
}

/** What the session found or called, in the order in which it did, from its own rows. */
async function usedBefore(
  store: Pick<Store, "parts">,
  session: SessionId,
): Promise<readonly string[]> {
  const calls = await store.parts.toolCalls(session, ["output-available", "output-error"]);
  return calls.flatMap(({ data_json }) => {
    const part = JSON.parse(data_json) as CallPart;
    const name = toolNameOf(part);
    if (isMcpToolName(name)) return [name];
    return name === SEARCH_TOOL ? foundBy(part.output) : [];
  });
}

type CallPart = Parameters<typeof toolNameOf>[0] & { readonly output?: unknown };

const Found = z.object({
  data: z.object({ matches: z.array(z.object({ id: z.string() })) }),
});

function foundBy(output: unknown): readonly string[] {
  const read = Found.safeParse(output);
  return read.success ? read.data.data.matches.map(({ id }) => id) : [];
}
