import assert from "node:assert/strict";
import { test } from "node:test";
import type { PastedEntity } from "../draft.ts";
import { CONTEXT_BYTES } from "./policy.ts";
import { LONGEST_ID, referencePart } from "./reference.ts";

const POLICY = { maxBytes: CONTEXT_BYTES };
const entity: PastedEntity = {
  type: "pasted-entity",
  id: "node:42",
  source: "canvas",
  emitted_at: 7,
};

test("a pasted thing is its id", () => {
  assert.deepEqual(referencePart(entity, POLICY), {
    ok: true,
    part: {
      type: "editor-context",
      kind: "ref",
      source: "canvas",
      payload: { id: "node:42" },
      emitted_at: 7,
      origin: "explicit",
    },
  });
});

test("what stands beside the id gives way, the id does not", () => {
  const id = "i".repeat(LONGEST_ID);
  const made = referencePart({ ...entity, id, payload: { body: "x".repeat(90_000) } }, POLICY);
  assert.ok(made.ok);
  assert.equal(made.part.payload.id, id);
  assert.equal((made.part.payload.truncated as { total: number }).total, 91_043);
  assert.ok(JSON.stringify(made.part.payload).length <= CONTEXT_BYTES);
});

test("an id that is empty or endless is refused with the reason", () => {
  assert.deepEqual(referencePart({ ...entity, id: "" }, POLICY), {
    ok: false,
    reason: "what was pasted has no id to refer to it by",
  });
  assert.deepEqual(referencePart({ ...entity, id: "i".repeat(1025) }, POLICY), {
    ok: false,
    reason: "the id of what was pasted has 1025 characters; at most 1024 are taken",
  });
});
