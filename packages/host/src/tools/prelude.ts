/** The skills that a message mentions, also through a command, in order and each once. */
import type { UserContext } from "@galley/assemble";
import { isPart, type UserPart } from "@galley/parts";

export function mentionedSkills({ parts }: Pick<UserContext, "parts">): readonly string[] {
  return [...new Set(parts.flatMap(skillsOf))];
}

function skillsOf(part: UserPart): readonly string[] {
  if (!isPart(part)) return [];
  if (part.type === "command") return (part.expansion ?? []).flatMap(skillsOf);
  const isSkill = part.type === "mention" && part.target.kind === "skill";
  return isSkill && part.target.name !== undefined ? [part.target.name] : [];
}
