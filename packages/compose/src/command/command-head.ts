/** The text of a command file cut into its fields and its template. */
import type { Finding } from "./finding.ts";
import type { Field } from "./front-matter.ts";

export type Head = {
  readonly fields: ReadonlyMap<string, Field>;
  readonly body: string;
  /** 1-based line of the file on which the body begins. */
  readonly bodyLine: number;
};

export type Say = (severity: Finding["severity"], line: number, says: string, fix: string) => void;

const OPENING = /^---[ \t]*\r?\n/;
const CLOSING = /^---[ \t]*\r?$/m;

export async function readMarkdown(given: string, say: Say): Promise<Head> {
  const text = given.replace(/^\uFEFF/, "");
  const open = OPENING.exec(text)?.[0].length;
  if (open === undefined) return { fields: new Map(), ...bodyOf(text, 1) };
  const rest = text.slice(open);
  const close = CLOSING.exec(rest);
  if (close === null) {
    say(
      "warning",
      1,
      "the front matter is not closed, so the whole file is the template",
      "add a line `---` after it",
    );
    return { fields: new Map(), ...bodyOf(text, 1) };
  }
  const { readFrontMatter } = await import("./front-matter.ts");
  const yaml = rest.slice(0, close.index);
  const { fields, problems } = readFrontMatter(yaml);
  for (const { line, says } of problems) {
    say(
      "warning",
      line,
      `the front matter is not quite YAML: ${says}`,
      "put the value in double quotes",
    );
  }
  const after = rest.slice(close.index + close[0].length).replace(/^\n/, "");
  return { fields, ...bodyOf(after, yaml.split("\n").length + 2) };
}

/** Empty lines around the template are layout. */
function bodyOf(text: string, line: number): { readonly body: string; readonly bodyLine: number } {
  if (text.trim() === "") return { body: "", bodyLine: line };
  const lead = /^(?:[ \t]*\r?\n)*/.exec(text)?.[0] ?? "";
  return { body: text.slice(lead.length).trimEnd(), bodyLine: line + lead.split("\n").length - 1 };
}

export async function readToml(text: string, say: Say): Promise<Head | undefined> {
  const { readTomlCommand } = await import("./toml-command.ts");
  const read = readTomlCommand(text);
  if (read.ok) return { fields: read.fields, body: read.prompt, bodyLine: read.line };
  say("error", read.line, read.says, read.fix);
  return undefined;
}
