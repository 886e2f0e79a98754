/** Histories that a long session can come to, and that every provider has to take all the same. */
import assert from "node:assert/strict";
import { assemble, type ContextMessage } from "@galley/assemble";
import { createForme } from "@galley/shape";
import { PROVIDERS } from "./providers.ts";
import { refusalBy } from "./rehearse.ts";
import { verifies } from "./verifies.ts";

const user: ContextMessage = {
  role: "user",
  parts: [{ type: "text", text: "go on" }],
  materials: [],
};
const said: ContextMessage = { role: "assistant", parts: [{ type: "text", text: "Hello." }] };
const called: ContextMessage = {
  role: "assistant",
  parts: [
    { type: "tool-read", toolCallId: "c1", state: "output-available", input: {}, output: "one" },
  ],
};

/** The history through the assembler and out to each provider; what is refused, and why. */
function refusals(messages: readonly ContextMessage[]): string[] {
  return PROVIDERS.flatMap((provider) => {
    const { contextWindow, maxOutput } = provider.profile;
    const { context } = assemble({ layers: [], messages, contextWindow, maxOutput });
    const forme = createForme(provider.protocol, provider.profile);
    for (const message of context.messages) forme.append(message);
    const settings = { stream: true, cache: "off" } as const;
    const { body } = forme.request({ layers: [], tools: [], settings });
    const refusal = refusalBy(provider, body, true);
    return refusal === undefined ? [] : [`${provider.name}: ${refusal}`];
  });
}

verifies("context/starts-with-user", "a history that begins with an answer is taken", () => {
  assert.deepEqual(refusals([said, user]), []);
});

verifies("context/pairs-by-position", "one call id in two turns is taken", () => {
  assert.deepEqual(refusals([user, called, user, called, user]), []);
});

verifies("wire/accepted", "answers side by side, and users side by side, are taken", () => {
  assert.deepEqual(refusals([user, user, said, said, called, said, user, user]), []);
});

verifies(
  "wire/accepted",
  "a turn that ended in calls is taken, and so is one in its middle",
  () => {
    assert.deepEqual(refusals([user, called]), []);
    assert.deepEqual(refusals([user, called, user]), []);
  },
);
