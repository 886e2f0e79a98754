/**
 * A template and its arguments to the parts that a command leaves in its place.
 *
 * Text and slots need nobody. A shell command goes through the host, which may refuse it, and an
 * include becomes a reference; both stand where the author put them.
 */
import type { ExpansionPart } from "@galley/parts";
import type { ComposeHost, ShellResult } from "../host.ts";
import type { Note } from "../note.ts";
import { findPath, refPart } from "../scan/path.ts";
import { DIALECT } from "./dialect.ts";
import { fillInline, fillSlot, wordsOf } from "./fill.ts";
import { canBePassed, quoteWords } from "./shell-place.ts";
import type { CommandArgs, FileNode, InlineNode, ShellNode, Template } from "./tree.ts";

export type Expansion = {
  readonly parts: readonly ExpansionPart[];
  readonly notes: readonly Note[];
};

/** The text of a template that has neither commands nor includes; they show as they are written. */
export function expandText(template: Template, args: CommandArgs): string {
  let text = "";
  for (const node of template.nodes) {
    if (node.kind === "text") text += node.text;
    else text += node.kind === "slot" ? fillSlot(node, args) : node.literal;
  }
  return text + leftoverText(template, args);
}

function leftoverText(template: Template, args: CommandArgs): string {
  if (template.takesArguments || args.raw === "") return "";
  switch (DIALECT[template.dialect].leftover) {
    case "append":
      return `\n\n${args.raw}`;
    case "append-labelled":
      return `\n\nARGUMENTS: ${args.raw}`;
    case "unused":
      return "";
  }
}

export async function expandTemplate(
  template: Template,
  args: CommandArgs,
  host: Pick<ComposeHost, "kindOf" | "shell">,
): Promise<Expansion> {
  const notes: Note[] = unusedNote(template, args);
  if (template.plain) return { parts: textParts(expandText(template, args)), notes };
  const parts: ExpansionPart[] = [];
  let text = "";
  for (const node of template.nodes) {
    if (node.kind === "file") {
      const { before, part, after } = await include(node, args, host, notes);
      text += before;
      if (part !== undefined) {
        parts.push(...textParts(text), part);
        text = "";
      }
      text += after;
    } else if (node.kind === "shell") {
      text += await runShell(node, args, template, host, notes);
    } else text += node.kind === "text" ? node.text : fillSlot(node, args);
  }
  parts.push(...textParts(text + leftoverText(template, args)));
  return { parts, notes };
}

const textParts = (text: string): ExpansionPart[] => (text === "" ? [] : [{ type: "text", text }]);

function unusedNote(template: Template, args: CommandArgs): Note[] {
  if (template.takesArguments || args.raw === "") return [];
  if (DIALECT[template.dialect].leftover !== "unused") return [];
  return [
    {
      code: "unused-arguments",
      message: `the template has no slot for its arguments: ${args.raw}`,
    },
  ];
}

type Included = { readonly before: string; readonly part?: ExpansionPart; readonly after: string };

async function include(
  node: FileNode,
  args: CommandArgs,
  host: Pick<ComposeHost, "kindOf">,
  notes: Note[],
): Promise<Included> {
  const path = fillInline(node.path, args);
  const found = await findPath(path, (each) => host.kindOf(each));
  if (found !== undefined) return { before: "", part: refPart(found), after: found.rest };
  if (node.certain) return { before: "", part: refPart({ path, kind: "file" }), after: "" };
  if (path !== "")
    notes.push({ code: "include-not-found", message: `no file at ${path}: kept as text` });
  return { before: `@${path}`, after: "" };
}

async function runShell(
  node: ShellNode,
  args: CommandArgs,
  template: Template,
  host: Pick<ComposeHost, "shell">,
  notes: Note[],
): Promise<string> {
  const command = shellCommand(node.command, args, template.dialect === "gemini");
  const result = await settle(node, command, args, host);
  if (result.ok) return shellText(result);
  notes.push({ code: "shell-not-run", message: `${node.literal} was not run: ${result.reason}` });
  return `[shell command not run: ${result.reason}: ${oneLine(node.literal)}]`;
}

async function settle(
  node: ShellNode,
  command: string | undefined,
  args: CommandArgs,
  host: Pick<ComposeHost, "shell">,
): Promise<ShellResult> {
  if (command === undefined) {
    return { ok: false, reason: "an argument cannot be passed to it safely" };
  }
  if (host.shell === undefined) return { ok: false, reason: "no shell here" };
  try {
    return await host.shell(command, { literal: node.literal, argv: args.argv });
  } catch (error) {
    // A host that throws has run nothing that can be shown: the same as a refusal.
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

function shellCommand(
  nodes: readonly InlineNode[],
  args: CommandArgs,
  wholeAsOne: boolean,
): string | undefined {
  let command = "";
  for (const node of nodes) {
    if (node.kind === "text") command += node.text;
    else {
      const words = wordsOf(node, args, wholeAsOne || node.place !== "bare");
      const place = node.place ?? "unsafe";
      if (place === "unsafe" || !words.every(canBePassed)) return undefined;
      command += quoteWords(words, place);
    }
  }
  return command;
}

function shellText({ output, exit_code }: ShellResult & { ok: true }): string {
  const text = output.replace(/\r?\n$/, "");
  if (exit_code === undefined || exit_code === 0) return text;
  return `${text}${text === "" ? "" : "\n"}[the command ended with exit code ${exit_code}]`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ");
