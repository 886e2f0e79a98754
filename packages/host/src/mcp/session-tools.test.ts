import assert from "node:assert/strict";
import { test } from "node:test";
import type { PartRow } from "@galley/parts";
import type { Tool, ToolContext } from "@galley/turn";
import { sessionIn } from "../tools/test-places.ts";
import { sessionTools } from "./session-tools.ts";
import { namesOf } from "./testing/servers-in.ts";

const tool = (name: string, description = name): Tool => ({
  definition: { name, description, input_schema: { type: "object" } },
  run: async () => ({ type: "output", data: name }),
});
const many = (count: number): Tool[] =>
  Array.from({ length: count }, (_, nth) => tool(`mcp__s__t${nth}`, `Thing ${nth}.`));

const OWN = [tool("read"), tool("write")];
const session = sessionIn("/w");

function setUp(first: readonly Tool[], rows: readonly object[] = []) {
  let all = first;
  const toolCalls = async () =>
    rows.map((row) => ({ data_json: JSON.stringify(row) })) as unknown as readonly PartRow[];
  // Of the store, this one question is asked.
  const store = { parts: { toolCalls } } as unknown as Parameters<typeof sessionTools>[0]["store"];
  const made = sessionTools({ tools: async () => all, store });
  const context = { session, signal: new AbortController().signal } as ToolContext;
  return {
    open: async () => made.open(session, OWN),
    names: async () => namesOf(await made.open(session, OWN)),
    find: (query: string) => made.search.run({ query }, context),
    have: (now: readonly Tool[]) => {
      all = now;
    },
    forget: () => made.forget(session.id),
  };
}

test("a session without servers has the host's own tools", async () => {
  assert.deepEqual(await setUp([]).names(), ["read", "write"]);
});

test("twenty tools are offered, and a session's list only grows at its end", async () => {
  const { open, names, have } = setUp(many(19));
  const before = [...(await open())];
  have([tool("mcp__a__new"), ...many(18)]);
  const after = await open();
  assert.deepEqual(after.slice(0, before.length), before);
  assert.deepEqual((await names()).slice(before.length), ["mcp__a__new"]);
});

test("of more than twenty tools a search is offered, and what it finds from the next step on", async () => {
  const { open, names, find } = setUp(many(21));
  const list = await open();
  assert.deepEqual(namesOf(list), ["read", "write", "tool_search"]);
  assert.deepEqual(await find("thing 7"), {
    type: "output",
    data: {
      matches: [
        { id: "mcp__s__t7", description: "Thing 7." },
        ...[0, 1, 2, 3, 4, 5, 6, 8, 9].map((nth) => ({
          id: `mcp__s__t${nth}`,
          description: `Thing ${nth}.`,
        })),
      ],
      searched: 21,
    },
  });
  assert.equal(list.length, 13);
  assert.equal(await open(), list);
  await find("thing 7");
  assert.deepEqual((await names()).slice(2, 5), ["tool_search", "mcp__s__t7", "mcp__s__t0"]);
});

test("a search that finds nothing says how many were looked at", async () => {
  const { open, find } = setUp(many(30));
  const list = await open();
  assert.deepEqual(await find("weather"), {
    type: "output",
    data: { matches: [], searched: 30 },
  });
  assert.equal(list.length, 3);
});

test("tools that become many stay where they were, and only new ones are searched", async () => {
  const { names, have } = setUp(many(2));
  assert.deepEqual(await names(), ["read", "write", "mcp__s__t0", "mcp__s__t1"]);
  have(many(25));
  assert.deepEqual(await names(), ["read", "write", "mcp__s__t0", "mcp__s__t1", "tool_search"]);
  have(many(3));
  assert.deepEqual(await names(), ["read", "write", "mcp__s__t0", "mcp__s__t1", "tool_search"]);
});

test("what a session found and called before is offered again after a restart", async () => {
  const rows = [
    {
      type: "tool-tool_search",
      output: { type: "output", data: { matches: [{ id: "mcp__s__t9" }, { id: "mcp__s__gone" }] } },
    },
    { type: "tool-read", output: { type: "output", data: "x" } },
    { type: "tool-mcp__s__t3", output: { type: "output", data: "x" } },
  ];
  const { names } = setUp(many(40), rows);
  assert.deepEqual(await names(), ["read", "write", "tool_search", "mcp__s__t9", "mcp__s__t3"]);
});

test("two who open a session at once get one list", async () => {
  const { open } = setUp(many(40));
  const [one, other] = await Promise.all([open(), open()]);
  assert.equal(one, other);
});
