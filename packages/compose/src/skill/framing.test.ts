import assert from "node:assert/strict";
import { test } from "node:test";
import { composeSkill } from "./compose-skill.ts";
import { SKILL_LIMITS, type SkillPorts } from "./ports.ts";
import { SAMPLE_PORTS, SAMPLE_REQUEST, withSkill } from "./sample.ts";

const said = async (ports: SkillPorts, limits = SKILL_LIMITS): Promise<string> => {
  const composed = await composeSkill(SAMPLE_REQUEST, ports, limits);
  return composed.ok ? composed.composition.prompt.text : composed.error.message;
};

test("a template that is too long is not rendered at all", async () => {
  let renders = 0;
  const counting: SkillPorts = {
    ...SAMPLE_PORTS,
    renderTemplate: () => {
      renders += 1;
      return { ok: true, text: "x" };
    },
  };
  const template = { ...SKILL_LIMITS.template, sourceChars: 10 };
  assert.equal(
    await said(counting, { ...SKILL_LIMITS, template }),
    "framing: the template has 26 characters, of at most 10",
  );
  assert.equal(renders, 0);
});

test("a template that gives no text is malformed", async () => {
  const empty: SkillPorts = { ...SAMPLE_PORTS, renderTemplate: () => ({ ok: true, text: " \n" }) };
  assert.equal(await said(empty), "framing: the template gave no text");
});

test("memory of one tier stands in the order of its ids, and tags in that of their names", async () => {
  const artifacts = [
    { id: "both", kind: "Description" as const, body: "x", include_when: 'tags == ["api", "ts"]' },
  ];
  const composed = await composeSkill(
    withSkill(
      { artifacts, interrupts: [] },
      {
        tags: ["ts", "api"],
        memory_context: [
          { id: "b", tier: "user", text: "1" },
          { id: "a", tier: "user", text: "2" },
        ],
      },
    ),
    SAMPLE_PORTS,
  );
  assert.ok(composed.ok);
  assert.deepEqual(composed.composition.used_memory, ["a", "b"]);
  assert.deepEqual(
    composed.composition.used_artifacts.map(({ id }) => id),
    ["both"],
  );
});
