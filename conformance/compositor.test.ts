/**
 * From what is typed to what the model reads, on every provider: the rules of the compositor that
 * span both ends.
 */
import assert from "node:assert/strict";
import {
  BUILTIN_COMMANDS,
  type CommandEntry,
  type Composed,
  type ComposeHost,
  composeMessage,
  createCatalogue,
  literalText,
  promptCommand,
  readCommandFile,
  reopen,
  skillCommand,
} from "@galley/compose";
import { createForme } from "@galley/shape";
import { PROVIDERS } from "./providers.ts";
import { verifies } from "./verifies.ts";

const FILES: Readonly<Record<string, "file" | "directory">> = {
  "src/a.ts": "file",
  src: "directory",
};

const host: ComposeHost = {
  kindOf: async (path) => FILES[path],
  mention: async (kind, value) =>
    kind === "skill" && value === "svg-kit" ? { kind, name: value } : undefined,
  context: async (token) =>
    token === "selection"
      ? [{ type: "editor-context", kind: "selection", payload: { node: "n1" }, emitted_at: 1 }]
      : [],
  act: async () => ({ ok: true }),
  mcpPrompt: async () => ({
    ok: true,
    messages: [{ role: "user", content: { type: "text", text: "From the server." } }],
  }),
};

async function projectCommand(name: string, text: string): Promise<CommandEntry> {
  const path = `.agents/commands/${name}.md`;
  const { entry } = await readCommandFile({ path, text, scope: "project" });
  assert.ok(entry);
  return entry;
}

const catalogue = createCatalogue([
  ...BUILTIN_COMMANDS,
  await projectCommand("review", "Review $1 with care: $ARGUMENTS"),
  promptCommand("docs", { name: "find", arguments: [{ name: "q" }] }),
  skillCommand({ name: "svg-kit", trigger: "/svg" }),
]);

const compose = (text: string): Promise<Composed> =>
  composeMessage({ parts: [{ type: "typed", text }] }, catalogue, host);

async function parts(text: string) {
  const composed = await compose(text);
  assert.ok(composed.ok, composed.ok ? "" : composed.error.message);
  return composed.message.parts;
}

/** Everything the model of a provider would read of a typed text. */
async function bodies(text: string): Promise<string[]> {
  const message = { role: "user", parts: await parts(text), materials: [] } as const;
  return PROVIDERS.map(({ protocol, profile }) => {
    const forme = createForme(protocol, profile);
    forme.append(message);
    const settings = { stream: true, cache: "off" } as const;
    return new TextDecoder().decode(forme.request({ layers: [], tools: [], settings }).body);
  });
}

const outcomes = async (text: string) =>
  (await parts(text)).flatMap((part) => (part.type === "command" ? [[part.id, part.outcome]] : []));

verifies("compositor/commands/resolved-at-submission", "each command has its outcome", async () => {
  assert.deepEqual(await outcomes("/compact\n/review src/a.ts\n/find x\n/svg\nthanks"), [
    ["/compact", "host-action"],
    ["/review", "expanded"],
    ["/find", "expanded"],
    ["/svg", "expanded"],
  ]);
  assert.deepEqual(await outcomes("/search icons"), [["/search", "intent"]]);
  assert.deepEqual(await outcomes("/nobody knows"), [["/nobody", "pass-through"]]);
});

verifies("compositor/commands/never-literal", "no known command reaches a model", async () => {
  const sent = await bodies("/compact now\n/review src/a.ts\n/find x\n/svg\nthanks");
  for (const body of sent) {
    for (const literal of ["/compact", "/review", "/find", "/svg"]) {
      assert.ok(!body.includes(literal), `${literal} in ${body}`);
    }
    assert.match(body, /Review src\/a\.ts with care/);
    assert.match(body, /From the server\./);
  }
});

verifies(
  "compositor/commands/templates",
  "argument text is data and is filled in once",
  async () => {
    const [command] = await parts("/review $ARGUMENTS @src/a.ts /compact");
    assert.equal(command?.type, "command");
    assert.deepEqual(command.expansion, [
      {
        type: "text",
        text: "Review $ARGUMENTS with care: $ARGUMENTS @src/a.ts /compact",
      },
    ]);
  },
);

verifies(
  "compositor/mentions/tokens",
  "a token resolves where it may stand, or is text",
  async () => {
    const text =
      "see @src/a.ts:2-3, @src and @skill:svg-kit with @selection; mail me@src/a.ts, @Component(), /usr/bin, `@src/a.ts`";
    const found = await parts(text);
    assert.deepEqual(
      found.map(({ type }) => type).filter((type) => type !== "text"),
      ["file-ref", "directory-ref", "mention", "editor-context"],
    );
    assert.deepEqual(found.find(({ type }) => type === "file-ref")?.ref, {
      kind: "path",
      path: "src/a.ts",
      range: { start: 2, end: 3 },
    });
    assert.equal(literalText(found), text);
  },
);

verifies(
  "compositor/commands/host-action",
  "a message of host actions alone fires no turn",
  async () => {
    const composed = await compose("/compact");
    assert.ok(composed.ok);
    assert.equal(composed.turn, false);
    assert.equal(composed.actions[0]?.state, "ran");
  },
);

verifies("compositor/drafts/reopen", "an edited message has the parts that it had", async () => {
  const composed = await compose("look at @src/a.ts and /review is text here");
  assert.ok(composed.ok);
  const again = await composeMessage(reopen(composed.message), catalogue, host);
  assert.ok(again.ok);
  assert.deepEqual(again.message.parts, composed.message.parts);
});

verifies(
  "compositor/commands/failure-keeps-draft",
  "a failed action gives the draft back",
  async () => {
    const draft = { parts: [{ type: "typed", text: "/compact" }] } as const;
    const failing = {
      ...host,
      act: async () => ({ ok: false, code: "x", message: "busy" }) as const,
    };
    const composed = await composeMessage(draft, catalogue, failing);
    assert.ok(!composed.ok);
    assert.equal(composed.draft, draft);
    assert.equal(composed.error.code, "compose.action-failed");
  },
);
