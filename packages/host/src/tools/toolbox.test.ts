import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { ContextMessage, UserContext } from "@galley/assemble";
import { REACH_TOOLS } from "@galley/compose";
import type { SessionRow, UserPart } from "@galley/parts";
import { openSqliteStore, type Store } from "@galley/persist";
import type { Permit, Tool } from "@galley/turn";
import { matchGolden } from "../../../../scripts/golden.ts";
import { type Files, tempFolder } from "../testing/temp-folder.ts";
import type { PermissionRule } from "./permission.ts";
import { createToolBox, type HostToolBox } from "./toolbox.ts";

type Given = {
  readonly headless?: boolean;
  readonly rules?: readonly PermissionRule[];
  readonly files?: Files;
};
type Box = { box: HostToolBox; session: SessionRow; store: Store; root: string };

async function boxIn(t: Parameters<typeof tempFolder>[0], given: Given = {}): Promise<Box> {
  const { files, ...rest } = given;
  const root = await tempFolder(t, files);
  const home = await tempFolder(t);
  const store = await openSqliteStore({ path: ":memory:" });
  t.after(() => store.close());
  const session = await store.sessions.create({
    id: "ses_1",
    agent: "default",
    workspace_root: root,
    at: 1,
  });
  const subagents = { run: nobody, parentOf: async () => undefined };
  return { box: createToolBox({ store, home, subagents, ...rest }), session, store, root };
}

const nobody = async (): Promise<never> => {
  throw new Error("no subagent runs here");
};

const GOLDEN = fileURLToPath(new URL("./goldens/definitions.json", import.meta.url));

test("the definitions are what was agreed to, in their order", async (t) => {
  const { box, session } = await boxIn(t);
  const definitions = (await box.open(session)).map(({ definition }) => definition);
  matchGolden(GOLDEN, `${JSON.stringify(definitions, null, 2)}\n`);
});

test("no definition takes an unknown field, at any depth, and every field says what it is", async (t) => {
  const { box, session } = await boxIn(t);
  const loose: string[] = [];
  const look = (schema: Record<string, unknown>, place: string): void => {
    if (schema.type === "object" && schema.additionalProperties !== false) loose.push(place);
    const fields = (schema.properties ?? {}) as Record<string, Record<string, unknown>>;
    for (const [name, field] of Object.entries(fields)) {
      if (field.description === undefined && field.enum === undefined)
        loose.push(`${place}.${name}`);
      look(field, `${place}.${name}`);
    }
    if (schema.items) look(schema.items as Record<string, unknown>, `${place}[]`);
  };
  for (const { definition } of await box.open(session)) {
    look(definition.input_schema, definition.name);
  }
  assert.deepEqual(loose, []);
});

test("every tool that a descriptor names is here", async (t) => {
  const { box, session } = await boxIn(t);
  const names = (await box.open(session)).map(({ definition }) => definition.name);
  assert.deepEqual(
    REACH_TOOLS.filter((name) => !names.includes(name)),
    [],
  );
});

const foreign: Tool = {
  definition: { name: "shoot", description: "", input_schema: { type: "object" } },
  run: async () => ({ type: "output", data: null }),
};

async function permits({ box, session }: Box, tool: string, input: unknown = {}): Promise<Permit> {
  const all = await box.open(session);
  const found = all.find(({ definition }) => definition.name === tool) ?? foreign;
  return box.permit({ session, tool: found, tool_call_id: "c", input });
}

test("what reads is allowed, and what nobody knows is asked about", async (t) => {
  const box = await boxIn(t);
  assert.deepEqual(await permits(box, "read", { path: "a" }), { action: "allow" });
  assert.deepEqual(await permits(box, "question"), { action: "allow" });
  assert.deepEqual(await permits(box, "shoot"), { action: "ask" });
  const alike = { ...foreign, definition: { ...foreign.definition, name: "read" } };
  const request = { session: box.session, tool: alike, tool_call_id: "c", input: {} };
  assert.deepEqual(await box.box.permit(request), { action: "ask" });
});

test("where nobody is there, asking is denying and a question has no answer", async (t) => {
  const box = await boxIn(t, { headless: true });
  assert.deepEqual(await permits(box, "read", { path: "a" }), { action: "allow" });
  assert.deepEqual(await permits(box, "shoot"), {
    action: "deny",
    reason: "shoot needs somebody's leave, and nobody is there to ask",
  });
  assert.match(JSON.stringify(await permits(box, "question")), /there is nobody to answer/);
});

test("a rule on a path holds however the path is spelled, and through a link", async (t) => {
  const rules: PermissionRule[] = [
    { permission: "read", pattern: "secret/**", action: "deny", source: "project" },
  ];
  const box = await boxIn(t, { rules, files: { "secret/a": "s", b: "b" } });
  await symlink("secret/a", join(box.root, "link"));
  const denied = { action: "deny", reason: "a rule does not allow read here" };
  const ways = ["secret/a", "./secret/a", "x/../secret/a", join(box.root, "secret/a"), "link"];
  for (const path of ways) assert.deepEqual(await permits(box, "read", { path }), denied, path);
  assert.deepEqual(await permits(box, "read", { path: "b" }), { action: "allow" });
});

test("what a session was allowed once for all is allowed again", async (t) => {
  const box = await boxIn(t);
  const rule = { permission: "shoot", pattern: "*", action: "allow", source: "session" };
  const session = { ...box.session, permissions_json: JSON.stringify([rule]) };
  const request = { session, tool: foreign, tool_call_id: "c", input: {} };
  assert.deepEqual(await box.box.permit(request), { action: "allow" });
});

const skillFile = (name: string): string => `---\nname: ${name}\n---\nthe body of ${name}`;
const SKILLS: Files = {
  ".agents/skills/a/SKILL.md": skillFile("a"),
  ".agents/skills/b/SKILL.md": skillFile("b"),
};
const mention = (name: string) =>
  ({ type: "mention", target: { kind: "skill", name } }) satisfies UserPart;
const said = (...parts: UserPart[]): UserContext => ({ role: "user", parts, materials: [] });
const ask = async ({ box, session }: Box, message: UserContext, history: ContextMessage[]) =>
  await box.prelude?.(session, message, history);
const calls = (...names: string[]) => names.map((name) => ({ tool: "skill", input: { name } }));

test("a mentioned skill is called for, each once, also through a command", async (t) => {
  const box = await boxIn(t, { files: SKILLS });
  const command: UserPart = { type: "command", id: "/x", expansion: [mention("b"), mention("a")] };
  const message = said(mention("a"), command, mention("none"), { type: "text", text: "@skill:b" });
  assert.deepEqual(await ask(box, message, [message]), calls("a", "b"));
  assert.deepEqual(await ask(box, said({ type: "text", text: "a" }), []), []);
  assert.equal(await box.box.skillProblem(box.session, "a"), undefined);
  assert.equal(await box.box.skillProblem(box.session, "none"), "there is no such skill");
});

test("a skill whose body the model sees is not called for again; a failed call is no body", async (t) => {
  const box = await boxIn(t, { files: SKILLS });
  const message = said(mention("a"));
  const call = (state: "output-available" | "output-error", output: object): ContextMessage => ({
    role: "assistant",
    parts: [
      {
        type: "tool-skill",
        toolCallId: "c1",
        state,
        input: { name: "a" },
        output: JSON.parse(JSON.stringify(output)),
      },
    ],
  });
  const tool = (await box.box.open(box.session)).find(
    ({ definition }) => definition.name === "skill",
  );
  const output = await tool?.run(
    { name: "a" },
    {
      session: box.session,
      message_id: "msg_1",
      tool_call_id: "c1",
      signal: new AbortController().signal,
    },
  );
  assert.deepEqual(await ask(box, message, [call("output-available", output ?? {})]), []);
  assert.deepEqual(await ask(box, message, [call("output-error", {})]), calls("a"));
  const note = { type: "output", data: "The skill a is already loaded: its text is above." };
  assert.deepEqual(await ask(box, message, [call("output-available", note)]), calls("a"));
  const refused = { type: "error", error_text: "no" };
  assert.deepEqual(await ask(box, message, [call("output-available", refused)]), calls("a"));
});

test("a stored load counts until it is rewound", async (t) => {
  const box = await boxIn(t, { files: SKILLS });
  const { store, session } = box;
  const tool = (await box.box.open(session)).find(({ definition }) => definition.name === "skill");
  const load = async (message_id: string) => {
    const output = await tool?.run(
      { name: "a" },
      { session, message_id, tool_call_id: "c", signal: new AbortController().signal },
    );
    return output?.type === "output" ? output : undefined;
  };
  await store.messages.admit({
    id: "msg_1",
    session_id: "ses_1",
    metadata_json: "{}",
    parts: [{ id: "prt_1", data_json: '{"type":"text","text":"hi"}' }],
    disposition: "fired",
    at: 2,
  });
  const answer = {
    id: "msg_2",
    session_id: "ses_1",
    role: "assistant",
    metadata_json: "{}",
    at: 3,
  };
  await store.messages.begin({ ...answer, role: "assistant" });
  const part = {
    type: "tool-skill",
    toolCallId: "c",
    state: "output-available",
    input: { name: "a" },
    output: await load("msg_2"),
  };
  await store.parts.upsert([
    { id: "prt_2", message_id: "msg_2", index: 0, data_json: JSON.stringify(part), at: 4 },
  ]);
  assert.match(String((await load("msg_9"))?.data), /already loaded/);
  await store.messages.rewind({
    id: "rw",
    session_id: "ses_1",
    to_message_id: "msg_1",
    inclusive: false,
    at: 5,
  });
  assert.match(String((await load("msg_9"))?.data), /the body of a/);
});

test("a change is asked about, but for the session's own scratch folder", async (t) => {
  const box = await boxIn(t);
  for (const tool of ["write", "edit"]) {
    const rest = tool === "write" ? { content: "" } : { old_text: "a", new_text: "b" };
    assert.deepEqual(await permits(box, tool, { path: "a", ...rest }), { action: "ask" });
    assert.deepEqual(await permits(box, tool, { path: "scratch:a", ...rest }), { action: "allow" });
  }
});
