/** Each way not to compose, and what it carries. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { composeSkill } from "./compose-skill.ts";
import { invocationOf, refusedDispatch } from "./invocation.ts";
import { readSkillPackage } from "./package-faults.ts";
import { SKILL_LIMITS, type SkillLimits, type SkillPorts } from "./ports.ts";
import type { ComposeSkillRequest } from "./request.ts";
import { SAMPLE_PORTS, SAMPLE_REQUEST, SAMPLE_SKILL, withSkill } from "./sample.ts";
import type { SkillError } from "./skill-error.ts";

async function error(
  request: ComposeSkillRequest,
  limits: SkillLimits = SKILL_LIMITS,
  ports: SkillPorts = SAMPLE_PORTS,
): Promise<SkillError> {
  const composed = await composeSkill(request, ports, limits);
  assert.ok(!composed.ok, "it composed");
  return composed.error;
}

for (const field of ["name", "framing", "parameters"]) {
  test(`a package without ${field} is MissingRequiredField`, async () => {
    const { [field]: _gone, ...skill } = SAMPLE_SKILL;
    const request = { ...SAMPLE_REQUEST, skill_package: skill as typeof SAMPLE_SKILL };
    assert.deepEqual(await error(request), {
      name: "MissingRequiredField",
      message: `\`${field}\` is missing (write \`${field}\`)`,
      data: {
        fields: [
          {
            path: [field],
            problem: "missing",
            says: `\`${field}\` is missing`,
            fix: `write \`${field}\``,
          },
        ],
      },
    });
  });
}

const MALFORMED: readonly (readonly [string, Parameters<typeof withSkill>[0], string])[] = [
  ["an empty framing", { framing: " \n" }, "framing"],
  ["a framing that is no artifact", { framing: { artifact: "gone" } }, "framing"],
  ["a schema that is none", { parameters: { type: "nonsense" } }, "parameters.type"],
  ["an output schema that is none", { output_schema: { type: "nonsense" } }, "output_schema.type"],
  [
    "two artifacts with one id",
    { artifacts: Array(2).fill({ id: "a", kind: "Example", body: "x" }), interrupts: [] },
    "artifacts.1.id",
  ],
  ["an interrupt at no stage", { interrupts: [{ name: "a", at: "nowhere" }] }, "interrupts.0.at"],
  [
    "an id that could draw a header",
    { artifacts: [{ id: "a\n=== b", kind: "Example", body: "x" }] },
    "artifacts.0.id",
  ],
];

for (const [what, change, path] of MALFORMED) {
  test(`${what} is MissingRequiredField, and says where`, async () => {
    const refused = await error(withSkill(change));
    assert.ok(refused.name === "MissingRequiredField", JSON.stringify(refused));
    assert.deepEqual(
      refused.data.fields.map((fault) => fault.path.join(".")),
      [path],
    );
  });
}

test("a template that does not render is MalformedTemplate with its line", async () => {
  assert.deepEqual(await error(withSkill({ framing: "one\n{{ nope }}" })), {
    name: "MalformedTemplate",
    message: "framing, line 2: undefined value",
    data: {
      where: "framing",
      reason: "undefined",
      line: 2,
      fix: "give that parameter, name a default in the schema, or ask `is defined` first",
    },
  });
});

test("a condition that does not parse is MalformedTemplate with its column", async () => {
  const artifacts = [
    { id: "a", kind: "Description", body: "x", include_when: "scope = 1" } as const,
  ];
  assert.deepEqual(await error(withSkill({ artifacts, interrupts: [] })), {
    name: "MalformedTemplate",
    message: "artifacts[0].include_when: column 7: `=` means nothing here (write `==`)",
    data: { where: "artifacts[0].include_when", reason: "condition", column: 7, fix: "write `==`" },
  });
});

test("a tool that is named and not there is UnknownTool, never dropped", async () => {
  const request = withSkill(
    {},
    { caller_capabilities: ["read"], available_tools: [{ name: "read" }, { name: "grep" }] },
  );
  assert.deepEqual(await error(request), {
    name: "UnknownTool",
    message: "release-notes names tools that this invocation does not have: grep",
    data: {
      references: [
        {
          tool: "grep",
          by: "two-steps.stages.gather.tools",
          reason: "outside-caller-capabilities",
        },
      ],
      available_tools: ["read"],
    },
  });
  const stages = [{ id: "a", instructions: "x", tools: ["write"] }];
  const approach = { id: "p", kind: "Approach" as const, tools: ["read"], stages };
  const beyond = { artifacts: [approach], interrupts: [] };
  const refused = await error(withSkill(beyond));
  assert.ok(refused.name === "UnknownTool");
  assert.deepEqual(refused.data.references, [
    { tool: "write", by: "p.stages.a.tools", reason: "not-available" },
  ]);
});

test("parameters that do not fit are ParameterMismatch, also when they are too deep to look at", async () => {
  assert.deepEqual(await error(withSkill({}, { parameters: {} })), {
    name: "ParameterMismatch",
    message: "the parameters do not fit release-notes: /lang: is required",
    data: { issues: [{ pointer: "/lang", says: "is required" }] },
  });
  const deep = JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`);
  const refused = await error(withSkill({}, { parameters: { lang: deep } }));
  assert.equal(refused.name, "ParameterMismatch");
});

test("artifacts over the budget come with a trimming, and without it they fit", async () => {
  const limits = { ...SKILL_LIMITS, artifactTokens: 6 };
  const refused = await error(SAMPLE_REQUEST, limits);
  assert.deepEqual(refused, {
    name: "ArtifactBudgetExceeded",
    message: "the artifacts have 9 tokens, of at most 6; without ex-any they fit",
    data: {
      limit: 6,
      tokens: 9,
      artifacts: [
        { id: "tone", version: 2, kind: "Description", tokens: 3 },
        { id: "ex-ts", version: 3, kind: "Example", tokens: 3 },
        { id: "ex-any", version: 1, kind: "Example", tokens: 3 },
      ],
      trimming: [{ id: "ex-any", version: 1, kind: "Example", tokens: 3 }],
      tokens_after: 6,
    },
  });
  const again = await composeSkill(
    { ...SAMPLE_REQUEST, leave_out: ["ex-any"] },
    SAMPLE_PORTS,
    limits,
  );
  assert.ok(again.ok);
});

test("a skill that needs tools and gets none is CapabilityNarrowing", async () => {
  assert.deepEqual(await error(withSkill({}, { caller_capabilities: ["bash"] })), {
    name: "CapabilityNarrowing",
    message: "release-notes cannot do without tools, and its caller may use none of its own",
    data: {
      tool_surface: ["grep", "read", "write"],
      caller_capabilities: ["bash"],
      missing: ["grep", "read", "write"],
    },
  });
});

test("the invocation record says what was read, or which error it was", async () => {
  const composed = await composeSkill(SAMPLE_REQUEST, SAMPLE_PORTS);
  const record = invocationOf(SAMPLE_REQUEST, composed);
  assert.deepEqual(
    { ...record, used_artifacts: record.used_artifacts.map(({ id }) => id) },
    {
      skill: "release-notes",
      version: 4,
      invocation_source: "explicit",
      used_artifacts: ["tone", "ex-any", "ex-ts", "two-steps"],
      expected_tool_calls: ["grep", "read"],
      composed: true,
    },
  );
  const refused = invocationOf(SAMPLE_REQUEST, {
    ok: false,
    error: await error(withSkill({ framing: "" })),
  });
  assert.deepEqual([refused.composed, refused.error?.name], [false, "MissingRequiredField"]);
});

test("a disabled skill, or one that a source may not invoke, is not dispatched", () => {
  const read = readSkillPackage({ ...SAMPLE_SKILL, permissions: { sources: ["explicit"] } });
  assert.ok(read.ok);
  assert.equal(refusedDispatch(read.skill, "explicit"), undefined);
  assert.equal(
    refusedDispatch(read.skill, "scheduled"),
    "the skill release-notes may not be invoked as scheduled",
  );
  assert.equal(
    refusedDispatch({ ...read.skill, enabled: false }, "explicit"),
    "the skill release-notes is disabled",
  );
});
