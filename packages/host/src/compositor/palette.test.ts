/** What a palette is given: over HTTP and on the command line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CommandsAnswer, MentionsAnswer } from "../http/answers.ts";
import { surfacesIn } from "./test-surfaces.ts";

const FILES = {
  ".agents/commands/review.md":
    "---\ndescription: Reads code\narguments:\n  - name: path\n    type: path\n    required: true\n---\nRead ${path}",
  ".gemini/commands/broken.toml": "prompt =",
  ".agents/skills/review/SKILL.md": "---\nname: review\ndescription: A skill\n---\n",
  "src/review.ts": "x",
};
const USER_FILES = { ".claude/commands/review.md": "Mine" };

type Row = { readonly id: string; readonly [key: string]: unknown };

test("commands come with source, description, hint, arguments and collisions", async (t) => {
  const { serve } = await surfacesIn(t, FILES, USER_FILES);
  const { get } = await serve();
  const { status, body } = await get("/v1/commands?q=/rev");
  assert.equal(status, 200);
  assert.equal(CommandsAnswer.safeParse(body).success, true);
  assert.deepEqual(
    body.commands.map(({ id, source, from }: Row) => [id, source, from]),
    [
      ["/review", "project", ".agents/commands/review.md"],
      ["/user:review", "user", "~/.claude/commands/review.md"],
      ["/skill:review", "skill", "review"],
    ],
  );
  const [{ description, argument_hint, arguments: specs }] = body.commands;
  assert.deepEqual(
    [description, argument_hint, specs],
    ["Reads code", "<path>", [{ name: "path", type: "path", required: true }]],
  );
  assert.deepEqual(body.collisions, [
    { name: "review", taken: "project:review", shadowed: ["user:review", "skill:review"] },
  ]);
  assert.equal(body.findings.length, 1);
  const all = (await get("/v1/commands")).body.commands.map(({ id }: Row) => id);
  assert.ok(all.includes("/compact") && all.includes("/search"));
});

test("mentions are files, folders, skills and what the editor shows", async (t) => {
  const { serve } = await surfacesIn(t, FILES);
  const { get } = await serve();
  const { body } = await get("/v1/mentions?q=review");
  assert.equal(MentionsAnswer.safeParse(body).success, true);
  assert.deepEqual(
    body.mentions.map(({ kind, insert }: Row) => [kind, insert]),
    [
      ["skill", "@skill:review"],
      ["directory", "@.agents/skills/review/"],
      ["file", "@src/review.ts"],
      ["file", "@.agents/commands/review.md"],
      ["file", "@.agents/skills/review/SKILL.md"],
    ],
  );
  const few = await get("/v1/mentions?limit=2");
  assert.deepEqual(
    few.body.mentions.map(({ insert }: Row) => insert),
    ["@selection", "@src/"],
  );
});

test("a query that does not fit is refused with its place", async (t) => {
  const { serve } = await surfacesIn(t);
  const { get } = await serve();
  for (const [path, issue] of [
    ["/v1/mentions?limit=0", /^query\.limit: a number from 1 to 200$/],
    ["/v1/mentions?limit=201", /^query\.limit: /],
    ["/v1/mentions?what=1", /^query: Unrecognized key/],
    ["/v1/commands?limit=1", /^query: Unrecognized key/],
  ] as const) {
    const { status, body } = await get(path);
    assert.deepEqual([status, body.code], [422, "http.bad_shape"]);
    assert.match(body.issues[0], issue);
  }
});

test("galley commands lists them, and tells what is odd beside the list", async (t) => {
  const { galley } = await surfacesIn(t, FILES, USER_FILES);
  const { code, stdout, stderr } = await galley(["commands", "rev"]);
  assert.equal(code, 0);
  assert.equal(
    stdout,
    [
      "command         from                          does",
      "/review <path>  .agents/commands/review.md    Reads code",
      "/user:review    ~/.claude/commands/review.md  Mine",
      "/skill:review   skill                         A skill",
      "",
    ].join("\n"),
  );
  assert.match(stderr, /^galley: warning: \.gemini\/commands\/broken\.toml:1: not TOML: /);
  assert.match(
    stderr,
    /\ngalley: note: \/review is project:review; it hides user:review, skill:review\n$/,
  );
  const data = JSON.parse((await galley(["commands", "--json"])).stdout);
  assert.deepEqual(Object.keys(data), ["commands", "collisions", "findings"]);
});

test("parts of a draft stand in the draft, each in its own shape", async (t) => {
  const { serve } = await surfacesIn(t);
  const { post } = await serve();
  for (const body of [
    { draft: { parts: [{ type: "typed" }] } },
    { draft: { parts: [{ type: "pasted-entity", id: "" }] } },
    { parts: [{ type: "typed", text: "x" }] },
    { text: "x", editor_context: [{ kind: "k" }] },
    { draft: { parts: [] } },
  ]) {
    const { status, body: problem } = await post("/v1/compose", body);
    assert.deepEqual([status, problem.code], [422, "http.bad_shape"], JSON.stringify(body));
  }
});

test("a query is described in the published description", async (t) => {
  const { serve } = await surfacesIn(t);
  const { body } = await (await serve()).get("/openapi.json");
  const namesIn = (path: string, method: string) =>
    body.paths[path][method].parameters.map((each: { name: string; in: string }) => [
      each.name,
      each.in,
    ]);
  assert.deepEqual(namesIn("/v1/mentions", "get"), [
    ["q", "query"],
    ["limit", "query"],
  ]);
  assert.deepEqual(namesIn("/v1/commands", "get"), [["q", "query"]]);
  assert.deepEqual(namesIn("/v1/compose", "post"), [["explain", "query"]]);
  assert.ok(body.paths["/v1/mentions"].get.responses["422"]);
});
