/** Which skills a session has loaded, from the calls that its store shows. */
import type { Store } from "@galley/persist";
import { type LoadedSkills, loadedBy, SKILL_TOOL } from "./skill.ts";

export const storedSkills = (store: Pick<Store, "parts">): LoadedSkills => ({
  async names(session) {
    const calls = await store.parts.toolCalls(session, ["output-available"]);
    const skills = calls.filter(({ type }) => type === `tool-${SKILL_TOOL}`);
    return new Set(skills.flatMap(({ data_json }) => loadedBy(JSON.parse(data_json)) ?? []));
  },
});
