import assert from "node:assert/strict";
import { test } from "node:test";
import { createCatalogue } from "./command/catalogue.ts";
import { composeMessage } from "./compose.ts";
import type { ComposeHost } from "./host.ts";
import { DEFAULT_MENTIONS, extendMentions } from "./mention.ts";

const host: ComposeHost = {
  kindOf: async () => undefined,
  mention: async (kind, id) => ({ kind, id }),
  context: async (kind) => [{ type: "editor-context", kind, payload: {}, emitted_at: 1 }],
};

const mentions = extendMentions(DEFAULT_MENTIONS, {
  kinds: [{ kind: "layer", description: "a layer of the canvas", stands: "host" }],
  contexts: [{ token: "viewport", description: "what is in view" }],
});

async function partsOf(text: string, known = mentions) {
  const catalogue = createCatalogue([], known);
  const composed = await composeMessage({ parts: [{ type: "typed", text }] }, catalogue, host);
  assert.ok(composed.ok);
  return composed.message.parts;
}

test("a kind and a token that a host adds are mentions", async () => {
  assert.deepEqual(await partsOf("@layer:7 @viewport"), [
    { type: "mention", target: { kind: "layer", id: "7" }, literal: "@layer:7" },
    { type: "text", text: " " },
    { type: "editor-context", kind: "viewport", payload: {}, emitted_at: 1, literal: "@viewport" },
  ]);
});

test("they are text for a host that did not add them", async () => {
  const text = "@layer:7 @viewport";
  assert.deepEqual(await partsOf(text, DEFAULT_MENTIONS), [{ type: "text", text }]);
});

test("a later row replaces an earlier one", () => {
  const { kinds } = extendMentions(DEFAULT_MENTIONS, {
    kinds: [{ kind: "file", description: "mine", stands: "host" }],
  });
  assert.deepEqual(kinds[0], { kind: "file", description: "mine", stands: "host" });
  assert.equal(kinds.length, DEFAULT_MENTIONS.kinds.length);
});
