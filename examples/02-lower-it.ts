/**
 * One message, four providers: what each model is shown, and what became of every part.
 *
 * References are read once, the lowering is total (there is no way to lose a part in silence), and
 * each outcome names the bytes of the request that the part became.
 *
 *   node examples/02-lower-it.ts
 */
import assert from "node:assert/strict";
import { type Loader, materializeParts } from "@galley/assemble";
import type { UserPart } from "@galley/parts";
import {
  anthropicMessages,
  createForme,
  findModel,
  geminiGenerate,
  openAiChat,
  openAiResponses,
} from "@galley/shape";

const parts: UserPart[] = [
  { type: "text", text: "Does the recording match the notes?" },
  { type: "file-ref", ref: { kind: "path", path: "notes.md" } },
  { type: "file-ref", ref: { kind: "path", path: "gone.md" } },
  {
    type: "file-attachment",
    name: "memo.wav",
    mime: "audio/wav",
    data: btoa("RIFF\x04\0\0\0WAVE"),
  },
  { type: "file-attachment", name: "design.psd", mime: "image/png", data: btoa("8BPS\0\x01") },
  { type: "mention", target: { kind: "skill", name: "transcribe" } },
];

// Reading is a port. This one knows a single file; a host reads the workspace.
const loader: Loader = {
  async read(ref) {
    const known = ref.kind === "path" && ref.path === "notes.md";
    if (!known) return { kind: "unavailable", reason: "no such file" };
    return { kind: "whole", bytes: new TextEncoder().encode("# Notes\n\nWe agreed on tea.\n") };
  },
  readRange: async () => ({ kind: "unavailable", reason: "no such file" }),
  directoryProblem: async () => "no such directory",
};
const materials = await materializeParts(parts, loader);

const providers = [
  { protocol: anthropicMessages, model: "rehearsal/anthropic" },
  { protocol: openAiResponses, model: "rehearsal/openai" },
  { protocol: openAiChat, model: "rehearsal/openai-chat" },
  { protocol: geminiGenerate, model: "rehearsal/gemini" },
];

for (const { protocol, model } of providers) {
  const found = findModel(model);
  assert.ok(found.ok);
  const forme = createForme(protocol, found.profile);
  forme.append({ role: "user", parts, materials });
  const { body, outcomes } = forme.request({
    layers: [{ id: "agent", text: "You compare recordings with notes." }],
    tools: [],
    settings: { stream: true, cache: "auto" },
  });

  console.log(`\n${model} (${body.length} bytes)`);
  for (const { part, type, outcome, note = "" } of outcomes()) {
    console.log(`  ${part} ${type.padEnd(15)} ${outcome.padEnd(12)} ${note}`.trimEnd());
  }

  // One outcome for each part, and each range of bytes is the JSON that the part became.
  assert.equal(outcomes().length, parts.length);
  for (const { bytes } of outcomes()) {
    for (const [from, to] of bytes) JSON.parse(new TextDecoder().decode(body.subarray(from, to)));
  }
  // The recording goes out only where it can be heard; the .psd, whatever it calls itself, nowhere.
  const [, , missing, memo, psd, skill] = outcomes();
  assert.equal(missing?.outcome, "placeholder");
  assert.equal(memo?.outcome, model === "rehearsal/gemini" ? "native" : "descriptor");
  assert.equal(psd?.outcome, "descriptor");
  assert.equal(skill?.outcome, "resolved-out");
}
