/** What an author may want to know about a command file that loads all the same. */
import { inlineOf } from "../template/parse.ts";
import type { DialectId, Template } from "../template/tree.ts";
import type { Head, Say } from "./command-head.ts";
import type { ArgumentSpec } from "./entry.ts";

export function checkTemplate(
  template: Template,
  head: Head,
  specs: readonly ArgumentSpec[],
  say: Say,
): void {
  const lineOf = (literal: string): number => {
    const at = Math.max(0, head.body.indexOf(literal));
    return head.bodyLine + head.body.slice(0, at).split("\n").length - 1;
  };
  if (head.body.trim() === "") {
    say("warning", head.bodyLine, "the template is empty", "write what the model is to read");
  }
  for (const node of template.nodes) {
    const unsafe = inlineOf(node).find((each) => each.kind === "slot" && each.place === "unsafe");
    if (unsafe?.kind === "slot") {
      const says = `${unsafe.literal} cannot be escaped safely where it stands in a shell command`;
      say(
        "warning",
        lineOf(node.kind === "shell" ? node.literal : unsafe.literal),
        says,
        "move it before any $(…), ${…}, << or comment",
      );
    }
  }
  if (template.dialect !== "galley") return;
  const names = new Set(["ARGUMENTS", ...specs.map(({ name }) => name)]);
  for (const [literal, name = ""] of head.body.matchAll(/(?<![\\$])\$\{([A-Za-z_][\w-]*)/g)) {
    if (names.has(name)) continue;
    names.add(name);
    say(
      "warning",
      lineOf(literal),
      `\${${name}} is not a declared argument and stays as it is`,
      "declare it under `arguments`, or write \\${ for the text",
    );
  }
}

/** The fields that each dialect knows and that mean something here. */
export const KEYS: { readonly [D in DialectId]: readonly string[] } = {
  galley: [
    "description",
    "argument-hint",
    "arguments",
    "aliases",
    "model",
    "agent",
    "subtask",
    "allowed-tools",
  ],
  claude: ["description", "argument-hint", "arguments", "model", "agent", "allowed-tools"],
  opencode: ["description", "agent", "model", "subtask"],
  pi: ["description", "argument-hint"],
  gemini: ["description", "prompt"],
};

export function checkKeys(fields: Head["fields"], dialect: DialectId, say: Say): void {
  for (const [key, { line }] of fields) {
    if (!KEYS[dialect].includes(key)) {
      say(
        "warning",
        line,
        `\`${key}\` has no effect here`,
        `known keys: ${KEYS[dialect].join(", ")}`,
      );
    }
  }
}
