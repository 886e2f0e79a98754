/**
 * What a folder says in our fields: front matter, `metadata.galley` in it, and `skill.toml`, the
 * later over the earlier. The result is one table and, for each key, where it was written.
 */
import type { Say } from "../../command/command-head.ts";
import type { Field } from "../../command/front-matter.ts";
import { isTable } from "../lift-package.ts";
import type { lineOf, Origin } from "./written.ts";

/** The fields of a package that people write; the others come from the folder itself. */
export const SETTING_KEYS: readonly string[] = [
  "version",
  "tags",
  "enabled",
  "permissions",
  "framing",
  "framing_kind",
  "parameters",
  "tool_surface",
  "requires_tools",
  "interrupts",
  "output_schema",
  "tool_call_budget",
  "planner_delegates_shape",
  "model_preference",
  "artifacts",
];

export type Settings = {
  readonly values: ReadonlyMap<string, unknown>;
  readonly origins: ReadonlyMap<string, Origin>;
};

type Table = Readonly<Record<string, unknown>>;

type Written = { readonly key: string; readonly value: unknown; readonly origin: Origin };

export type SettingsInput = {
  readonly fields: ReadonlyMap<string, Field>;
  readonly head: Origin;
  readonly toml?: { readonly file: string; readonly text: string };
  readonly lineOf: typeof lineOf;
};

/** `say` speaks of SKILL.md, `sayToml` of skill.toml. */
export async function readSettings(
  input: SettingsInput,
  say: Say,
  sayToml: Say,
): Promise<Settings> {
  const { fields, head, toml } = input;
  const written: Written[] = [
    ...topLevel(fields, head),
    ...ofMetadata(fields.get("metadata"), input, say),
    ...(toml === undefined ? [] : await ofToml(toml, input, sayToml)),
  ];
  const values = new Map<string, unknown>();
  const origins = new Map<string, Origin>();
  for (const { key, value, origin } of written) {
    const speak = origin.format === "toml" ? sayToml : say;
    const first = origins.get(key);
    if (first !== undefined) {
      const says = `\`${key}\` is set twice, and the one in ${placeOf(first)} is not used`;
      speak("warning", input.lineOf(origin, [key]), says, "set it in one place");
    }
    const plain = jsonOf(value);
    if (plain === undefined) {
      const says = `\`${key}\` cannot be read as plain data`;
      speak("error", input.lineOf(origin, [key]), says, "write it without aliases");
      continue;
    }
    values.set(key, plain);
    origins.set(key, origin);
  }
  return { values, origins };
}

const placeOf = ({ format, above }: Origin): string =>
  format === "toml" ? "skill.toml" : above.length > 0 ? above.join(".") : "front matter";

function topLevel(fields: SettingsInput["fields"], head: Origin): readonly Written[] {
  return [...fields].flatMap(([key, { value }]) => {
    // A version of front matter is the author's own text, as in "1.2.0".
    const isOurs = SETTING_KEYS.includes(key) && key !== "version";
    return isOurs ? [{ key, value, origin: head }] : [];
  });
}

function ofMetadata(
  metadata: Field | undefined,
  { head, lineOf }: SettingsInput,
  say: Say,
): readonly Written[] {
  if (metadata === undefined || !isTable(metadata.value)) return [];
  const { galley } = metadata.value;
  if (galley === undefined) return [];
  if (!isTable(galley)) {
    say(
      "error",
      metadata.line,
      "`metadata.galley` is not a table",
      "write its fields indented below it",
    );
    return [];
  }
  const origin: Origin = { ...head, above: ["metadata", "galley"] };
  return known(galley, origin, lineOf, say);
}

async function ofToml(
  toml: { readonly file: string; readonly text: string },
  { lineOf }: SettingsInput,
  say: Say,
): Promise<readonly Written[]> {
  const { parse, TomlError } = await import("smol-toml");
  const text = toml.text.replace(/^\uFEFF/, "");
  const origin: Origin = { file: toml.file, format: "toml", text, above: [] };
  try {
    return known(parse(text), origin, lineOf, say);
  } catch (error) {
    if (!(error instanceof TomlError) && !(error instanceof RangeError)) throw error;
    const line = error instanceof TomlError ? error.line : 1;
    say("error", line, `not TOML: ${error.message.split("\n")[0]}`, "mend the TOML");
    return [];
  }
}

function known(
  table: Table,
  origin: Origin,
  lineOf: SettingsInput["lineOf"],
  say: Say,
): readonly Written[] {
  return Object.entries(table).flatMap(([key, value]) => {
    if (SETTING_KEYS.includes(key)) return [{ key, value, origin }];
    const fix = `known keys: ${SETTING_KEYS.join(", ")}`;
    say("warning", lineOf(origin, [key]), `\`${key}\` has no effect here`, fix);
    return [];
  });
}

/** Dates become text, what is not a number null; undefined for what refers to itself. */
function jsonOf(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value ?? null));
  } catch (error) {
    // Cycles, and nesting deeper than the stack.
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}
