import assert from "node:assert/strict";
import { test } from "node:test";
import { composeSkill } from "./compose-skill.ts";
import type { SkillComposition } from "./composition.ts";
import { SKILL_LIMITS, type SkillPorts } from "./ports.ts";
import type { ComposeSkillRequest } from "./request.ts";
import { SAMPLE_PORTS, SAMPLE_REQUEST, SAMPLE_SKILL, withSkill } from "./sample.ts";

async function composition(
  request: ComposeSkillRequest,
  ports: SkillPorts = SAMPLE_PORTS,
): Promise<SkillComposition> {
  const composed = await composeSkill(request, ports);
  assert.ok(composed.ok, JSON.stringify(composed));
  return composed.composition;
}

test("the prompt is framing, descriptions, examples, and then what is asked now", async () => {
  const { prompt } = await composition(SAMPLE_REQUEST);
  assert.equal(
    prompt.text,
    `=== Instructions ===

Write notes in ts.

=== Note: tone ===

Be plain.

=== Example: ex-ts ===

TS example

=== Example: ex-any ===

Any example

=== Memory: project ===

Releases on Mondays.

=== Memory: user ===

Prefers lists.

=== Parameters ===

{
  "lang": "ts",
  "style": "short"
}

=== Request ===

Notes for 1.2, please.`,
  );
  assert.deepEqual(
    prompt.sections
      .map(({ kind, artifact, from, to }) => [kind, artifact, prompt.text.slice(from, to)])
      .slice(0, 3),
    [
      ["framing", undefined, "Write notes in ts."],
      ["description", "tone", "Be plain."],
      ["example", "ex-ts", "TS example"],
    ],
  );
});

test("every artifact is used or passed over, with its version and a reason", async () => {
  const { used_artifacts, passed_over } = await composition(SAMPLE_REQUEST);
  assert.deepEqual(
    used_artifacts.map(({ id, version, kind }) => `${id} ${version} ${kind}`),
    ["tone 2 Description", "ex-any 1 Example", "ex-ts 3 Example", "two-steps 1 Approach"],
  );
  assert.deepEqual(
    passed_over.map(({ id, reason }) => `${id} ${reason}`),
    ["channels condition", "ex-go relevance"],
  );
});

test("an approach with stages gives a staged subgraph, with interrupts at its nodes", async () => {
  const { subgraph, ...rest } = await composition(SAMPLE_REQUEST);
  assert.deepEqual(subgraph, {
    kind: "staged",
    decided_by: "author",
    tool_availability: ["grep", "read", "write"],
    withheld_tools: [],
    nodes: [
      { id: "validate-input", kind: "validate-input", tools: [] },
      { id: "stage:gather", kind: "stage", instructions: "Read the log.", tools: ["grep", "read"] },
      {
        id: "stage:draft",
        kind: "stage",
        instructions: "Write it.",
        tools: ["grep", "read", "write"],
      },
      { id: "check-output", kind: "check-output", tools: [] },
    ],
    edges: [
      ["validate-input", "stage:gather"],
      ["stage:gather", "stage:draft"],
      ["stage:draft", "check-output"],
    ],
    skipped_stages: ["shout"],
    interrupts: [
      { name: "on_ambiguous_input", nodes: ["validate-input"], message: "Which release?" },
      { name: "on_conflict", nodes: ["stage:draft"] },
    ],
    exit_condition: {
      kind: "output-schema",
      ends: ["output-schema", "tool-call-budget", "interrupt", "cancelled"],
      output_schema: { type: "object" },
      tool_call_budget: 12,
    },
  });
  assert.deepEqual(rest.declared_interrupts, ["on_ambiguous_input", "on_conflict"]);
  assert.deepEqual(rest.expected_tool_calls, ["grep", "read"]);
  assert.deepEqual(rest.used_memory, ["mem_1", "mem_2"]);
  assert.equal(rest.model_preference, "anthropic/some-model");
  assert.equal(rest.thread_id, "ses_1");
  assert.deepEqual(rest.exit_condition, subgraph.exit_condition);
});

test("without an approach there is one loop, and without a contract only cancelling ends it", async () => {
  const bare = { name: "bare", framing: "Do {{ it }}.", parameters: {} };
  const { subgraph, prompt, expected_tool_calls } = await composition({
    ...SAMPLE_REQUEST,
    skill_package: bare,
    memory_context: [],
    parameters: {},
    user_request: "",
  });
  assert.equal(prompt.text, "=== Instructions ===\n\nDo {{ it }}.");
  assert.deepEqual(subgraph.nodes, [
    { id: "work", kind: "work", tools: ["grep", "read", "write"] },
  ]);
  assert.deepEqual(subgraph.exit_condition, { kind: "cancelled", ends: ["cancelled"] });
  assert.deepEqual(expected_tool_calls, []);
});

test("an approach may narrow the tools, and what it goes without is said", async () => {
  const artifacts = [
    {
      id: "quick",
      kind: "Approach",
      body: "Just look.",
      tools: ["read"],
      include_when: "'quick' in tags",
    },
    { id: "slow", kind: "Approach", body: "Do it all." },
  ] as const;
  const change = {
    artifacts: artifacts.map((each) => ({
      ...each,
      tools: "tools" in each ? [...each.tools] : undefined,
    })),
    interrupts: [],
  };
  const quick = await composition(withSkill(change, { tags: ["quick"] }));
  assert.deepEqual(quick.subgraph.tool_availability, ["read"]);
  assert.deepEqual(quick.subgraph.withheld_tools, [
    { tool: "grep", reason: "approach" },
    { tool: "write", reason: "approach" },
  ]);
  assert.deepEqual(quick.subgraph.nodes[0], {
    id: "work",
    kind: "work",
    instructions: "Just look.",
    tools: ["read"],
  });
  assert.deepEqual(
    quick.passed_over.map(({ id, reason }) => [id, reason]),
    [["slow", "another-approach"]],
  );
  const slow = await composition(withSkill(change, { leave_out: ["quick"] }));
  assert.deepEqual(slow.subgraph.tool_availability, ["grep", "read", "write"]);
  assert.deepEqual(
    slow.passed_over.map(({ id, reason }) => [id, reason]),
    [["quick", "left-out"]],
  );
});

test("a framing may be an artifact, which is then among the used ones", async () => {
  const template = {
    id: "frame",
    kind: "PromptTemplate",
    version: 7,
    body: "In {{ parameters.lang }}.",
  } as const;
  const other = { ...template, id: "other" };
  const { prompt, used_artifacts, passed_over } = await composition(
    withSkill({ framing: { artifact: "frame" }, artifacts: [other, template], interrupts: [] }),
  );
  assert.match(prompt.text, /^=== Instructions ===\n\nIn ts\.\n/);
  assert.deepEqual(used_artifacts, [{ id: "frame", version: 7, kind: "PromptTemplate" }]);
  assert.deepEqual(passed_over, [
    { id: "other", version: 7, kind: "PromptTemplate", reason: "not-the-framing" },
  ]);
});

test("no more examples than the budget, the relevant ones first", async () => {
  const artifacts = ["a", "b", "c", "d"].map((id) => ({
    id,
    kind: "Example" as const,
    body: id,
    tags: id === "d" ? ["ts", "notes"] : id === "c" ? ["please"] : [],
  }));
  const { prompt, passed_over } = await composition(withSkill({ artifacts, interrupts: [] }));
  const shown = prompt.sections.flatMap(({ artifact }) => artifact ?? []);
  assert.deepEqual(shown, ["d", "c", "a"]);
  assert.deepEqual(
    passed_over.map(({ id, reason }) => [id, reason]),
    [["b", "count"]],
  );
});

const delegating = (answer: unknown): SkillPorts => ({
  ...SAMPLE_PORTS,
  delegateShape: async () => answer,
});
const asking = withSkill({ planner_delegates_shape: true, interrupts: [] });

test("a model decides the shape only for a skill that asks for it", async () => {
  const answer = { stages: [{ id: "one", instructions: "Only this.", tools: ["read"] }] };
  const own = await composition(SAMPLE_REQUEST, delegating(answer));
  assert.equal(own.subgraph.decided_by, "author");
  const { subgraph, notes } = await composition(asking, delegating(answer));
  assert.equal(subgraph.decided_by, "model");
  assert.deepEqual(subgraph.nodes[0], {
    id: "stage:one",
    kind: "stage",
    instructions: "Only this.",
    tools: ["read"],
  });
  assert.deepEqual(notes, []);
});

test("a shape that is none leaves the author's, with a note", async () => {
  const stage = { id: "one", instructions: "x" };
  const bad = [
    null,
    "stages",
    { stages: [{}] },
    { stages: [stage, stage] },
    { stages: Array.from({ length: 21 }, (_, id) => ({ ...stage, id: `s${id}` })) },
  ];
  for (const answer of bad) {
    const { subgraph, notes } = await composition(asking, delegating(answer));
    assert.deepEqual([subgraph.decided_by, subgraph.kind], ["author", "staged"]);
    assert.deepEqual(
      notes.map(({ code }) => code),
      ["shape-not-usable"],
    );
  }
  const { notes } = await composition(asking);
  assert.deepEqual(
    notes.map(({ code }) => code),
    ["shape-not-delegated"],
  );
});

test("an interrupt at a stage that this invocation does not pass is noted, not declared", async () => {
  const { declared_interrupts, notes } = await composition(
    withSkill({ interrupts: [{ name: "late", at: "shout" }, { name: "any" }] }),
  );
  assert.deepEqual(declared_interrupts, ["any"]);
  assert.deepEqual(notes, [
    {
      code: "interrupt-without-place",
      says: "late is at shout, which this invocation does not pass",
    },
  ]);
});

test("limits of a template are kept even by a renderer that does not", async () => {
  const loud: SkillPorts = {
    ...SAMPLE_PORTS,
    renderTemplate: () => ({ ok: true, text: "x".repeat(11) }),
  };
  const template = { ...SKILL_LIMITS.template, outputChars: 10 };
  const composed = await composeSkill(SAMPLE_REQUEST, loud, { ...SKILL_LIMITS, template });
  assert.ok(!composed.ok && composed.error.name === "MalformedTemplate");
  assert.equal(composed.error.data.reason, "limit");
  assert.equal(SAMPLE_SKILL.framing_kind, "template");
});
