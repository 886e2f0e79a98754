import assert from "node:assert/strict";
import { test } from "node:test";
import { pipelineIn } from "../testing/pipeline-in.ts";

const part = { type: "text", text: "x" };
const OPUS = "anthropic/claude-opus-5-5";

test("a message of more parts than anybody composes is refused", async (t) => {
  const pipeline = await pipelineIn(t, {});
  const parts = Array.from({ length: 10_001 }, () => part);
  await assert.rejects(pipeline.proof({ role: "user", parts }, { model: OPUS }), /more than 10000/);
});

test("a command in a message that is posted whole is settled like a typed one", async (t) => {
  const pipeline = await pipelineIn(t, {});
  const message = { role: "user", parts: [{ type: "command", id: "/compact" }, part] };
  const { outcomes, body_text } = await pipeline.proof(message, { model: OPUS });
  assert.equal(outcomes[0]?.outcome, "resolved-out");
  assert.ok(!body_text.includes("/compact"));
});
