import assert from "node:assert/strict";
import { test } from "node:test";
import { mcpToolName } from "./tool-name.ts";

const NAMES: readonly (readonly [string, string, string])[] = [
  ["github", "create_issue", "mcp__github__create_issue"],
  ["a", "b__c", "mcp__a__b__c"],
  ["a__b", "c", "mcp__a__b__c_528239e9b3"],
  ["a_", "b", "mcp__a___b_0b9e6aab30"],
  ["a", "_b", "mcp__a___b_e85686f8a4"],
  ["my server", "do it/now", "mcp__my_server__do_it_now_a938b0a54b"],
  ["grün", "größe", "mcp__gr_n__gr__e_04927ba46a"],
  ["s", "x".repeat(56), `mcp__s__${"x".repeat(56)}`],
  ["s", "x".repeat(57), `mcp__s__${"x".repeat(45)}_29a6ba54fb`],
];

for (const [server, tool, expected] of NAMES) {
  test(`the tool ${tool} of ${server} is ${expected}`, () => {
    const name = mcpToolName(server, tool);
    assert.equal(name, expected);
    assert.match(name, /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
  });
}
