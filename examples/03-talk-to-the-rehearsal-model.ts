/**
 * A turn over a real socket, offline: the rehearsal model speaks the providers' protocols and is as
 * strict as they are. Its default answer says what it received; a script makes it call a tool.
 *
 *   node examples/03-talk-to-the-rehearsal-model.ts
 */
import assert from "node:assert/strict";
import type { ContextMessage } from "@galley/assemble";
import type { UiChunk } from "@galley/parts";
import { startRehearsal } from "@galley/rehearsal";
import { anthropicMessages, createForme, findModel } from "@galley/shape";
import { SendError, send } from "@galley/turn";

const found = findModel("rehearsal/anthropic");
assert.ok(found.ok);
const { profile } = found;
const rehearsal = await startRehearsal();

async function ask(messages: readonly ContextMessage[], maxOutput?: number): Promise<UiChunk[]> {
  const forme = createForme(anthropicMessages, profile);
  for (const message of messages) forme.append(message);
  const { body } = forme.request({
    layers: [{ id: "agent", text: "You help." }],
    tools: [{ name: "read", description: "Reads a file.", input_schema: { type: "object" } }],
    settings: { stream: true, cache: "auto", ...(maxOutput !== undefined && { maxOutput }) },
  });
  const endpoint = anthropicMessages.endpoint({
    profile,
    baseUrl: rehearsal.url,
    key: "any",
    stream: true,
  });
  const chunks: UiChunk[] = [];
  for await (const batch of send({ endpoint, body, protocol: anthropicMessages, fetch })) {
    chunks.push(...batch);
    for (const chunk of batch) if (chunk.type === "text-delta") process.stdout.write(chunk.delta);
  }
  console.log();
  return chunks;
}

const user = (text: string): ContextMessage => ({
  role: "user",
  parts: [{ type: "text", text }],
  materials: [],
});

try {
  console.log("— Without a script it says what it received:\n");
  const first = await ask([user("Hello, is anybody there?")]);
  assert.ok(first.some((chunk) => chunk.type === "text-delta"));
  assert.equal(first.at(-1)?.type, "finish-step");

  console.log("\n— With a script it calls a tool, and answers once it has the result:\n");
  rehearsal.use([
    { say: "I read it.", toolCalls: [{ name: "read", input: { path: "a.ts" }, id: "call_1" }] },
    { say: "It holds one line." },
  ]);
  const asked = await ask([user("What is in a.ts?")]);
  const call = asked.find((chunk) => chunk.type === "tool-input-available");
  assert.ok(call?.type === "tool-input-available");
  console.log(`  calls ${call.toolName}(${JSON.stringify(call.input)})\n`);
  const answered: ContextMessage = {
    role: "assistant",
    parts: [
      { type: "text", text: "I read it." },
      {
        type: "tool-read",
        toolCallId: call.toolCallId,
        state: "output-available",
        input: call.input,
        output: "export const a = 1;",
      },
    ],
  };
  const last = await ask([user("What is in a.ts?"), answered]);
  const metadata = last.find((chunk) => chunk.type === "message-metadata");
  assert.ok(metadata?.type === "message-metadata");
  assert.equal(metadata.messageMetadata.finish_reason, "stop");

  console.log("\n— What a provider would refuse, it refuses, in the provider's words:\n");
  const refused = await ask([user("hi")], 1_000_000).then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(SendError.is(refused, "refused"));
  console.log(`  ${refused.message}`);

  // It keeps what it received, byte for byte.
  assert.deepEqual(
    rehearsal.received.map(({ status }) => status),
    [200, 200, 200, 400],
  );
} finally {
  await rehearsal.close();
}
