import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { Env } from "../config/settings.ts";
import { pipelineIn } from "../testing/pipeline-in.ts";

const OPUS = "anthropic/claude-opus-5-5";
const says = (text: string) => ({ role: "user", parts: [{ type: "text", text }] });

test("a proof shows the exact body, and each outcome names its bytes in it", async (t) => {
  const pipeline = await pipelineIn(t, { files: { "a.txt": "one\ntwo ä\n" } });
  const { message } = await pipeline.compose({ text: "Grüße", refs: ["a.txt:2", "gone.txt"] });
  const proof = await pipeline.proof(message, { model: OPUS });
  assert.deepEqual(
    proof.outcomes.map(({ outcome }) => outcome),
    ["text", "text", "placeholder"],
  );
  const body = new TextEncoder().encode(proof.body_text);
  const shown = proof.outcomes.flatMap(({ bytes }) =>
    bytes.map(([from, to]) => JSON.parse(new TextDecoder().decode(body.subarray(from, to))).text),
  );
  assert.deepEqual(shown, [
    "Grüße",
    "File a.txt (lines 2 to 2 of 2):\n```txt\ntwo ä\n```",
    "[file unavailable: gone.txt (no such file)]",
  ]);
  assert.deepEqual(proof.request.body, JSON.parse(proof.body_text));
  assert.equal(proof.body_sha256, createHash("sha256").update(body).digest("hex"));
});

test("all built-in providers get their own request for the same message", async (t) => {
  const pipeline = await pipelineIn(t, { model: "openai/gpt-5.5" });
  const proofs = await pipeline.proofAll(says("hi"));
  assert.deepEqual(
    proofs.map(({ provider, request }) => [provider, request.url]),
    [
      ["anthropic", "https://api.anthropic.com/v1/messages"],
      ["openai", "https://api.openai.com/v1/responses"],
      ["openai-chat", "https://api.openai.com/v1/chat/completions"],
      [
        "gemini",
        "https://generativelanguage.googleapis.com/v1beta/models/gemini-4-argon:streamGenerateContent?alt=sse",
      ],
    ],
  );
  assert.equal(proofs[1]?.model, "gpt-5.5");
  for (const { outcomes, body_text } of proofs) {
    const [[from, to] = [0, 0]] = outcomes[0]?.bytes ?? [];
    assert.match(body_text.slice(from, to), /"hi"/);
  }
});

test("a key is never in a proof, only the place where it would be", async (t) => {
  const files = {
    ".agents/galley.toml":
      '[providers.anthropic.headers]\n"X-Team" = "hidden-team"\n"anthropic-beta" = "b1"\n',
  };
  const env = { ANTHROPIC_API_KEY: "sk-secret", ANTHROPIC_BASE_URL: "https://p.example.com/" };
  const pipeline = await pipelineIn(t, { files, env });
  const proof = await pipeline.proof(says("hi"), { model: OPUS });
  assert.equal(proof.request.url, "https://p.example.com/v1/messages");
  assert.deepEqual(proof.request.headers, {
    "content-type": "application/json",
    "anthropic-version": "2023-06-01",
    "x-api-key": "***",
    "x-team": "***",
    "anthropic-beta": "b1",
  });
  assert.doesNotMatch(JSON.stringify(proof), /sk-secret|hidden-team/);
});

test("a provider that takes no key is shown without one", async (t) => {
  const files = { ".agents/galley.toml": '[providers.anthropic]\napi_key_env = ""\n' };
  const pipeline = await pipelineIn(t, { files, env: { ANTHROPIC_API_KEY: "k" } });
  const { request } = await pipeline.proof(says("hi"), { model: OPUS });
  assert.equal("x-api-key" in request.headers, false);
});

test("each stage shows what it made", async (t) => {
  const pipeline = await pipelineIn(t, { files: { "big.bin": new Uint8Array(2_000_000) } });
  const { message } = await pipeline.compose({ text: "hi", attach: ["big.bin"] });
  const { stages, request, outcomes } = await pipeline.proof(message, { model: OPUS });
  assert.deepEqual(stages.composed, message);
  const hash = createHash("sha256").update(new Uint8Array(2_000_000)).digest("hex");
  assert.deepEqual(stages.persisted, {
    role: "user",
    parts: [
      { type: "text", text: "hi" },
      {
        type: "file-attachment",
        name: "big.bin",
        mime: "application/octet-stream",
        size: 2_000_000,
        content_id: `sha256:${hash}`,
      },
    ],
    metadata: { schema_version: 1 },
  });
  type Assembled = { layers: unknown[]; messages: { materials: { base64: unknown }[] }[] };
  const assembled = stages.assembled as Assembled;
  assert.equal(assembled.layers.length, 1);
  const folded = assembled.messages[0]?.materials[1]?.base64;
  assert.deepEqual(folded, { size: 2_000_000, sha256: hash });
  assert.deepEqual((stages.lowered as { outcomes: unknown }).outcomes, outcomes);
  assert.deepEqual((stages.lowered as { blocks: unknown[] }).blocks[0], {
    part: 0,
    block: { type: "text", text: "hi" },
  });
  assert.equal(stages.wire, request);
});

test("an attachment of up to 1 MB stays in its row", async (t) => {
  const pipeline = await pipelineIn(t);
  const data = Buffer.alloc(1024 * 1024, 1).toString("base64");
  const part = { type: "file-attachment", name: "a", mime: "a/b", data };
  const { stages } = await pipeline.proof({ role: "user", parts: [part] }, { model: OPUS });
  assert.deepEqual((stages.persisted as { parts: unknown[] }).parts, [part]);
});

test("without a choice and without a key the model is the offline one; a key chooses its provider", async (t) => {
  const model = async (env: Env) => {
    const proof = await (await pipelineIn(t, { env })).proof(says("hi"), {});
    return `${proof.provider}/${proof.model}`;
  };
  assert.equal(await model({}), "rehearsal/default");
  assert.equal(await model({ ANTHROPIC_API_KEY: " " }), "rehearsal/default");
  assert.equal(await model({ ANTHROPIC_API_KEY: "k" }), OPUS);
  assert.equal(
    await model({ ANTHROPIC_API_KEY: "k", GALLEY_MODEL: "rehearsal/default" }),
    "rehearsal/default",
  );
});

test("what is no user message is refused with what is wrong", async (t) => {
  const pipeline = await pipelineIn(t);
  let deep: unknown = {};
  for (let level = 0; level < 100_000; level += 1) deep = { deep };
  const table: readonly (readonly [unknown, RegExp])[] = [
    [{ role: "user", parts: [] }, /^not a user message: parts: a message has at least one part$/],
    [{ role: "user", parts: [{ type: "text" }] }, /^not a user message: parts\.0\.text: /],
    [{ role: "assistant", parts: [] }, /^not a user message: role: /],
    [null, /^not a user message: the message: /],
    [{ role: "user", parts: [{ type: "x", deep }] }, /nested more than 64 levels deep$/],
  ];
  for (const [message, expected] of table) {
    await assert.rejects(pipeline.proof(message, { model: OPUS }), { message: expected });
  }
});

test("findings tell which keys are there and never what they are", async (t) => {
  const env = { ANTHROPIC_API_KEY: "sk-secret" };
  const files = { ".agents/galley.toml": "modle = 1\n" };
  const findings = await (await pipelineIn(t, { env, files })).doctor();
  const of = (name: string) => findings.filter((each) => each.name === name);
  assert.equal(of("anthropic")[0]?.status, "ok");
  assert.equal(of("openai")[0]?.status, "missing");
  assert.equal(of("openai")[0]?.mend, "set OPENAI_API_KEY");
  assert.match(of("model")[0]?.says ?? "", /^anthropic\/claude-opus-5-5 /);
  assert.deepEqual(
    of("config").map(({ status }) => status),
    ["ok", "missing", "warning"],
  );
  assert.doesNotMatch(JSON.stringify(findings), /sk-secret/);
});
