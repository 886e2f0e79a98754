/**
 * Rules that do not hold yet, each with its reason. The list only shrinks: a row whose rule holds,
 * or has a test, is stale, and the gate refuses it.
 *
 * `fails` has a test that is expected to fail; `later` belongs to work that has not begun.
 */
import type { RequirementId } from "./requirements.ts";

export type KnownFailure = {
  readonly since: "fails" | "later";
  readonly reason: string;
};

export const KNOWN_FAILURES: { readonly [Id in RequirementId]?: KnownFailure } = {};
