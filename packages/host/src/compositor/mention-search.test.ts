import assert from "node:assert/strict";
import { test } from "node:test";
import { composeMessage, createCatalogue, DEFAULT_MENTIONS } from "@galley/compose";
import { tempFolder } from "../testing/temp-folder.ts";
import { composeHost } from "./compose-host.ts";
import { samplesOf } from "./context-samples.ts";
import { type MentionSources, searchMentions } from "./mention-search.ts";

const skills = [
  { name: "svg-kit", description: "Draws icons", scope: "project", file: "a" },
  { name: "a b", scope: "user", file: "b" },
] as const;

const sources = (paths: readonly string[], more: Partial<MentionSources> = {}): MentionSources => ({
  mentions: DEFAULT_MENTIONS,
  skills,
  paths: {
    find: async (_, { limit, kinds }) => ({
      hits: paths
        .map((path) => ({
          path,
          kind: path.endsWith("/") ? "directory" : "file",
          score: 1,
          positions: [0],
        }))
        .filter(({ kind }) => kinds?.includes(kind) ?? true)
        .slice(0, limit),
      notes: [],
    }),
    close: () => undefined,
  },
  ...more,
});

const insertsOf = async (query: string, given: MentionSources, limit = 20) =>
  (await searchMentions(query, limit, given)).mentions.map(({ insert }) => insert);

test("tokens and skills come first, and paths have half the room", async () => {
  const paths = ["a.ts", "b.ts", "c.ts"];
  assert.deepEqual(await insertsOf("", sources(paths), 4), [
    "@selection",
    "@open",
    "@a.ts",
    "@b.ts",
  ]);
  assert.deepEqual(await insertsOf("se", sources(["a.ts"]), 4), ["@selection", "@a.ts"]);
  assert.deepEqual(await insertsOf("@kit", sources([]), 4), ["@skill:svg-kit"]);
});

test("a kind that is typed narrows the search to it", async () => {
  const given = sources(["s.ts", "src/"]);
  assert.deepEqual(await insertsOf("skill:", given), ["@skill:svg-kit", '@skill:"a b"']);
  assert.deepEqual(await insertsOf("file:s", given), ["@s.ts", "@src/"]);
  assert.deepEqual(await insertsOf("dir:s", given), ["@src/"]);
  assert.deepEqual(await insertsOf("node:s", given), []);
});

test("what the embedder knows is offered, by its kind too", async () => {
  const registry = {
    find: async () => undefined,
    search: async (query: string) => [
      { kind: "node", id: `${query}-1`, name: "Frame 1" },
      { kind: "symbol", name: query },
    ],
  };
  const given = sources([], { registry });
  assert.deepEqual(await insertsOf("x", given), ['@node:"Frame 1"', "@symbol:x"]);
  assert.deepEqual(await insertsOf("symbol:x", given), ["@symbol:x"]);
});

const NAMES = [
  "a.ts",
  "a b.ts",
  "x.ts.",
  "n.ts:1",
  "selection",
  "file:odd",
  "p(1).ts",
  "@scope/x.ts",
  "a,b",
  "日本語.txt",
  "it's.md",
  "[id].tsx",
  "$(ls).txt",
  "d/",
];

test("what is put in leads to the very path, whatever its name", async (t) => {
  const files = NAMES.map((name) => [name.endsWith("/") ? `${name}keep` : name, "x"]);
  const workspace = await tempFolder(t, Object.fromEntries(files));
  const host = composeHost({ workspace, skills: [], samples: samplesOf([], () => 0) });
  const { mentions } = await searchMentions("zzz", 50, sources(NAMES));
  assert.equal(mentions.length, NAMES.length);
  for (const { name, insert = "" } of mentions) {
    const parts = [{ type: "typed", text: `see ${insert} now` }] as const;
    const composed = await composeMessage({ parts }, createCatalogue([]), host);
    const [, found] = composed.ok ? composed.message.parts : [];
    const { path } = (found?.ref ?? {}) as { path?: string };
    assert.equal(path?.replace(/^\.\//, ""), name, insert);
  }
});

test("what cannot be typed is offered without a text to put in", async () => {
  for (const name of ['a"b', "a`b", "a\nb", "a\u202Eb", "x".repeat(1025)]) {
    const { mentions } = await searchMentions("zzz", 5, sources([name]));
    assert.deepEqual(mentions, [{ kind: "file", name, positions: [0] }]);
  }
});
