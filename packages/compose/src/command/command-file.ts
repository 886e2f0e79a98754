/**
 * A command file to an entry of the catalogue, with whatever is odd about it. Reading is the
 * host's; this only reads text, never throws, and loads whatever can be understood.
 */
import { parseTemplate } from "../template/parse.ts";
import type { DialectId } from "../template/tree.ts";
import { checkKeys, checkTemplate } from "./check-file.ts";
import { type Head, readMarkdown, readToml, type Say } from "./command-head.ts";
import { type CommandPlace, nameInFolder, placeOfFile } from "./command-name.ts";
import { readDeclared } from "./declared-arguments.ts";
import type { ArgumentSpec, CommandEntry } from "./entry.ts";
import { entryOf } from "./file-entry.ts";
import type { Finding } from "./finding.ts";

export type CommandFile = {
  /** As the host names it; findings carry it. */
  readonly path: string;
  readonly text: string;
  readonly scope: "project" | "user";
  /** Both are read off the path when they are absent. */
  readonly dialect?: DialectId;
  /** Path inside the commands folder, with or without its ending. */
  readonly inside?: string;
};

export type ReadCommand = {
  /** Absent when there is an error among the findings. */
  readonly entry?: CommandEntry;
  readonly findings: readonly Finding[];
};

export async function readCommandFile(file: CommandFile): Promise<ReadCommand> {
  const findings: Finding[] = [];
  const say: Say = (severity, line, says, fix) =>
    findings.push({ file: file.path, line, severity, says, fix });
  const place = placeOf(file);
  if (place === undefined || place.name === "") {
    say("error", 1, "this is not in a folder of commands", "move it to .agents/commands/NAME.md");
    return { findings };
  }
  const head =
    place.dialect === "gemini"
      ? await readToml(file.text, say)
      : await readMarkdown(file.text, say);
  if (head === undefined) return { findings };
  const specs = readArguments(head.fields, place.dialect, say);
  const template = parseTemplate(
    head.body,
    place.dialect,
    specs.map(({ name }) => name),
  );
  checkTemplate(template, head, specs, say);
  checkKeys(head.fields, place.dialect, say);
  return { entry: entryOf(file, place, head, specs, template), findings };
}

function placeOf({ path, dialect, inside }: CommandFile): CommandPlace | undefined {
  const found = placeOfFile(path);
  if (dialect === undefined) return found;
  const name = inside ?? path.replaceAll("\\", "/").split("/").at(-1) ?? "";
  return inside === undefined && found?.dialect === dialect
    ? found
    : { dialect, ...nameInFolder(name.replaceAll("\\", "/"), dialect) };
}

const NO_ARGUMENTS: readonly ArgumentSpec[] = [];

function readArguments(
  fields: Head["fields"],
  dialect: DialectId,
  say: Say,
): readonly ArgumentSpec[] {
  const field = fields.get("arguments");
  if (field === undefined || (dialect !== "galley" && dialect !== "claude")) return NO_ARGUMENTS;
  const { specs, problems } = readDeclared(field.value);
  for (const { says, fix } of problems) say("warning", field.line, says, fix);
  return specs;
}
