/** What holds for every skill and every request, whatever its author, its caller or a model says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { composeSkill } from "./compose-skill.ts";
import type { SkillPackageInput } from "./package.ts";
import { SKILL_LIMITS, type SkillPorts } from "./ports.ts";
import { ruleFor } from "./prompt.ts";
import { type ComposeSkillRequest, MEMORY_TIERS } from "./request.ts";
import { SAMPLE_PORTS } from "./sample.ts";
import { AUTHORING_TOOLS, refusedCall, skillRequest } from "./tool-ceiling.ts";

const TOOLS = ["read", "write", "bash", "grep", "create_skill", "galley__add_artifact"];
const tools = fc.uniqueArray(fc.constantFrom(...TOOLS));
const tags = fc.uniqueArray(fc.constantFrom("ts", "go", "api", "Docs"));
/** Text that wants to be a header. */
const text = fc
  .array(
    fc.constantFrom(
      "===",
      "==1==",
      "=",
      "== ",
      " Request ",
      "Instructions",
      "\n",
      "\r",
      "\u2028",
      "\u200b",
      "\t",
      "1",
      "{{ lang }}",
      "a",
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((pieces) => pieces.join(""));
const visible = text.map((each) => `${each}x`);
const condition = fc.constantFrom(
  "scope == 'workspace'",
  "'ts' in tags",
  "parameters.lang == 'ts'",
  "true",
  "false",
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const stage = fc.record({
  instructions: visible,
  tools: maybe(tools),
  include_when: maybe(condition),
});
const artifact = fc.oneof(
  fc.record({ kind: fc.constant("Description"), body: visible, include_when: maybe(condition) }),
  fc.record({ kind: fc.constant("Example"), body: visible, tags }),
  fc.record({
    kind: fc.constant("Approach"),
    body: text,
    tools: maybe(tools),
    stages: maybe(fc.array(stage, { minLength: 1, maxLength: 3 })),
    include_when: maybe(condition),
  }),
);

/** Undefined is no JSON: what is absent is absent. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const skill = fc
  .record({
    framing: visible,
    framing_kind: fc.constantFrom("prose", "template"),
    tool_surface: maybe(tools),
    requires_tools: fc.oneof(fc.boolean(), tools),
    interrupts: fc.uniqueArray(fc.constantFrom("on_ambiguous_input", "on_doubt", "bad_output")),
    planner_delegates_shape: fc.boolean(),
    artifacts: fc.array(artifact, { maxLength: 6 }),
  })
  .map((given) =>
    plain({
      ...given,
      name: "any",
      parameters: { type: "object" },
      artifacts: given.artifacts.map((each, index) => ({ ...each, id: `a${index}` })),
    }),
  )
  // Short forms, as people write them: the reader of packages takes them.
  .map((given) => given as unknown as SkillPackageInput);

const memory = fc.record({
  id: fc.constantFrom("m1", "m2", "m3"),
  tier: fc.constantFrom(...MEMORY_TIERS),
  text,
});

const request: fc.Arbitrary<ComposeSkillRequest> = fc.record({
  skill_package: skill,
  user_request: text,
  invocation_source: fc.constantFrom("explicit", "agent-selected", "scheduled"),
  channel_id: fc.constantFrom(null, "ch_1"),
  thread_id: fc.constant("ses_1"),
  memory_context: fc.array(memory, { maxLength: 3 }),
  available_tools: tools.map((names) => names.map((name) => ({ name }))),
  caller_capabilities: tools,
  parameters: fc.record({
    lang: text,
    "other key": fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<null>,
  }),
  tags,
  authoring: fc.boolean(),
});

const shape = fc.oneof(
  fc.jsonValue(),
  fc
    .array(fc.record({ instructions: visible, tools: maybe(tools) }), { maxLength: 3 })
    .map((stages) =>
      plain({ stages: stages.map((each, index) => ({ ...each, id: `s${index}` })) }),
    ),
);
const portsWith = (answer: unknown): SkillPorts => ({
  ...SAMPLE_PORTS,
  delegateShape: async () => answer,
});

const composed = async (given: ComposeSkillRequest, answer: unknown): Promise<string> =>
  JSON.stringify(await composeSkill(given, portsWith(answer)));

test("the same request gives the same bytes, and is itself left as it was", async () => {
  await fc.assert(
    fc.asyncProperty(request, shape, async (given, answer) => {
      const before = JSON.stringify(given);
      const first = await composed(given, answer);
      assert.equal(await composed(plain(given), answer), first);
      assert.equal(JSON.stringify(given), before);
    }),
    { numRuns: 800 },
  );
});

const reversed = <T>(list: readonly T[]): T[] => [...list].reverse();

test("the order of what is a set changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(request, async (given) => {
      const { tool_surface, artifacts = [] } = given.skill_package;
      const turned: ComposeSkillRequest = {
        ...given,
        memory_context: reversed(given.memory_context),
        available_tools: reversed(given.available_tools),
        caller_capabilities: reversed(given.caller_capabilities),
        tags: reversed(given.tags ?? []),
        parameters: Object.fromEntries(reversed(Object.entries(given.parameters))),
        skill_package: {
          ...given.skill_package,
          ...(tool_surface && { tool_surface: reversed(tool_surface) }),
          artifacts: artifacts.map((each) => ({
            ...each,
            ...(each.tags && { tags: reversed(each.tags) }),
          })),
        },
      };
      assert.equal(await composed(turned, null), await composed(given, null));
    }),
    { numRuns: 800 },
  );
});

/** As a reader sees them: whatever breaks a line, without what does not show. */
const seenLines = (prompt: string): readonly string[] =>
  prompt
    .replaceAll(/[\u200b\u2060\ufeff]/g, "")
    .split(/[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => line.trimStart());

test("no text of anybody becomes a header, and every text stands there to the character", async () => {
  let refused = 0;
  let numbered = 0;
  await fc.assert(
    fc.asyncProperty(request, async (given) => {
      const result = await composeSkill({ ...given, available_tools: [] }, SAMPLE_PORTS);
      if (!result.ok) {
        refused += 1;
        return;
      }
      const { text: prompt, rule, sections } = result.composition.prompt;
      if (rule !== "===") numbered += 1;
      const headers = seenLines(prompt).filter((line) => line.startsWith(rule));
      assert.deepEqual(
        headers,
        sections.map(({ title }) => `${rule} ${title} ${rule}`),
      );
      const asked = sections.find(({ kind }) => kind === "request");
      assert.equal(prompt.slice(asked?.from, asked?.to), given.user_request);
      for (const { artifact: id, from, to } of sections) {
        const body = given.skill_package.artifacts?.find((each) => each.id === id)?.body;
        if (id !== undefined) assert.equal(prompt.slice(from, to), body);
      }
    }),
    { numRuns: 1500 },
  );
  assert.ok(numbered > 50 && refused < 1400, `${numbered} numbered, ${refused} refused`);
});

test("the rule is the first that no line begins with", () => {
  const taken = Array.from({ length: 200 }, (_, index) => `==${index}== Request`).join("\n");
  assert.equal(ruleFor([`=== a\n${taken}`]), "==200==");
  assert.equal(ruleFor(["a === b", "x\n--- y"]), "===");
  assert.equal(ruleFor(["a\n \u200b=\u200b== Request"]), "==1==");
  assert.equal(ruleFor([`${"\n ".repeat(200_000)}=`]), "===");
});

test("whatever is said, no tool outside the caller's capabilities and the surface is offered or called", async () => {
  let offered = 0;
  await fc.assert(
    fc.asyncProperty(request, shape, async (given, answer) => {
      const result = await composeSkill(given, portsWith(answer));
      if (!result.ok) return;
      const { subgraph, expected_tool_calls } = result.composition;
      const surface = given.skill_package.tool_surface ?? TOOLS;
      const named = [
        ...subgraph.tool_availability,
        ...subgraph.nodes.flatMap((node) => node.tools),
        ...expected_tool_calls,
      ];
      offered += named.length;
      for (const tool of named) {
        assert.ok(given.caller_capabilities.includes(tool) && surface.includes(tool), tool);
        assert.ok(
          given.available_tools.some(({ name }) => name === tool),
          tool,
        );
        const isAuthoring = AUTHORING_TOOLS.some((each) => tool.endsWith(each));
        assert.ok(!isAuthoring || given.authoring === true, tool);
      }
      for (const tool of TOOLS) {
        for (const { id } of subgraph.nodes) {
          const caller = { capabilities: ["read"], authoring: true };
          const may = refusedCall(result.composition, { node: id, tool }, caller) === undefined;
          assert.ok(!may || (tool === "read" && named.includes(tool)));
        }
      }
    }),
    { numRuns: 1500 },
  );
  assert.ok(offered > 500, String(offered));
});

test("a nested skill is bounded by the top-level caller, not by the skill that asks", () => {
  fc.assert(
    fc.property(skill, tools, fc.boolean(), (inner, capabilities, authoring) => {
      const all = TOOLS.map((name) => ({ name }));
      const caller = { thread_id: "ses_1", channel_id: null, capabilities, tools: all, authoring };
      const ask = {
        user_request: "",
        invocation_source: "agent-selected",
        memory_context: [],
        parameters: {},
      } as const;
      const nested = skillRequest(caller, { ...ask, skill_package: inner });
      assert.equal(nested.thread_id, "ses_1");
      const surface = inner.tool_surface ?? TOOLS;
      const expected = TOOLS.filter(
        (name) =>
          capabilities.includes(name) &&
          surface.includes(name) &&
          (authoring || !/create_skill|add_artifact/.test(name)),
      );
      assert.deepEqual(
        nested.available_tools.map(({ name }) => name),
        expected,
      );
    }),
  );
});

test("a suggested trimming always fits, and leaves out nothing that could have stayed", async () => {
  let trimmed = 0;
  await fc.assert(
    fc.asyncProperty(request, fc.integer({ min: 0, max: 12 }), async (given, artifactTokens) => {
      const limits = { ...SKILL_LIMITS, artifactTokens };
      const result = await composeSkill(given, SAMPLE_PORTS, limits);
      if (result.ok || result.error.name !== "ArtifactBudgetExceeded") return;
      trimmed += 1;
      const { trimming, tokens_after } = result.error.data;
      assert.ok(tokens_after <= artifactTokens);
      assert.ok(trimming.every(({ tokens }) => tokens_after + tokens > artifactTokens));
      const leave_out = trimming.map(({ id }) => id);
      const again = await composeSkill({ ...given, leave_out }, SAMPLE_PORTS, limits);
      assert.ok(again.ok || again.error.name !== "ArtifactBudgetExceeded");
    }),
    { numRuns: 1000 },
  );
  assert.ok(trimmed > 50, String(trimmed));
});
