import assert from "node:assert/strict";
import { test } from "node:test";
import { skillsLayer } from "./skills-layer.ts";

test("skills are listed by name and description, on one line each", () => {
  const layer = skillsLayer([
    { name: "plums", description: "How plums\n  are kept" },
    { name: "pears" },
  ]);
  assert.equal(layer?.id, "skills.catalogue");
  assert.deepEqual(layer?.text.split("\n").slice(1), ["- plums: How plums are kept", "- pears"]);
});

test("without skills there is no layer", () => {
  assert.equal(skillsLayer([]), undefined);
});

test("past the cap a skill is only named, and a long description is cut", () => {
  const long = "word ".repeat(400);
  const lines = skillsLayer(
    [
      { name: "a", description: long },
      { name: "b", description: long },
    ],
    300,
  )?.text.split("\n");
  assert.match(lines?.[1] ?? "", /^- a: word .* …$/);
  assert.equal(lines?.[2], "- b");
});
