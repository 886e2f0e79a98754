import assert from "node:assert/strict";
import { test } from "node:test";
import type { Permit } from "@galley/turn";
import type { SandboxSearch } from "../sandbox/find-sandbox.ts";
import { plainShell } from "../sandbox/plain-shell.ts";
import { bashPermit } from "./bash-permit.ts";
import type { PermissionRule } from "./permission.ts";

const INSIDE: SandboxSearch = { ok: true, sandbox: { ...plainShell, isContained: true } };
const OUTSIDE: SandboxSearch = { ok: false, reason: "not installed", mend: "install it" };
const LOOKS = { command: "ls" };
const CHANGES = { command: "make", changes_files: true };
const deny = (permission: string, pattern = "*"): PermissionRule => ({
  permission,
  pattern,
  action: "deny",
  source: "manifest",
});

type Case = readonly [
  string,
  object,
  Permit["action"] | undefined,
  readonly PermissionRule[],
  SandboxSearch,
  Permit["action"],
];

const CASES: readonly Case[] = [
  ["in a sandbox, what changes nothing may run", LOOKS, undefined, [], INSIDE, "allow"],
  ["in a sandbox, what changes files is asked about", CHANGES, undefined, [], INSIDE, "ask"],
  ["in a sandbox, a rule lets it change files", CHANGES, "allow", [], INSIDE, "allow"],
  ["in a sandbox, a rule can ask about everything", LOOKS, "ask", [], INSIDE, "ask"],
  ["a denied command does not run", LOOKS, "deny", [], INSIDE, "deny"],
  [
    "who may not write changes nothing by a command",
    CHANGES,
    "allow",
    [deny("write")],
    INSIDE,
    "deny",
  ],
  [
    "who may not edit changes nothing by a command",
    CHANGES,
    "allow",
    [deny("edit", "a")],
    INSIDE,
    "deny",
  ],
  ["who may not write may still look", LOOKS, undefined, [deny("write")], INSIDE, "allow"],
  ["who may not read runs no command", LOOKS, "allow", [deny("read")], INSIDE, "deny"],
  [
    "who may not read some files runs commands without them",
    LOOKS,
    undefined,
    [deny("read", "x/**")],
    INSIDE,
    "allow",
  ],
  ["without a sandbox, every command is asked about", LOOKS, undefined, [], OUTSIDE, "ask"],
  ["without a sandbox, a rule lets one run", CHANGES, "allow", [], OUTSIDE, "allow"],
  [
    "without a sandbox, who may not write runs none",
    LOOKS,
    "allow",
    [deny("write")],
    OUTSIDE,
    "deny",
  ],
  [
    "without a sandbox, who may not read something runs none",
    LOOKS,
    "allow",
    [deny("read", "x")],
    OUTSIDE,
    "deny",
  ],
  [
    "without a sandbox, who may not fetch runs none",
    LOOKS,
    "allow",
    [deny("web_fetch")],
    OUTSIDE,
    "deny",
  ],
];

for (const [says, input, own, rules, search, action] of CASES) {
  test(says, () => {
    assert.equal(bashPermit(input, own, rules, search).action, action);
  });
}

test("whoever is asked reads why", () => {
  assert.deepEqual(bashPermit(CHANGES, undefined, [], INSIDE), {
    action: "ask",
    reason: "the command is to change files of the workspace",
  });
  assert.deepEqual(bashPermit(LOOKS, undefined, [], OUTSIDE), {
    action: "ask",
    reason: "there is no sandbox (not installed): the command can read and change whatever you can",
  });
  assert.deepEqual(bashPermit(CHANGES, undefined, [deny("write", "src/**")], INSIDE), {
    action: "deny",
    reason: "a rule denies write for src/**, so no command may change files",
  });
});
