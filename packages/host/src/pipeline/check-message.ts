/** The door of the pipeline: whatever claims to be a user message is checked here, once. */
import { readUserMessage, stampVersion, type UserMessage } from "@galley/parts";
import { HostError } from "../host-error.ts";

/** Lowering and serializing recurse; no editor's context is nested like this. */
const MOST_LEVELS = 64;

/** No person composes so many, and each costs an answer several lines. */
const MOST_PARTS = 10_000;

export function checkMessage(raw: unknown): UserMessage {
  if (isDeeper(raw, MOST_LEVELS)) throw HostError.make("too_deep", { limit: MOST_LEVELS });
  const count = (raw as { parts?: { length?: unknown } } | null)?.parts?.length;
  if (typeof count === "number" && count > MOST_PARTS) {
    throw HostError.make("bad_message", { issues: [`parts: more than ${MOST_PARTS}`] });
  }
  const read = readUserMessage(raw);
  if (!read.ok) throw HostError.make("bad_message", { issues: read.issues });
  return stampVersion(read.value);
}

/** Level by level, so that it cannot run out of stack on what it guards against. */
function isDeeper(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= limit; depth += 1) {
    level = level.flatMap((each) =>
      typeof each === "object" && each !== null
        ? Object.values(each).filter((inner) => typeof inner === "object" && inner !== null)
        : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}
