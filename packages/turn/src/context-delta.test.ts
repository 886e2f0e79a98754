/** A manifest told by what is new in it is the same manifest again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Account, lengthened, shortened } from "./context-delta.ts";

const block = (part: number, why?: string) => ({
  role: "user" as const,
  part,
  type: "text",
  tokens: 1,
  ...(why !== undefined && { why }),
});
const account = (blocks: Account["blocks"], over: Partial<Account> = {}): Account => ({
  turn_id: "turn_1",
  model: "a/b",
  layers: [{ id: "agent", tokens: 1 }],
  tools: [],
  blocks,
  estimate: blocks.length,
  limit: 9,
  over_limit: false,
  settlements: [],
  ...over,
});
const PLACE = { turn: 1, round: 1 };
const stored = (value: unknown) => JSON.parse(JSON.stringify(value));

test("a list that goes on is told by what was appended", () => {
  const base = account([block(0), block(1)]);
  const now = account([block(0), block(1), block(2)], { estimate: 3 });
  const short = shortened(base, PLACE, now);
  assert.deepEqual(short.blocks, [block(2)]);
  assert.deepEqual(short.same, { layers: 1, blocks: 2 });
  assert.deepEqual(short.since, PLACE);
  assert.equal(short.estimate, 3);
});

test("a list that parts early is told from there, and one that shrank too", () => {
  const base = account([block(0), block(1), block(2)]);
  const changed = account([block(0), block(1, "elided"), block(2)]);
  assert.deepEqual(shortened(base, PLACE, changed).blocks, [block(1, "elided"), block(2)]);
  const shorter = account([block(0)]);
  assert.deepEqual(lengthened(base, stored(shortened(base, PLACE, shorter))), shorter);
});

test("whatever two accounts there are, the short one gives the long one back", () => {
  const blocks = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.option(fc.string(), { nil: undefined })), {
      maxLength: 6,
    })
    .map((all) => all.map(([part, why]) => block(part, why)));
  const filters = fc.option(fc.array(fc.record({ why: fc.constantFrom("a", "b") })), {
    nil: undefined,
  });
  const any = fc
    .tuple(blocks, filters)
    .map(([some, why]) => account(some, why === undefined ? {} : { filters: why }));
  fc.assert(
    fc.property(any, any, (base, now) => {
      const short = stored(shortened(base, PLACE, now));
      assert.deepEqual(lengthened(stored(base), short), stored(now));
    }),
  );
});
