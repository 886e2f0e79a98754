/** Who may run commands and reach the web, through the box that a host has. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { SessionRow } from "@galley/parts";
import { openSqliteStore } from "@galley/persist";
import type { Permit, ToolOutput } from "@galley/turn";
import type { ToolSettings } from "../config/tool-settings.ts";
import { findSandbox, type SandboxSearch } from "../sandbox/find-sandbox.ts";
import { plainShell } from "../sandbox/plain-shell.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { NO_BASH_SETTINGS } from "./bash-settings.ts";
import type { PermissionRule } from "./permission.ts";
import { createToolBox, type ToolBoxInput } from "./toolbox.ts";

const INSIDE: SandboxSearch = { ok: true, sandbox: { ...plainShell, isContained: true } };

const settings = (over: Partial<ToolSettings> = {}): ToolSettings => ({
  rules: [],
  restraints: [],
  bash: NO_BASH_SETTINGS,
  search: undefined,
  notes: [],
  ...over,
});

const rule = (
  permission: string,
  pattern: string,
  action: PermissionRule["action"],
  source: PermissionRule["source"],
): PermissionRule => ({ permission, pattern, action, source });

async function boxWith(
  t: TestContext,
  given: Partial<ToolBoxInput> = {},
  ofSession: object[] = [],
) {
  const root = await tempFolder(t, { a: "old" });
  const home = await tempFolder(t);
  const store = await openSqliteStore({ path: ":memory:" });
  t.after(() => store.close());
  const made = await store.sessions.create({
    id: "ses_1",
    agent: "default",
    workspace_root: root,
    at: 1,
  });
  const session: SessionRow = { ...made, permissions_json: JSON.stringify(ofSession) };
  const box = createToolBox({ store, home, findSandbox: async () => INSIDE, ...given });
  const find = async (name: string) => {
    const tool = (await box.open(session)).find(({ definition }) => definition.name === name);
    assert.ok(tool, name);
    return tool;
  };
  return {
    root,
    names: async () => (await box.open(session)).map(({ definition }) => definition.name),
    permit: async (name: string, input: unknown): Promise<Permit> =>
      box.permit({ session, tool: await find(name), tool_call_id: "c", input }),
    run: async (name: string, input: unknown): Promise<ToolOutput> =>
      (await find(name)).run(input, {
        session,
        message_id: "msg_1",
        tool_call_id: "c",
        signal: new AbortController().signal,
      }),
  };
}

const PAGE = { url: "https://a.example.com/x" };
const MAKE = { command: "make all", changes_files: true };

test("a page is asked about by its host, and a rule can let it through", async (t) => {
  const rules = [rule("web_fetch", "*.example.com", "allow", "user")];
  assert.deepEqual(await (await boxWith(t)).permit("web_fetch", PAGE), { action: "ask" });
  const open = await boxWith(t, { settings: settings({ rules }) });
  assert.deepEqual(await open.permit("web_fetch", PAGE), { action: "allow" });
  assert.deepEqual(await open.permit("web_fetch", { url: "https://example.com.evil.test/" }), {
    action: "ask",
  });
});

test("there is a search only where one is configured", async (t) => {
  assert.equal((await (await boxWith(t)).names()).includes("web_search"), false);
  const search = { url: "http://127.0.0.1/?q={query}" };
  const found = await boxWith(t, { settings: settings({ search }), fetch });
  assert.equal((await found.names()).includes("web_search"), true);
  assert.deepEqual(await found.permit("web_search", { query: "a" }), { action: "ask" });
});

test("a rule on commands is held against the line", async (t) => {
  const rules = [rule("bash", "make *", "allow", "user"), rule("bash", "rm *", "deny", "user")];
  const { permit } = await boxWith(t, { settings: settings({ rules }) });
  assert.deepEqual(await permit("bash", MAKE), { action: "allow" });
  const joined = { ...MAKE, command: "make all; curl x | sh" };
  assert.equal((await permit("bash", joined)).action, "ask");
  assert.equal((await permit("bash", { command: "make; rm -r x" })).action, "deny");
});

test("what a person allowed for the session runs again, that line alone", async (t) => {
  const { permit } = await boxWith(t, {}, [rule("bash", "make all", "allow", "session")]);
  assert.deepEqual(await permit("bash", MAKE), { action: "allow" });
  assert.equal((await permit("bash", { ...MAKE, command: "make all x" })).action, "ask");
});

test("where nobody is there, a command that changes files and a page are denied", async (t) => {
  const { permit } = await boxWith(t, { headless: true });
  assert.equal((await permit("bash", MAKE)).action, "deny");
  assert.equal((await permit("web_fetch", PAGE)).action, "deny");
  assert.deepEqual(await permit("bash", { command: "ls" }), { action: "allow" });
  const none: SandboxSearch = { ok: false, reason: "r", mend: "m" };
  const bare = await boxWith(t, { headless: true, findSandbox: async () => none });
  assert.equal((await bare.permit("bash", { command: "ls" })).action, "deny");
});

test("a project that nobody trusts makes it stricter and never looser", async (t) => {
  const rules = [
    rule("read", "secret", "deny", "user"),
    rule("web_fetch", "a.example.com", "allow", "user"),
    rule("write", "a", "allow", "user"),
  ];
  const restraints = [
    rule("read", "secret", "ask", "project"),
    rule("web_fetch", "*", "deny", "project"),
    rule("write", "*", "ask", "project"),
  ];
  const given = { settings: settings({ rules, restraints }) };
  const { permit } = await boxWith(t, given);
  assert.equal((await permit("read", { path: "secret" })).action, "deny");
  assert.equal((await permit("web_fetch", PAGE)).action, "deny");
  const write = { path: "a", content: "" };
  assert.equal((await permit("write", write)).action, "ask");
  assert.equal((await permit("read", { path: "a" })).action, "allow");
  const allowed = await boxWith(t, given, [rule("write", "a", "allow", "session")]);
  assert.equal((await allowed.permit("write", write)).action, "allow");
});

test("an embedder's word counts before the rules, but for what an agent is denied", async (t) => {
  const asked: string[] = [];
  const given: Partial<ToolBoxInput> = {
    rules: [rule("write", "*", "deny", "manifest")],
    settings: settings({ rules: [rule("read", "*", "deny", "user")] }),
    beforeTool: ({ tool }) => {
      asked.push(tool.definition.name);
      return tool.definition.name === "glob" ? undefined : { action: "allow" };
    },
  };
  const { permit } = await boxWith(t, given);
  assert.deepEqual(await permit("read", { path: "a" }), { action: "allow" });
  assert.equal((await permit("write", { path: "a", content: "" })).action, "deny");
  assert.deepEqual(await permit("glob", { pattern: "*" }), { action: "allow" });
  assert.deepEqual(asked, ["read", "glob"]);
  const headless = await boxWith(t, {
    headless: true,
    beforeTool: async () => ({ action: "ask" }),
  });
  assert.equal((await headless.permit("read", { path: "a" })).action, "deny");
});

const found = await findSandbox();

test("who may not write does not write through a command, whoever let it run", {
  skip: found.ok ? false : `no sandbox here: ${found.reason}`,
}, async (t) => {
  const { run, root } = await boxWith(t, {
    findSandbox,
    rules: [rule("write", "*", "deny", "manifest")],
    beforeTool: () => ({ action: "allow" }),
  });
  for (const changes_files of [false, true]) {
    const output = await run("bash", { command: "echo new > a; cat a", changes_files });
    assert.match(JSON.stringify(output), changes_files ? /may not change files/ : /Read-only/);
  }
  assert.equal(await readFile(join(root, "a"), "utf8"), "old");
});
