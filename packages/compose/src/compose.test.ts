import assert from "node:assert/strict";
import { test } from "node:test";
import type { UserMessage } from "@galley/parts";
import { BUILTIN_COMMANDS } from "./command/builtin.ts";
import { createCatalogue } from "./command/catalogue.ts";
import { composeMessage } from "./compose.ts";
import type { Composed } from "./composed.ts";
import { composePlain, type Draft, type DraftPart } from "./draft.ts";
import type { ComposeHost } from "./host.ts";
import { parseTemplate } from "./template/parse.ts";

const catalogue = createCatalogue([
  ...BUILTIN_COMMANDS,
  {
    name: "review",
    source: { kind: "project", file: "review.md", dialect: "galley" },
    settings: { model: "anthropic/x" },
    deed: { kind: "template", template: parseTemplate("Review $1 as $2.", "galley") },
  },
  {
    name: "git/commit",
    source: { kind: "project", file: "git/commit.md", dialect: "opencode" },
    deed: { kind: "template", template: parseTemplate("Commit.", "opencode") },
  },
]);

const looking: ComposeHost = { kindOf: async (path) => (path === "src/a.ts" ? "file" : undefined) };
const acting: ComposeHost = {
  ...looking,
  act: async ({ action }) => ({ ok: true, result: action }),
};

const typed = (text: string): Draft => ({ parts: [{ type: "typed", text }] });

const compose = (draft: Draft | string, host = acting): Promise<Composed> =>
  composeMessage(typeof draft === "string" ? typed(draft) : draft, catalogue, host);

async function made(draft: Draft | string, host = acting): Promise<Composed & { ok: true }> {
  const composed = await compose(draft, host);
  assert.ok(composed.ok, composed.ok ? "" : composed.error.message);
  return composed;
}

/** Types, with the outcome of commands: the shape of a message at a glance. */
const shapeOf = ({ parts }: UserMessage): string[] =>
  parts.map((part) => (part.type === "command" ? `command ${part.id} ${part.outcome}` : part.type));

test("plain text is one text part, as it was typed", async () => {
  const { message, turn, actions, notes } = await made("hello\n world ");
  assert.deepEqual(message, {
    role: "user",
    metadata: { schema_version: 1 },
    parts: [{ type: "text", text: "hello\n world " }],
  });
  assert.deepEqual([turn, actions, notes], [true, [], []]);
});

test("a template command is expanded, and its literal and arguments stay on record", async () => {
  const { message } = await made('/review src/a.ts "very hard"');
  assert.deepEqual(message.parts, [
    {
      type: "command",
      id: "/review",
      args: { raw: 'src/a.ts "very hard"', argv: ["src/a.ts", "very hard"] },
      outcome: "expanded",
      expansion: [{ type: "text", text: "Review src/a.ts as very hard." }],
      source: "project:review",
      settings: { model: "anthropic/x" },
      literal: '/review src/a.ts "very hard"',
    },
  ]);
});

test("an intent says what is wanted and is marked as one", async () => {
  const { message } = await made("/search icon set");
  const [part] = message.parts;
  assert.equal(part?.outcome, "intent");
  assert.equal(part?.intent, "search");
  assert.deepEqual(part?.expansion, [{ type: "text", text: "Search for: icon set" }]);
});

test("host actions run in order, leave nothing for the model and start no turn", async () => {
  const ran: string[] = [];
  const host: ComposeHost = {
    ...looking,
    act: async ({ action, args }) => {
      ran.push(`${action} ${args.raw}`);
      return { ok: true };
    },
  };
  const { message, turn, actions } = await made("/compact keep names\n\n/rename A B", host);
  assert.deepEqual(ran, ["compact keep names", "rename A B"]);
  assert.deepEqual(shapeOf(message), [
    "command /compact host-action",
    "text",
    "command /rename host-action",
  ]);
  assert.equal(turn, false);
  assert.equal(message.metadata?.turn, false);
  assert.deepEqual(
    actions.map(({ part, state }) => [part, state]),
    [
      [0, "ran"],
      [2, "ran"],
    ],
  );
});

test("words beside a host action start a turn", async () => {
  const { message, turn } = await made("/compact\nthen go on");
  assert.equal(turn, true);
  assert.equal(message.metadata?.turn, undefined);
});

test("an action's result is on its part, and what it shows the model is its expansion", async () => {
  const showing: ComposeHost = {
    ...looking,
    act: async () => ({ ok: true, result: { rows: 3 }, parts: [{ type: "text", text: "three" }] }),
  };
  const { message, turn } = await made("/context", showing);
  const [part] = message.parts;
  assert.equal(part?.outcome, "expanded");
  assert.deepEqual(part?.result, { rows: 3 });
  assert.deepEqual(part?.expansion, [{ type: "text", text: "three" }]);
  assert.equal(turn, true);
});

test("an action that a busy host puts off is recorded as such", async () => {
  const busy: ComposeHost = {
    ...looking,
    act: async ({ needsIdle }) => ({ ok: true, deferred: needsIdle }),
  };
  const { message, actions } = await made("/compact\n/context", busy);
  assert.deepEqual(
    actions.map(({ state }) => state),
    ["deferred", "ran"],
  );
  assert.equal(message.parts[0]?.deferred, true);
});

test("a host that only looks runs nothing and says so", async () => {
  const { actions, notes, turn } = await made("/compact", looking);
  assert.deepEqual([actions[0]?.state, turn], ["not-run", false]);
  assert.deepEqual(notes, [
    { code: "action-not-run", message: "/compact was not run here", part: 0 },
  ]);
});

const failures: readonly (readonly [string, ComposeHost["act"]])[] = [
  ["refuses", async () => ({ ok: false, code: "busy", message: "it is running" })],
  ["throws", async () => Promise.reject(new Error("it is running"))],
];

for (const [how, act] of failures) {
  test(`when an action ${how} the draft is kept and no turn starts`, async () => {
    const draft = typed("/context\n/archive\n/help");
    const failing: ComposeHost = {
      ...looking,
      act: async (call, plan) =>
        call.action === "archive" && act ? act(call, plan) : { ok: true, result: call.action },
    };
    const composed = await compose(draft, failing);
    assert.ok(!composed.ok);
    assert.equal(composed.draft, draft);
    assert.equal(composed.error.code, "compose.action-failed");
    assert.equal(
      composed.error.message,
      "/archive failed: it is running (done before it, and not undone: /context)",
    );
    const { done } = composed.error.data as { done: { action: string }[] };
    assert.deepEqual(
      done.map(({ action }) => action),
      ["context"],
    );
  });
}

test("an action is told of all others, and may name the one that is at fault", async () => {
  const plans: unknown[] = [];
  const host: ComposeHost = {
    ...looking,
    act: async ({ id }, { calls, place, alone }) => {
      plans.push([id, calls.map((call) => call.id), place, alone]);
      const [, last] = calls;
      if (place === 0) return { ok: true };
      return { ok: false, code: "busy", message: "not now", ...(last && { call: last }) };
    },
  };
  const alone = await compose("/context\n/help\n/compact", host);
  assert.ok(!alone.ok);
  assert.equal((alone.error.data as { command: string }).command, "/help");
  await compose("/context\nand words", host);
  assert.deepEqual(plans, [
    ["/context", ["/context", "/help", "/compact"], 0, true],
    ["/help", ["/context", "/help", "/compact"], 1, true],
    ["/context", ["/context"], 0, false],
  ]);
});

test("a wrong argument further down is found before any action runs", async () => {
  let ran = 0;
  const host: ComposeHost = {
    ...looking,
    act: async () => {
      ran += 1;
      return { ok: true };
    },
  };
  const composed = await compose("/compact\n/rename", host);
  assert.ok(!composed.ok);
  assert.equal(composed.error.message, "/rename: title is missing (usage: /rename <title>)");
  assert.equal(ran, 0);
});

test("an empty draft is refused", async () => {
  const composed = await compose({ parts: [{ type: "typed", text: "" }] });
  assert.ok(!composed.ok);
  assert.equal(composed.error.code, "compose.empty");
});

test("typed text and parts mix, in order, and parts are handed on as they came", async () => {
  const given: DraftPart[] = [
    { type: "typed", text: "see @src/a.ts and " },
    { type: "file-attachment", name: "x.png", mime: "image/png", data: "AAAA", mine: true },
    { type: "text", text: "/compact @src/a.ts" },
    { type: "typed", text: "\n/review a b" },
    { type: "from-elsewhere", any: [1] },
  ];
  const { message } = await made({ parts: given });
  assert.deepEqual(shapeOf(message), [
    "text",
    "file-ref",
    "text",
    "file-attachment",
    "text",
    "text",
    "command /review expanded",
    "from-elsewhere",
  ]);
  assert.deepEqual(message.parts[3], given[1]);
  assert.deepEqual(message.parts[4], given[2]);
  assert.deepEqual(message.parts[7], given[4]);
});

test("a command that comes as a part is settled like one that was typed", async () => {
  const { message } = await made({
    parts: [{ type: "command", id: "/search", args: { query: "icon set" }, chip: 7 }],
  });
  assert.deepEqual(message.parts[0], {
    type: "command",
    id: "/search",
    args: {
      query: "icon set",
      raw: "icon set",
      argv: ["icon", "set"],
      named: { query: "icon set" },
    },
    outcome: "intent",
    expansion: [{ type: "text", text: "Search for: icon set" }],
    source: "builtin:search",
    intent: "search",
    chip: 7,
  });
});

test("a command that is settled already is left alone", async () => {
  const part = { type: "command", id: "/compact", outcome: "host-action" } as const;
  const { message, actions } = await made({ parts: [part] });
  assert.deepEqual(message.parts, [part]);
  assert.deepEqual(actions, []);
});

test("the id and the metadata of a draft are those of its message", async () => {
  const { message } = await made({ ...typed("hi"), id: "msg_1", metadata: { agent: "a" } });
  assert.equal(message.id, "msg_1");
  assert.deepEqual(message.metadata, { schema_version: 1, agent: "a" });
});

test("composing plainly looks for nothing", () => {
  const { parts } = composePlain({
    parts: [
      { type: "typed", text: "/compact @src/a.ts" },
      { type: "typed", text: "" },
    ],
  });
  assert.deepEqual(parts, [{ type: "text", text: "/compact @src/a.ts" }]);
});
