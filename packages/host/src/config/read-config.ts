/**
 * One configuration file to a checked value, with a warning for each key that nobody knows.
 *
 * A file that is wrong is refused whole, with its line and what would be right: half a
 * configuration would send a message somewhere it was not meant to go.
 */
import { parse, TomlError } from "smol-toml";
import { z } from "zod";
import { HostError, place } from "../host-error.ts";
import { readRegular } from "../workspace/read-file.ts";
import { Config } from "./schema.ts";
import { lineOf } from "./toml-line.ts";

/** No sane configuration is longer; what is may be anything. */
const MOST_BYTES = 256 * 1024;

export type ReadConfig = { readonly config: Config; readonly warnings: readonly string[] };

/** Undefined when there is no such file. */
export async function readConfig(file: string): Promise<ReadConfig | undefined> {
  const read = await readRegular(file, MOST_BYTES);
  if (!read.ok) {
    if (read.reason === "no such file") return undefined;
    throw HostError.make("unreadable", {
      what: "configuration",
      path: file,
      reason: read.reason,
    });
  }
  if (read.more) {
    throw HostError.make("bad_config", { file, reason: `more than ${MOST_BYTES} bytes` });
  }
  return checkConfig(new TextDecoder().decode(read.bytes), file);
}

/** Exported for tests: the same without a disk. */
export function checkConfig(toml: string, file: string): ReadConfig {
  const raw = parseToml(toml, file);
  const result = Config.safeParse(raw);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw HostError.make("bad_config", badConfig(toml, file, issue));
  }
  const warnings = unknownKeys(raw, result.data, []).map(({ path, near }) => {
    const meant = near === undefined ? "" : `; did you mean ${near}?`;
    const key = path.map(String).join(".");
    return `${place(file, lineOf(toml, path))}: the key ${key} is not known and has no effect${meant}`;
  });
  return { config: result.data, warnings };
}

function parseToml(toml: string, file: string): Record<string, unknown> {
  try {
    // `__proto__` as a key is never meant.
    return parse(toml, { unsafeKeyBehaviour: "throw", maxDepth: 64 });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = `not TOML: ${firstSentence(error.message)}`;
    throw HostError.make("bad_config", { file, line: error.line, reason }, { cause: error });
  }
}

/** The parser appends the lines around the fault; ours is one line with the number in front. */
function firstSentence(message: string): string {
  const [first = message] = message.split("\n");
  return first.replace(/^Invalid TOML document:\s*/, "");
}

function badConfig(toml: string, file: string, issue: z.core.$ZodIssue | undefined) {
  const path = issue?.path ?? [];
  const line = lineOf(toml, path);
  const key = path.map(String).join(".") || "the file";
  const reason = `${key}: ${issue?.message ?? "not a configuration"}`;
  return { file, ...(line !== undefined && { line }), reason };
}

type Unknown = { readonly path: readonly string[]; readonly near: string | undefined };

/** The schema drops what it does not know: what is in the text and not in the value is unknown. */
function unknownKeys(raw: unknown, kept: unknown, path: readonly string[]): Unknown[] {
  if (!isTable(raw) || !isTable(kept)) return [];
  return Object.keys(raw).flatMap((key) => {
    const here = [...path, key];
    if (Object.hasOwn(kept, key)) return unknownKeys(raw[key], kept[key], here);
    return [{ path: here, near: sameSpelled(key) }];
  });
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A known key that differs only in its dashes, underscores or capitals. */
function sameSpelled(key: string): string | undefined {
  const plain = (text: string): string => text.replace(/[-_\s]/g, "").toLowerCase();
  return propertyNames(z.toJSONSchema(Config, { io: "input" })).find(
    (known) => plain(known) === plain(key),
  );
}

function propertyNames(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, inner]) => [
    ...(key === "properties" && isTable(inner) ? Object.keys(inner) : []),
    ...propertyNames(inner),
  ]);
}
