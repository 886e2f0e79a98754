/** A skill that is called and cannot be had is not passed over in silence. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { lowerPart } from "./lower.ts";

test("a skill that cannot be had leaves a line that says so", () => {
  const lowered = lowerPart(
    { type: "mention", target: { kind: "skill", name: "svg-kit" } },
    { kind: "unavailable", reason: "not loaded" },
    { refuses: () => undefined, inlineTextBytes: 100 },
  );
  assert.deepEqual(lowered, {
    blocks: [{ type: "text", text: "[skill unavailable: svg-kit]" }],
    outcome: "placeholder",
    note: "not loaded",
  });
});
