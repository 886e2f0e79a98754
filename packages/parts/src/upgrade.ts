/**
 * Reads messages of every version, from anywhere.
 *
 * What comes in is checked and handed on as it came: nothing is stripped, reordered or filled in,
 * so an unknown part survives a round trip to the byte. Each step lifts an old message by exactly
 * one version; to change a shape, append a step and raise `SCHEMA_VERSION`. A message of a newer
 * kit is read as far as it is known and is never rewritten.
 */
import type { z } from "zod";
import { AssistantPart } from "./assistant-part.ts";
import { defineErrors } from "./error.ts";
import { Message, SCHEMA_VERSION, UserMessage } from "./message.ts";
import { UserPart } from "./part.ts";

type Raw = Readonly<Record<string, unknown>>;
type Step = (message: Raw) => Raw;

/** `STEPS[n]` lifts version n + 1 to n + 2. */
const STEPS: readonly Step[] = [];

export const MessageError = defineErrors("message", {
  invalid: (data: { issues: readonly string[] }) => `not a message: ${data.issues.join("; ")}`,
});

export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly string[] };

/** A message of either role, out of a store or a file. */
export const readMessage = (raw: unknown): Read<Message> => read<Message>(Message, raw);

/** A message as a surface sends it. */
export const readUserMessage = (raw: unknown): Read<UserMessage> =>
  read<UserMessage>(UserMessage, raw);

function read<T>(schema: z.ZodType, raw: unknown): Read<T> {
  const lifted = knownOf(lift(raw, STEPS, SCHEMA_VERSION));
  const result = schema.safeParse(lifted);
  if (!result.success) return { ok: false, issues: sayIssues(result.error.issues) };
  // The schema describes and does not transform, so the checked value may stand for the parsed one.
  return { ok: true, value: lifted as T };
}

/**
 * Of a newer version only what is known: a part whose shape has changed since is set aside whole,
 * under a type of its own, and shows as an unsupported one. The message itself is not touched.
 */
function knownOf(raw: unknown): unknown {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return raw;
  const { parts } = raw as Raw;
  if (versionOf(raw as Raw) <= SCHEMA_VERSION || !Array.isArray(parts)) return raw;
  const PartSchema = (raw as Raw).role === "assistant" ? AssistantPart : UserPart;
  if (parts.every((part) => PartSchema.safeParse(part).success)) return raw;
  return {
    ...raw,
    parts: parts.map((part) => (PartSchema.safeParse(part).success ? part : aside(part))),
  };
}

function aside(part: unknown): unknown {
  const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown };
  return {
    type: `newer/${typeof type === "string" ? type : "part"}`,
    ...(typeof text === "string" && { text }),
    original: part,
  };
}

/** Exported so that the mechanism can be tested before there is a second version. */
export function lift(raw: unknown, steps: readonly Step[], current: number): unknown {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return raw;
  const message = raw as Raw;
  const from = versionOf(message);
  if (from >= current) return raw;
  const lifted = steps.slice(from - 1, current - 1).reduce((each, step) => step(each), message);
  return { ...lifted, metadata: { ...(lifted.metadata as Raw), schema_version: current } };
}

function versionOf(message: Raw): number {
  const version = (message.metadata as Raw | undefined)?.schema_version;
  return typeof version === "number" && Number.isInteger(version) && version >= 1 ? version : 1;
}

/** Stamps the version on a message that carries none, and leaves every other key where it was. */
export function stampVersion<T extends { metadata?: unknown }>(message: T): T {
  const metadata = (message.metadata ?? {}) as Raw;
  if (metadata.schema_version !== undefined) return message;
  return { ...message, metadata: { schema_version: SCHEMA_VERSION, ...metadata } };
}

/** A union names every branch that failed; a person wants the branch that was meant. */
function sayIssues(
  issues: readonly z.core.$ZodIssue[],
  prefix: readonly PropertyKey[] = [],
): string[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    if (issue.code === "invalid_union" && issue.errors.length > 0) {
      const nearest = issue.errors.toSorted((a, b) => distance(a) - distance(b))[0] ?? [];
      return sayIssues(nearest, path);
    }
    return [`${sayPath(path)}: ${issue.message}`];
  });
}

/** A wrong `type` means another branch was meant; fewer issues mean a nearer one. */
function distance(issues: readonly z.core.$ZodIssue[]): number {
  const wrongType = issues.some((issue) => issue.path.length === 1 && issue.path[0] === "type");
  return issues.length + (wrongType ? 100 : 0);
}

function sayPath(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "the message" : path.map(String).join(".");
}
