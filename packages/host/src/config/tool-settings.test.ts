import assert from "node:assert/strict";
import { test } from "node:test";
import { checkConfig } from "./read-config.ts";
import type { Settings } from "./settings.ts";
import { toolSettings } from "./tool-settings.ts";

const PROJECT = `
[[permissions]]
permission = "bash"
action = "allow"
[[permissions]]
permission = "read"
pattern = "secret/**"
action = "deny"
[sandbox]
network = true
memory_mb = 100
[web.search]
url = "http://127.0.0.1/?q={query}"
`;
const USER = `
[[permissions]]
permission = "write"
pattern = "docs/**"
action = "ask"
[sandbox]
read = ["/opt/tool"]
env = ["LANG"]
processes = 99
`;

const settings = (projectTrusted: boolean): Settings => ({
  model: undefined,
  layers: [
    { scope: "project", file: "p.toml", config: checkConfig(PROJECT, "p.toml").config },
    { scope: "user", file: "u.toml", config: checkConfig(USER, "u.toml").config },
  ],
  warnings: [],
  looked: [],
  projectTrusted,
  limits: { attachment_bytes: 1, message_bytes: 1 },
});

const USERS = { permission: "write", pattern: "docs/**", action: "ask", source: "user" };
const DENIES = { permission: "read", pattern: "secret/**", action: "deny", source: "project" };

test("a project that nobody trusts denies, and opens nothing", () => {
  const found = toolSettings(settings(false), { KEY: "k" });
  assert.deepEqual(found.rules, [USERS]);
  assert.deepEqual(found.restraints, [DENIES]);
  assert.equal(found.search, undefined);
  assert.deepEqual(found.bash, {
    read: ["/opt/tool"],
    env: ["LANG"],
    network: false,
    limits: { memoryMb: 4096, processes: 99 },
    from: { KEY: "k" },
  });
  assert.deepEqual(found.notes, [
    "p.toml came with the project and is not trusted: no effect have the 1 rules of [[permissions]] that allow something, [sandbox], [web]",
  ]);
});

test("a trusted project counts like the person's own file", () => {
  const found = toolSettings(settings(true), {});
  const allows = { permission: "bash", pattern: "*", action: "allow", source: "project" };
  assert.deepEqual(found.rules, [allows, DENIES, USERS]);
  assert.deepEqual(found.restraints, []);
  assert.equal(found.search?.url, "http://127.0.0.1/?q={query}");
  assert.equal(found.bash.network, true);
  assert.deepEqual(found.bash.limits, { memoryMb: 100, processes: 99 });
  assert.deepEqual(found.notes, []);
});

for (const [says, toml] of [
  ["a search without a place for the query", '[web.search]\nurl = "https://a.example.com/"\n'],
  ["a folder that is not absolute", '[sandbox]\nread = ["a"]\n'],
  ["an action that is none", '[[permissions]]\npermission = "a"\naction = "maybe"\n'],
] as const) {
  test(`${says} is refused`, () => {
    assert.throws(() => checkConfig(toml, "f"), /f:\d/);
  });
}
