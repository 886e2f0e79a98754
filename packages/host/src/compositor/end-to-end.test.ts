/** One message with everything in it, through the command line and over HTTP, to four providers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { surfacesIn } from "./test-surfaces.ts";

const FILES = {
  "src/a.ts": Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join(""),
  ".agents/commands/review.md": "Review $1 as $2, galley.",
  ".claude/commands/one.md": "Second word: $1, claude.",
  ".opencode/command/two.md": "All: $ARGUMENTS, opencode.",
  ".gemini/commands/three.toml": 'prompt = "Args: {{args}}, gemini."',
  ".pi/prompts/four.md": "From the second: ${@:2}, pi.",
  ".agents/skills/svg/SKILL.md": "---\nname: svg-kit\ndescription: Draws icons\n---\nbody",
};

const TEXT = `/foo bar
mail me@example.com about @src/a.ts:10-12 and @skill:svg-kit, see @selection.
/review x.ts critical
/one alpha beta
/two gamma delta
/three epsilon
/four zeta eta
/svg-kit a cat`;

const SAMPLE = { kind: "selection", payload: { text: "chosen words" }, emitted_at: 5 };

type Part = Record<string, unknown> & { readonly type: string };

/** What a person sees of a part: what it is and what it was typed as. */
const sketch = ({ type, text, literal, outcome }: Part) =>
  [type, outcome, literal ?? text].filter((each) => each !== undefined);

const SKETCH = [
  ["command", "pass-through", "/foo bar"],
  ["text", "\nmail me@example.com about "],
  ["file-ref", "@src/a.ts:10-12"],
  ["text", " and "],
  ["mention", "@skill:svg-kit"],
  ["text", ", see "],
  ["editor-context", "@selection"],
  ["text", ".\n"],
  ["command", "expanded", "/review x.ts critical"],
  ["text", "\n"],
  ["command", "expanded", "/one alpha beta"],
  ["text", "\n"],
  ["command", "expanded", "/two gamma delta"],
  ["text", "\n"],
  ["command", "expanded", "/three epsilon"],
  ["text", "\n"],
  ["command", "expanded", "/four zeta eta"],
  ["text", "\n"],
  ["command", "expanded", "/svg-kit a cat"],
];

/** In the order in which the model must read them. */
const READ = [
  "/foo bar",
  "me@example.com",
  "line 10",
  "line 12",
  "chosen words",
  "Review x.ts as critical, galley.",
  "Second word: beta, claude.",
  "All: gamma delta, opencode.",
  "Args: epsilon, gemini.",
  "From the second: eta, pi.",
  "a cat",
];

const GONE = [
  "@src/a.ts",
  "@skill",
  "@selection",
  "/review",
  "/one ",
  "/two",
  "/three",
  "/four",
  "/svg-kit",
  "line 9",
  "line 13",
  "alpha",
];

function checkBody(body: string, provider: string): void {
  let at = -1;
  for (const words of READ) {
    const next = body.indexOf(words, at + 1);
    assert.ok(next > at, `${provider}: ${words} comes in its place`);
    at = next;
  }
  for (const literal of GONE) assert.ok(!body.includes(literal), `${provider}: no ${literal}`);
}

const PROVIDERS = ["anthropic", "openai", "openai-chat", "gemini"];

test("the command line composes it, and proofs it for all four providers", async (t) => {
  const { galley } = await surfacesIn(t, FILES);
  const composed = await galley(["compose", TEXT, "--editor-context", JSON.stringify(SAMPLE)]);
  assert.equal(composed.code, 0);
  assert.equal(
    composed.stderr,
    "galley: note: /foo is not a command here: it is sent as it was typed\n",
  );
  const message = JSON.parse(composed.stdout);
  assert.deepEqual(message.parts.map(sketch), SKETCH);
  assert.deepEqual(message.metadata, { unresolved_command: "/foo", schema_version: 1 });
  const stored = await galley(["proof", "--stage", "persisted"], composed.stdout);
  assert.deepEqual(JSON.parse(stored.stdout), message);
  const { stdout } = await galley(["proof", "--all"], composed.stdout);
  const proofs = JSON.parse(stdout);
  assert.deepEqual(
    proofs.map(({ provider }: { provider: string }) => provider),
    PROVIDERS,
  );
  for (const { provider, request } of proofs) checkBody(JSON.stringify(request.body), provider);
});

test("over HTTP it is the same message, and the same bodies", async (t) => {
  const { serve } = await surfacesIn(t, FILES);
  const { post } = await serve();
  const words = { text: TEXT, editor_context: [SAMPLE] };
  const { body: message } = await post("/v1/compose", words);
  assert.deepEqual(message.parts.map(sketch), SKETCH);
  const { body: stored } = await post("/v1/proof", { ...words, stage: "persisted" });
  assert.deepEqual(stored, message);
  const { body: proofs } = await post("/v1/proof", { ...words, all: true });
  assert.equal(proofs.length, 4);
  for (const { provider, body_text, notes } of proofs) {
    checkBody(body_text, provider);
    assert.deepEqual(
      notes.map(({ code }: { code: string }) => code),
      ["unknown-command"],
    );
  }
});

test("the persisted command holds what was typed, its words and what the model reads", async (t) => {
  const { galley } = await surfacesIn(t, FILES);
  const { stdout } = await galley(["proof", "--stage", "persisted", "--text", "/review a 'b c'"]);
  assert.deepEqual(JSON.parse(stdout).parts, [
    {
      type: "command",
      id: "/review",
      args: { raw: "a 'b c'", argv: ["a", "b c"] },
      outcome: "expanded",
      expansion: [{ type: "text", text: "Review a as b c, galley." }],
      source: "project:review",
      literal: "/review a 'b c'",
    },
  ]);
});

test("a draft mixes what was typed, what was pasted and parts, in their order", async (t) => {
  const { serve } = await surfacesIn(t, FILES);
  const { post } = await serve();
  const attachment = { type: "file-attachment", name: "n", mime: "text/plain", data: "eA==" };
  const parts = [
    { type: "typed", text: "see @src/a.ts:1 and " },
    { type: "pasted", text: "@src/a.ts /review" },
    attachment,
    { type: "pasted-entity", id: "node-1", source: "canvas", emitted_at: 3 },
    { type: "command", id: "/review", args: { argv: ["p", "q"] } },
    { type: "typed", text: "end" },
  ];
  const { body } = await post("/v1/compose", { draft: { id: "msg_1", parts } });
  assert.equal(body.id, "msg_1");
  assert.deepEqual(body.parts.map(sketch), [
    ["text", "see "],
    ["file-ref", "@src/a.ts:1"],
    ["text", " and "],
    ["text", "@src/a.ts /review"],
    ["file-attachment"],
    ["editor-context"],
    ["command", "expanded"],
    ["text", "end"],
  ]);
  assert.deepEqual(body.parts[6].expansion, [{ type: "text", text: "Review p as q, galley." }]);
});

test("what no token names goes along at the end, and what one names stands there alone", async (t) => {
  const { galley } = await surfacesIn(t);
  const contexts = [SAMPLE, { kind: "last-action", payload: { did: "undo" }, emitted_at: 6 }];
  const flags = ["--editor-context", JSON.stringify(contexts)];
  const partsOf = async (text: string) =>
    JSON.parse((await galley(["compose", text, ...flags])).stdout).parts.map(
      ({ type, kind, literal, origin }: Part) => [type, kind, literal, origin],
    );
  const [chosen, last] = [
    ["editor-context", "selection"],
    ["editor-context", "last-action"],
  ];
  const text = ["text", undefined, undefined, undefined];
  assert.deepEqual(await partsOf("why? @selection"), [
    text,
    [...(chosen ?? []), "@selection", "mention"],
    [...(last ?? []), undefined, "explicit"],
  ]);
  assert.deepEqual(await partsOf("@last why? \\@selection"), [
    [...(last ?? []), "@last", "mention"],
    ["text", undefined, " why? \\@selection", undefined],
    [...(chosen ?? []), undefined, "explicit"],
  ]);
  const bare = await galley(["compose", ...flags]);
  assert.equal(JSON.parse(bare.stdout).parts.length, 2);
});

test("plain text stays as it is, and says so to whoever opens the message again", async (t) => {
  const { galley, serve } = await surfacesIn(t, FILES);
  const words = "/review @src/a.ts";
  const plain = {
    role: "user",
    metadata: { verbatim_parts: [0], schema_version: 1 },
    parts: [{ type: "text", text: words }],
  };
  const { stdout, stderr } = await galley(["compose", "--plain", words]);
  assert.deepEqual([JSON.parse(stdout), stderr], [plain, ""]);
  const { post } = await serve();
  assert.deepEqual((await post("/v1/compose", { text: words, plain: true })).body, plain);
  const proof = await galley(["proof", "--plain", "--stage", "composed", "--text", words]);
  assert.deepEqual(JSON.parse(proof.stdout), plain);
});
