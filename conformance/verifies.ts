/**
 * A test that cites the rule it shows. For a rule that is known to fail, the test is expected to:
 * the day it passes, the row in `known-failures.ts` is stale and the test says so.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { KNOWN_FAILURES, type KnownFailure } from "./known-failures.ts";
import type { RequirementId } from "./requirements.ts";

export function verifies(
  id: RequirementId,
  name: string,
  show: () => void | Promise<void>,
  known: KnownFailure | undefined = KNOWN_FAILURES[id],
): void {
  if (known) test(`${id} (known to fail): ${name}`, () => expectFailure(id, show));
  else test(`${id}: ${name}`, show);
}

export async function expectFailure(id: string, show: () => void | Promise<void>): Promise<void> {
  const failed = await Promise.resolve()
    .then(show)
    .then(
      () => false,
      () => true,
    );
  assert.ok(failed, `${id} holds now: take it out of known-failures.ts`);
}
