/** Editor state from the surface that samples it to the body that leaves, on every provider. */
import assert from "node:assert/strict";
import {
  addContext,
  CONTEXT_BYTES,
  CONTEXT_POLICIES,
  type EditorSample,
  knownContext,
  removeContext,
  sampleContext,
} from "@galley/compose";
import type { UserMessage } from "@galley/parts";
import { createForme } from "@galley/shape";
import { PROVIDERS } from "./providers.ts";
import { verifies } from "./verifies.ts";

const selected: EditorSample = {
  kind: "selection",
  source: "canvas",
  payload: { nodes: ["n1"] },
  emitted_at: 1,
};
const typed = (id: string, text: string): UserMessage => ({
  role: "user",
  id,
  parts: [{ type: "text", text }],
});
const withState = (message: UserMessage, told: readonly UserMessage[] = []): UserMessage =>
  addContext(
    message,
    sampleContext([selected], CONTEXT_POLICIES.image, { known: knownContext(told) }).parts,
  );

function printed({ parts }: UserMessage) {
  return PROVIDERS.map(({ protocol, profile }) => {
    const forme = createForme(protocol, profile);
    forme.append({ role: "user", parts, materials: [] });
    const settings = { stream: true, cache: "off" } as const;
    const request = forme.request({ layers: [], tools: [], settings });
    return { text: new TextDecoder().decode(request.body), outcomes: request.outcomes() };
  });
}

verifies(
  "compositor/editor-context/range-is-file-ref",
  "a selection that is a slice of a file is a reference with its range",
  () => {
    const slice: EditorSample = {
      kind: "selection",
      file: { path: "src/a.ts", range: { start: 10, end: 25 } },
      emitted_at: 1,
    };
    const [part] = sampleContext([slice], CONTEXT_POLICIES.text).parts;
    assert.equal(part?.type, "file-ref");
    assert.deepEqual(part.ref, { kind: "path", path: "src/a.ts", range: { start: 10, end: 25 } });
  },
);

verifies("compositor/editor-context/delta", "an unchanged selection costs nothing", () => {
  const first = withState(typed("msg_1", "make it red"));
  const second = withState(typed("msg_2", "now blue"), [first]);
  assert.equal(second.parts.length, 2, "it stays visible in the message");
  for (const { text } of printed(first)) assert.match(text, /editor_context/);
  for (const { text, outcomes } of printed(second)) {
    assert.doesNotMatch(text, /editor_context/);
    assert.equal(outcomes[1]?.outcome, "resolved-out");
  }
});

verifies("compositor/editor-context/removable", "a person can take state out again", () => {
  const message = withState(typed("msg_1", "make it red"));
  const removed = removeContext(message, 1);
  assert.ok(removed.ok);
  assert.deepEqual(removed.message.parts, [{ type: "text", text: "make it red" }]);
});

verifies("compositor/editor-context/capped", "a huge state is cut, and says how much", () => {
  const huge: EditorSample = { ...selected, payload: { text: "x".repeat(CONTEXT_BYTES * 4) } };
  const [part] = sampleContext([huge], CONTEXT_POLICIES.image).parts;
  assert.equal(part?.type, "editor-context");
  assert.ok(JSON.stringify(part.payload).length <= CONTEXT_BYTES);
  assert.match(JSON.stringify(part.payload), /"truncated"/);
});
