/**
 * The name and description in the head of a SKILL.md, as far as they can be read. A head that is
 * not quite YAML still has lines that say both, and other tools take it.
 */
export type SkillHead = {
  readonly name?: string;
  readonly description?: string;
  /** What is wrong with the head, where something is. */
  readonly problem?: string;
};

const HEAD = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*\r?$/m;

export async function readSkillHead(text: string): Promise<SkillHead> {
  const yaml = HEAD.exec(text)?.[1];
  if (yaml === undefined) return { problem: "it has no front matter" };
  const read = await parse(yaml);
  if ("problem" in read) {
    const problem = `the front matter is not quite YAML: ${read.problem}`;
    return { ...pick((key) => lineOf(yaml, key)), problem };
  }
  const { fields } = read;
  return pick((key) => fields[key]);
}

function pick(read: (key: string) => unknown): Omit<SkillHead, "problem"> {
  const [name, description] = ["name", "description"].map((key) => {
    const value = read(key);
    const text = typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
    return text === "" ? undefined : text;
  });
  return { ...(name !== undefined && { name }), ...(description !== undefined && { description }) };
}

type Parsed = { readonly fields: Readonly<Record<string, unknown>> } | { readonly problem: string };

async function parse(text: string): Promise<Parsed> {
  // Only who has skills pays for the parser.
  const { parseDocument } = await import("yaml");
  try {
    const document = parseDocument(text, { prettyErrors: false, logLevel: "silent" });
    const [error] = document.errors;
    if (error !== undefined) return { problem: error.message.split("\n")[0] ?? "" };
    const fields: unknown = document.toJS({ maxAliasCount: 100 });
    const isTable = typeof fields === "object" && fields !== null && !Array.isArray(fields);
    if (!isTable) return { problem: "it is not a list of `key: value` lines" };
    return { fields: fields as Readonly<Record<string, unknown>> };
  } catch (error) {
    // The parser throws on aliases without end and on nesting deeper than the stack.
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function lineOf(yaml: string, key: string): string | undefined {
  const line = yaml.split("\n").find((each) => each.startsWith(`${key}:`));
  return line
    ?.slice(key.length + 1)
    .trim()
    .replace(/^(["'])(.*)\1$/, "$2");
}
