/** The entry of a command file, from its fields and its template. */
import type { Template } from "../template/tree.ts";
import { KEYS } from "./check-file.ts";
import type { Head } from "./command-head.ts";
import type { CommandPlace } from "./command-name.ts";
import type { ArgumentSpec, CommandEntry, CommandSettings } from "./entry.ts";
import type { Field } from "./front-matter.ts";

export function entryOf(
  file: { readonly path: string; readonly scope: "project" | "user" },
  { dialect, name, aliases }: CommandPlace,
  { fields, body }: Head,
  specs: readonly ArgumentSpec[],
  template: Template,
): CommandEntry {
  const known = (key: string): Field | undefined =>
    KEYS[dialect].includes(key) ? fields.get(key) : undefined;
  const description = textOf(known("description")) ?? firstLine(body);
  const hint = hintOf(known("argument-hint"));
  const more = [...aliases, ...listOf(known("aliases")).map((each) => each.replace(/^\//, ""))];
  const settings = settingsOf(known);
  return {
    name,
    ...(more.length > 0 && { aliases: more }),
    source: { kind: file.scope, file: file.path, dialect },
    ...(description !== "" && { description }),
    ...(hint !== undefined && { argumentHint: hint }),
    ...(specs.length > 0 && { arguments: specs }),
    ...(specs.length > 0 && dialect === "galley" && { namedWords: true }),
    deed: { kind: "template", template },
    ...(settings !== undefined && { settings }),
  };
}

const textOf = (field: Field | undefined): string | undefined =>
  field === undefined || field.value === null
    ? undefined
    : typeof field.value === "string"
      ? field.value.trim()
      : field.raw.trim();

/** `[file] [severity]` is YAML for a list; what was meant is what was written. */
const hintOf = textOf;

const listOf = (field: Field | undefined): string[] => {
  if (field === undefined || field.value === null) return [];
  if (Array.isArray(field.value)) return field.value.map(String);
  return String(field.value)
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean);
};

function settingsOf(known: (key: string) => Field | undefined): CommandSettings | undefined {
  const model = textOf(known("model"));
  const agent = textOf(known("agent"));
  const subtask = known("subtask")?.value;
  const tools = listOf(known("allowed-tools"));
  const settings = {
    ...(model !== undefined && { model }),
    ...(agent !== undefined && { agent }),
    ...(typeof subtask === "boolean" && { subtask }),
    ...(tools.length > 0 && { allowed_tools: tools }),
  };
  return Object.keys(settings).length === 0 ? undefined : settings;
}

function firstLine(body: string): string {
  const line =
    body
      .split("\n")
      .find((each) => each.trim() !== "")
      ?.replace(/^#+\s*/, "")
      .trim() ?? "";
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
