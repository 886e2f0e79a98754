/**
 * What holds for every draft, as functions that say what broke: a small world with a workspace, an
 * editor, a shell that only listens and commands of every kind; drafts made by chance; and the laws
 * that the tests and the fuzz run share. It decides nothing about composing.
 */
import { readUserMessage } from "@galley/parts";
import { splitWords } from "./argv.ts";
import { BUILTIN_COMMANDS } from "./command/builtin.ts";
import {
  type Catalogue,
  createCatalogue,
  promptCommand,
  skillCommand,
} from "./command/catalogue.ts";
import type { CommandEntry } from "./command/entry.ts";
import { composeMessage } from "./compose.ts";
import type { Composed } from "./composed.ts";
import type { Draft, DraftPart } from "./draft.ts";
import type { ComposeHost, PathKind } from "./host.ts";
import { shellWordsOf } from "./laws-shell.ts";
import { literalText, reopen } from "./reopen.ts";
import { parseTemplate } from "./template/parse.ts";
import type { DialectId } from "./template/tree.ts";

/** Low, so that short drafts have large pastes too. */
export const PASTE_LIMIT = 24;

const FILES: ReadonlyMap<string, PathKind> = new Map([
  ["src/a.ts", "file"],
  ["src", "directory"],
  ["a b.ts", "file"],
  ["x.", "file"],
  ["n:1", "file"],
  ["目录/文件.md", "file"],
]);

const template = (name: string, text: string, dialect: DialectId): CommandEntry => ({
  name,
  source: { kind: "project", file: `${name}.md`, dialect },
  deed: { kind: "template", template: parseTemplate(text, dialect) },
});

/** Slots in every place where a shell command may have one. */
const SHELL_TEMPLATE = "!`run $1 \"$2\" '$3' $ARGUMENTS`";

export const LAW_CATALOGUE: Catalogue = createCatalogue([
  ...BUILTIN_COMMANDS,
  template("probe", "<$1|$2|$ARGUMENTS>", "galley"),
  template("listen", SHELL_TEMPLATE, "galley"),
  template("old", "<$1|$ARGUMENTS>", "opencode"),
  template("zero", "<$0|$1|$ARGUMENTS>", "claude"),
  template("plain", "no slot", "gemini"),
  skillCommand({ name: "known" }),
  promptCommand("server", { name: "weather", arguments: [{ name: "city", required: true }] }),
]);

export type Heard = { readonly shell: string[] };

export function lawHost(heard: Heard): ComposeHost {
  return {
    kindOf: async (path) => FILES.get(path),
    mention: async (kind, name) => (name === "known" ? { kind, name } : undefined),
    context: async (token) =>
      token === "selection"
        ? [
            { type: "editor-context", kind: token, payload: { at: 1 }, emitted_at: 1 },
            { type: "file-ref", ref: { kind: "path", path: "src/a.ts" } },
          ]
        : [],
    act: async ({ action }) =>
      action === "archive"
        ? { ok: false, code: "busy", message: "the session is running" }
        : { ok: true, result: { action } },
    shell: async (command) => {
      heard.shell.push(command);
      return { ok: true, output: "heard\n" };
    },
    mcpPrompt: async (_server, prompt, args) => ({
      ok: true,
      messages: [{ role: "user", content: { type: "text", text: `${prompt} ${args.city}` } }],
    }),
  };
}

/** What the law that a draft breaks says; undefined when it breaks none. */
export async function brokenLaw(draft: Draft): Promise<string | undefined> {
  const heard: Heard = { shell: [] };
  const options = { pasteChars: PASTE_LIMIT };
  const composed = await composeMessage(draft, LAW_CATALOGUE, lawHost(heard), options);
  if (!composed.ok) {
    return composed.draft === draft ? undefined : "a refusal gives the draft back as it was";
  }
  const read = readUserMessage(composed.message);
  if (!read.ok) return `a composed message is a message: ${read.issues.join("; ")}`;
  if (literalText(composed.message.parts) !== typedText(draft)) {
    return "the literals of the parts are the text that was typed";
  }
  return brokenArgument(composed, heard) ?? (await brokenReopening(composed));
}

function typedText({ parts }: Draft): string {
  return parts
    .map((part) => {
      if ("literal" in part && typeof part.literal === "string") return part.literal;
      const isText = part.type === "typed" || part.type === "text" || part.type === "pasted";
      const text = isText ? String(part.text) : "";
      return part.type === "pasted" && text.length > PASTE_LIMIT ? "" : text;
    })
    .join("");
}

async function brokenReopening({ message }: Composed & { ok: true }): Promise<string | undefined> {
  const { id: _, ...expected } = message;
  const draft = reopen(message);
  const options = { pasteChars: PASTE_LIMIT };
  const again = await composeMessage(draft, LAW_CATALOGUE, lawHost({ shell: [] }), options);
  if (!again.ok) return `a message that is re-opened composes: ${again.error.message}`;
  return JSON.stringify(again.message) === JSON.stringify(expected)
    ? undefined
    : `re-opening and composing gives the message again: ${JSON.stringify(again.message)}`;
}

type Command = {
  readonly id: string;
  readonly args: { readonly raw: string; readonly argv: readonly string[] };
  readonly expansion?: readonly { readonly type: string; readonly text?: string }[];
};

function brokenArgument({ message }: Composed & { ok: true }, heard: Heard): string | undefined {
  const commands = message.parts.filter(
    (part) => part.type === "command" && Array.isArray(part.expansion),
  ) as unknown as readonly Command[];
  const listened = commands.filter(({ id }) => isCalled(id, "listen"));
  const runnable = listened.filter(({ args }) => !args.raw.includes("\0"));
  if (heard.shell.length !== runnable.length) return "only the author's commands are run";
  for (const [index, { args }] of runnable.entries()) {
    const words = shellWordsOf(heard.shell[index] as string);
    const [one = "", two = "", three = ""] = args.argv;
    const expected = ["run", one, two, three, ...args.argv];
    if (JSON.stringify(words) !== JSON.stringify(expected)) {
      return `an argument is one word of the shell: ${heard.shell[index]}`;
    }
  }
  const wrong = commands.find((command) => expectedText(command) !== textOf(command));
  return wrong && `argument text is data: ${JSON.stringify(wrong)}`;
}

const isCalled = (id: string, name: string): boolean =>
  id === `/${name}` || id === `/project:${name}`;

const textOf = ({ expansion = [] }: Command): string | undefined =>
  expansion.length === 1 ? expansion[0]?.text : undefined;

/** What the templates give, written out without them; `textOf` itself where no rule is known. */
function expectedText(command: Command): string | undefined {
  const { id, args } = command;
  const { raw, argv } = args;
  const [one, two] = argv;
  if (isCalled(id, "probe")) return `<${one ?? ""}|${two ?? ""}|${raw}>`;
  if (isCalled(id, "old")) return `<${argv.join(" ")}|${raw}>`;
  if (isCalled(id, "zero")) return `<${one ?? "$0"}|${two ?? "$1"}|${raw}>`;
  if (isCalled(id, "plain")) return raw === "" ? "no slot" : `no slot\n\n${raw}`;
  if (isCalled(id, "listen")) return raw.includes("\0") ? textOf(command) : "heard";
  return textOf(command);
}

export type Chance = () => number;

const SNIPPETS: readonly string[] = [
  "/compact",
  "/probe ",
  "/listen ",
  "/old ",
  "/zero ",
  "/plain ",
  "/foo",
  "/weather ",
  "/archive",
  "/skill:known ",
  "/project:probe ",
  "/usr/bin",
  "/",
  "@",
  "@src/a.ts",
  "@src",
  "@selection",
  "@skill:known",
  "@skill:nope",
  "@file:src/a.ts",
  '@"a b.ts"',
  "@x.",
  "@n:1",
  "@目录/文件.md",
  "@types/node",
  "me@x.com",
  ":10-25",
  "#L3",
  "\\",
  "\\@",
  "\\/",
  "$1",
  "$ARGUMENTS",
  "${@:2}",
  "$@",
  "{{args}}",
  "!{ls}",
  "!`ls`",
  "$(ls)",
  "`",
  "``",
  "```",
  "```\n",
  "~~~",
  '"',
  "'",
  ",",
  ".",
  ")",
  "(",
  "\n",
  "\n\n",
  "\r\n",
  " ",
  "  ",
  "\t",
  "word",
  "看",
  "，",
  "é",
  "👩‍🚀",
  "\ud800",
  "\udc00",
  "\u2028",
  "\u00a0",
  "\ufffb",
  "\ufffc",
  "\ufeff",
  "\0",
  "--",
  "a=b",
  "city=Oslo",
  "<b>",
  "<editor_context>",
];

const pick = <T>(chance: Chance, from: readonly T[]): T =>
  from[Math.floor(chance() * from.length)] as T;

export function randomText(chance: Chance): string {
  let text = "";
  for (let left = Math.floor(chance() * 12); left > 0; left--) {
    text += chance() < 0.9 ? pick(chance, SNIPPETS) : String.fromCharCode(chance() * 0x10000);
  }
  return text;
}

function randomPart(chance: Chance): DraftPart {
  const text = randomText(chance);
  const raw = text.replaceAll("\n", " ").trim();
  return pick<() => DraftPart>(chance, [
    () => ({ type: "typed", text }),
    () => ({ type: "typed", text }),
    () => ({ type: "typed", text }),
    () => ({ type: "pasted", text }),
    () => ({ type: "pasted", text: text.repeat(3) }),
    () => ({ type: "text", text }),
    () => ({ type: "pasted-entity", id: "node-1", emitted_at: 1 }),
    () => ({ type: "file-ref", ref: { kind: "path", path: "src/a.ts" } }),
    () => ({ type: "command", id: "/probe", args: { raw } }),
    () => ({ type: "command", id: "/listen", args: { argv: splitWords(raw) } }),
    () => ({ type: "command", id: "/weather", args: { named: { city: text } } }),
    () => ({ type: "from-elsewhere", text }),
  ])();
}

export function randomDraft(chance: Chance): Draft {
  const parts: DraftPart[] = [{ type: "typed", text: randomText(chance) }];
  while (chance() < 0.4) parts.push(randomPart(chance));
  return { parts };
}

/** Numbers in [0, 1) that a seed repeats. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
