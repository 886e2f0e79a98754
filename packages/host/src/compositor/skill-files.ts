/**
 * The skills of a workspace and of a person, by name and description: enough to mention one and to
 * type its name as a command. What is in a skill is not read here.
 */
import type { Finding } from "@galley/compose";
import { plainName } from "@galley/shape";
import type { AuthorFile, AuthorRoot, Place } from "./author-files.ts";
import { fileReader, readShelves } from "./read-files.ts";
import { readSkillHead } from "./skill-head.ts";

export type Skill = {
  readonly name: string;
  readonly description?: string;
  readonly scope: AuthorRoot["scope"];
  /** Its SKILL.md, as people know it. */
  readonly file: string;
};

export type FoundSkills = {
  readonly skills: readonly Skill[];
  readonly findings: readonly Finding[];
};

const place = (folder: string): Place => ({
  folder,
  depth: 0,
  ending: /\.md$/i,
  each: "SKILL.md",
});
const PLACES = [place(".agents/skills"), place(".claude/skills")];

export interface SkillFiles {
  /** As they are now; the first of a name is the one. */
  load(): Promise<FoundSkills>;
}

export function skillFiles(roots: readonly AuthorRoot[]): SkillFiles {
  const shelves = roots.flatMap((root) =>
    PLACES.map((each) => ({
      root,
      place: each,
      reader: fileReader((file, text) => readSkill(file, text, root.scope)),
    })),
  );
  return {
    async load() {
      const read = await readShelves(shelves);
      const skills = new Map<string, Skill>();
      const findings = [...read.findings];
      for (const { skill, problems } of read.values) {
        findings.push(...problems);
        const first = skills.get(skill.name);
        if (first === undefined) skills.set(skill.name, skill);
        else findings.push(shadowed(skill, first));
      }
      return { skills: [...skills.values()], findings };
    },
  };
}

type ReadSkill = { readonly skill: Skill; readonly problems: readonly Finding[] };

const LONGEST_NAME = 128;

async function readSkill(
  { inside, shown }: AuthorFile,
  text: string,
  scope: Skill["scope"],
): Promise<ReadSkill> {
  const head = await readSkillHead(text);
  const problems: Finding[] = [];
  const warn = (says: string, fix: string): void => {
    problems.push({ file: shown, line: 1, severity: "warning", says, fix });
  };
  if (head.problem !== undefined) warn(head.problem, "write `name:` and `description:` lines");
  const folder = inside.split("/")[0] ?? "";
  const isName =
    head.name !== undefined &&
    head.name.length <= LONGEST_NAME &&
    plainName(head.name) === head.name;
  if (head.name !== undefined && !isName) {
    warn(`its name cannot be typed: the folder's, ${folder}, is used`, "give it a plain name");
  }
  const name = isName && head.name !== undefined ? head.name : folder;
  const { description } = head;
  return {
    skill: { name, ...(description !== undefined && { description }), scope, file: shown },
    problems,
  };
}

const shadowed = (skill: Skill, first: Skill): Finding => ({
  file: skill.file,
  line: 1,
  severity: "warning",
  says: `the skill ${skill.name} is the one of ${first.file}: this one is not used`,
  fix: "give it another name",
});
