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

export const KNOWN_FAILURES: { readonly [Id in RequirementId]?: KnownFailure } = {
  "compositor/attachments/fallback-path": {
    since: "later",
    reason:
      "bytes that come inside a message have no place a tool could open; the blob store gives them one",
  },
  "compositor/attachments/blob-threshold": {
    since: "later",
    reason: "the blob store comes with persistence",
  },
  "compositor/mentions/skill-body-by-tool": {
    since: "later",
    reason: "the skill tool comes with the turn's tools",
  },
  "compositor/persist/before-model": {
    since: "later",
    reason: "messages are stored once there is a store",
  },
};
