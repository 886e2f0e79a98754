/**
 * The skills that a session can load: those of its workspace, then the person's own. Names are known
 * at once; a body is read when it is asked for, as it is then.
 */
import type { SessionRow } from "@galley/parts";
import { done, failed, type Tried } from "../attachments/tried.ts";
import type { AuthorRoot } from "../compositor/author-files.ts";
import { MOST_BYTES } from "../compositor/read-files.ts";
import { type Skill, type SkillFiles, skillFiles } from "../compositor/skill-files.ts";
import { readOpened } from "../workspace/read-file.ts";
import { openInside } from "../workspace/roots.ts";

export type SkillBody = { readonly skill: Skill; readonly text: string };

export interface SkillShelf {
  list(session: SessionRow): Promise<readonly Skill[]>;
  names(session: SessionRow): Promise<readonly string[]>;
  /** Undefined when there is none of that name. */
  body(session: SessionRow, name: string): Promise<Tried<SkillBody> | undefined>;
}

export type SkillShelfInput = {
  rootOf(session: SessionRow): string | undefined;
  /** The person's own folder; without it there are no skills of theirs. */
  readonly userHome?: string | undefined;
};

/** Workspaces whose skills are kept in mind. */
const MOST_ROOTS = 32;

export function skillShelf({ rootOf, userHome }: SkillShelfInput): SkillShelf {
  const shelves = new Map<string, SkillFiles>();

  function rootsOf(session: SessionRow): readonly AuthorRoot[] {
    const root = rootOf(session);
    return [
      ...(root === undefined ? [] : [{ scope: "project", folder: root } as const]),
      ...(userHome === undefined ? [] : [{ scope: "user", folder: userHome } as const]),
    ];
  }

  function filesOf(roots: readonly AuthorRoot[]): SkillFiles {
    const key = roots.map(({ folder }) => folder).join("\0");
    const files = shelves.get(key) ?? skillFiles(roots);
    // The one used last is the last to go.
    shelves.delete(key);
    shelves.set(key, files);
    const [oldest] = shelves.keys();
    if (shelves.size > MOST_ROOTS && oldest !== undefined) shelves.delete(oldest);
    return files;
  }

  async function list(session: SessionRow): Promise<readonly Skill[]> {
    return (await filesOf(rootsOf(session)).load()).skills;
  }

  return {
    list,
    names: async (session) => (await list(session)).map(({ name }) => name),
    async body(session, name) {
      const roots = rootsOf(session);
      const { skills } = await filesOf(roots).load();
      const skill = skills.find((each) => each.name === name);
      const folder = roots.find(({ scope }) => scope === skill?.scope)?.folder;
      if (skill === undefined || folder === undefined) return undefined;
      const text = await textOf(folder, skill.file.replace(/^~\//, ""));
      return text.ok ? done({ skill, text: withoutHead(text.value) }) : text;
    },
  };
}

async function textOf(folder: string, path: string): Promise<Tried<string>> {
  const opened = await openInside(folder, path);
  if (!opened.ok) return failed(opened.reason);
  const read = await readOpened(opened, MOST_BYTES);
  if (!read.ok) return failed(read.reason);
  if (read.more) return failed(`it is larger than ${MOST_BYTES} bytes`);
  try {
    return done(new TextDecoder("utf-8", { fatal: true }).decode(read.bytes));
  } catch {
    // The one way a fatal decode fails: these bytes are not UTF-8.
    return failed("it is not UTF-8");
  }
}

const HEAD = /^---[ \t]*\r?\n(?:[\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)/;

const withoutHead = (text: string): string => text.replace(HEAD, "").trim();
