/**
 * The tool that loads a skill: its body, between markers that nothing in it can close, once in what
 * the model sees. What was rewound is no longer seen, and is loaded again.
 */
import { dirname } from "node:path";
import type { ContextMessage } from "@galley/assemble";
import type { MessageId, SessionId } from "@galley/parts";
import { plainName } from "@galley/shape";
import type { Tool, ToolOutput } from "@galley/turn";
import { z } from "zod";
import { defineTool, refuse, say } from "./define-tool.ts";
import type { SkillBody, SkillShelf } from "./skill-shelf.ts";

/** Which skills stand in the messages of a session that are visible now. */
export interface LoadedSkills {
  names(session: SessionId): Promise<ReadonlySet<string>>;
}

export const SKILL_TOOL = "skill";
const OPEN = "<skill_content ";
const NAMES_SHOWN = 50;

export function skillTool(shelf: SkillShelf, loaded: LoadedSkills): Tool {
  const justNow = recentLoads();
  return defineTool({
    name: SKILL_TOOL,
    description:
      "Loads a skill: instructions for a kind of work, by its name. Use it before work that a skill's description fits, and follow what it says. It loads text and does nothing else; a skill that is loaded stays loaded, and need not be asked for again.",
    input: z.strictObject({
      name: z.string().min(1).max(128).describe("The skill's name, as it is listed."),
    }),
    subject: ({ name }) => name,
    async run({ name }, { session, message_id }): Promise<ToolOutput> {
      const isThere = justNow.has(message_id, name) || (await loaded.names(session.id)).has(name);
      if (isThere) return say(`The skill ${plainName(name)} is already loaded: its text is above.`);
      const found = await shelf.body(session, name);
      if (found === undefined) return refuse(await unknown(shelf, session, name));
      if (!found.ok) return refuse(`the skill ${plainName(name)} cannot be read: ${found.reason}`);
      justNow.add(message_id, name);
      return say(skillText(found.value));
    },
  });
}

async function unknown(
  shelf: SkillShelf,
  session: Parameters<SkillShelf["names"]>[0],
  name: string,
): Promise<string> {
  const names = await shelf.names(session);
  const some = names.slice(0, NAMES_SHOWN).map(plainName).join(", ");
  const more = names.length > NAMES_SHOWN ? ", …" : "";
  const there = names.length === 0 ? "there are none here" : `the skills here are ${some}${more}`;
  return `there is no skill ${plainName(name)}: ${there}`;
}

export function skillText({ skill, text }: SkillBody): string {
  const folder = dirname(skill.file);
  const where =
    skill.scope === "project"
      ? `Paths in it are from ${folder}, which the read tool reaches.`
      : `Its folder, ${folder}, is outside the workspace: other files of it cannot be read.`;
  return `${OPEN}name="${attribute(skill.name)}">\n${inert(text)}\n</skill_content>\n${where}`;
}

const attribute = (text: string): string =>
  plainName(text).replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

/** No text can open or close a marker; all other text is as the author wrote it. */
const inert = (text: string): string =>
  text.replace(/<(?=\s*\/?\s*(?:skill_content|editor_context))/gi, "&lt;");

/** A call that gave the body, by the name that it was called with. */
export function loadedBy(part: Readonly<Record<string, unknown>>): string | undefined {
  if (part.type !== `tool-${SKILL_TOOL}` || part.state !== "output-available") return undefined;
  const { name } = (part.input ?? {}) as { name?: unknown };
  const { data } = (part.output ?? {}) as { data?: unknown };
  const isBody = typeof data === "string" && data.startsWith(OPEN);
  return isBody && typeof name === "string" ? name : undefined;
}

export const loadedIn = (history: readonly ContextMessage[]): ReadonlySet<string> =>
  new Set(
    history
      .flatMap((message) => (message.role === "assistant" ? message.parts : []))
      .flatMap((part) => loadedBy(part) ?? []),
  );

/** Loads of the answers that run now: they may not be stored yet. */
function recentLoads(most = 1000) {
  const names = new Map<MessageId, Set<string>>();
  return {
    has: (answer: MessageId, name: string): boolean => names.get(answer)?.has(name) === true,
    add(answer: MessageId, name: string): void {
      const all = names.get(answer) ?? new Set();
      names.set(answer, all.add(name));
      const [oldest] = names.keys();
      if (names.size > most && oldest !== undefined) names.delete(oldest);
    },
  };
}
