import assert from "node:assert/strict";
import { test } from "node:test";
import { decidingRule, type PermissionRule, sessionRules } from "./permission.ts";

const rule = (
  permission: string,
  pattern: string,
  action: PermissionRule["action"],
  source: PermissionRule["source"] = "project",
): PermissionRule => ({ permission, pattern, action, source });
const action = (rules: readonly PermissionRule[], subject: string, others: string[] = []) =>
  decidingRule(rules, { tool: "write", subject, others })?.action;

test("a rule for the tool goes before one for any tool", () => {
  assert.equal(
    action([rule("*", "src/a.ts", "allow"), rule("write", "*", "ask")], "src/a.ts"),
    "ask",
  );
});

test("the longer beginning that is spelled out goes first", () => {
  const rules = [rule("write", "src/**", "allow"), rule("write", "src/secret/**", "deny")];
  assert.equal(action(rules, "src/a.ts"), "allow");
  assert.equal(action(rules, "src/secret/a.ts"), "deny");
  assert.equal(action(rules, "lib/a.ts"), undefined);
});

test("a session goes before the project, and the stricter of equals goes first", () => {
  assert.equal(
    action([rule("write", "a", "deny"), rule("write", "a", "allow", "session")], "a"),
    "allow",
  );
  assert.equal(action([rule("write", "a", "allow"), rule("write", "a", "ask")], "a"), "ask");
});

test("what an agent's profile denies, no session allows", () => {
  const rules = [rule("*", "*", "deny", "manifest"), rule("write", "a", "allow", "session")];
  assert.equal(action(rules, "a"), "deny");
});

test("a session allows exactly what somebody saw, whatever stars are in its name", () => {
  assert.equal(action([rule("write", "src/*", "allow", "session")], "src/a"), undefined);
  assert.equal(action([rule("write", "src/*", "allow", "session")], "src/*"), "allow");
  assert.equal(action([rule("write", "*", "allow", "session")], "a"), undefined);
  const bare = { tool: "todo", subject: undefined };
  assert.equal(decidingRule([rule("todo", "*", "allow", "session")], bare)?.action, "allow");
});

test("a thing is denied by any of its names and allowed by all of them", () => {
  const rules = [rule("write", "src/**", "allow"), rule("write", "secret/**", "deny")];
  assert.equal(action(rules, "src/link", ["src/link", "secret/a"]), "deny");
  assert.equal(action([rule("write", "src/**", "allow")], "src/link", ["lib/a"]), undefined);
});

test("rules that cannot be read make every call a question", () => {
  for (const text of ["{", "{}", '[{"permission":1}]']) {
    assert.deepEqual(
      sessionRules(text).map((each) => each.action),
      ["ask"],
    );
  }
  assert.deepEqual(sessionRules("[]"), []);
});

test("leave that came with a file is no leave; what the file denies stays denied", () => {
  const rules = [
    { ...rule("write", "a", "allow", "session"), imported: true },
    { ...rule("write", "**", "allow", "user"), imported: true },
    { ...rule("write", "b", "deny", "user"), imported: true },
    rule("write", "c", "allow", "session"),
  ];
  const read = sessionRules(JSON.stringify(rules));
  assert.deepEqual(
    ["a", "b", "c", "d"].map((name) => action(read, name)),
    [undefined, "deny", "allow", undefined],
  );
});
