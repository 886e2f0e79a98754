import assert from "node:assert/strict";
import { test } from "node:test";
import { composeSkill } from "./compose-skill.ts";
import { SAMPLE_PORTS, SAMPLE_REQUEST, withSkill } from "./sample.ts";
import { refusedCall } from "./tool-ceiling.ts";

const ALL = { capabilities: ["grep", "read", "write", "bash"] };

const CALLS: readonly (readonly [string, string, string | undefined])[] = [
  ["stage:gather", "read", undefined],
  ["stage:gather", "write", "write is not for stage:gather"],
  ["stage:draft", "write", undefined],
  ["stage:draft", "bash", "this skill does not have bash"],
  ["stage:none", "read", "this skill has no stage:none"],
  ["check-output", "read", "read is not for check-output"],
];

test("each call is held against the caller, the skill and the stage", async () => {
  const composed = await composeSkill(SAMPLE_REQUEST, SAMPLE_PORTS);
  assert.ok(composed.ok);
  for (const [node, tool, expected] of CALLS) {
    assert.equal(refusedCall(composed.composition, { node, tool }, ALL), expected);
  }
  const less = { capabilities: ["grep"] };
  assert.equal(
    refusedCall(composed.composition, { node: "stage:gather", tool: "read" }, less),
    "the caller may not use read",
  );
});

test("a stage with a tool beyond the skill's own is refused though its node has it", async () => {
  const composed = await composeSkill(SAMPLE_REQUEST, SAMPLE_PORTS);
  assert.ok(composed.ok);
  const { subgraph } = composed.composition;
  const nodes = subgraph.nodes.map((node) => ({ ...node, tools: [...node.tools, "bash"] }));
  const forged = { subgraph: { ...subgraph, nodes } };
  assert.equal(
    refusedCall(forged, { node: "stage:draft", tool: "bash" }, ALL),
    "this skill does not have bash",
  );
});

test("what the skill names and does not get is said with its reason", async () => {
  const composed = await composeSkill(
    withSkill(
      { tool_surface: ["read", "write", "create_skill", "fly"], artifacts: [], interrupts: [] },
      {
        available_tools: ["read", "grep", "write", "create_skill"].map((name) => ({ name })),
        caller_capabilities: ["read", "grep", "create_skill", "fly"],
      },
    ),
    SAMPLE_PORTS,
  );
  assert.ok(composed.ok);
  assert.deepEqual(composed.composition.subgraph.tool_availability, ["read"]);
  assert.deepEqual(composed.composition.subgraph.withheld_tools, [
    { tool: "create_skill", reason: "authoring-only" },
    { tool: "fly", reason: "not-available" },
    { tool: "grep", reason: "outside-tool-surface" },
    { tool: "write", reason: "outside-caller-capabilities" },
  ]);
});
