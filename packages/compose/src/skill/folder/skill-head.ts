/** The fields that the agentskills format itself has, and what is off about them. */
import type { Head, Say } from "../../command/command-head.ts";
import { SkillPackage } from "../package.ts";
import { SETTING_KEYS } from "./skill-settings.ts";

const FORMAT_KEYS = [
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "allowed-tools",
];
/** Of other hosts and without a meaning here; published skills carry them. */
const KNOWN_ELSEWHERE = ["version", "author", "homepage", "user-invocable", "argument-hint"];

const PLAIN_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const NAME_CHARS = 64;
const DESCRIPTION_CHARS = 1024;
const COMPATIBILITY_CHARS = 500;

function textOf({ fields }: Head, key: string): string | undefined {
  const value = fields.get(key)?.value;
  const text = typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
  return text === "" ? undefined : text;
}

const isUsable = (name: string | undefined): name is string =>
  name !== undefined && SkillPackage.shape.name.safeParse(name).success;

/** The folder's name where the head has none that can be used. */
export function nameOf(head: Head, folder: string): string {
  const name = textOf(head, "name");
  return isUsable(name) ? name : folder;
}

export const descriptionOf = (head: Head): string | undefined => textOf(head, "description");

export function checkHead(head: Head, folder: string, say: Say): void {
  const lineOf = (key: string): number => head.fields.get(key)?.line ?? 1;
  checkName(textOf(head, "name"), lineOf("name"), folder, say);
  const description = descriptionOf(head);
  if (description === undefined) {
    const fix = "write `description: …` in the front matter: what it does and when to use it";
    say("error", lineOf("description"), "the description is missing", fix);
  } else if (description.length > DESCRIPTION_CHARS) {
    const says = `the description has ${description.length} characters, of at most ${DESCRIPTION_CHARS}`;
    say("warning", lineOf("description"), says, "shorten it; every session pays for it");
  }
  const compatibility = textOf(head, "compatibility")?.length ?? 0;
  if (compatibility > COMPATIBILITY_CHARS) {
    const says = `compatibility has ${compatibility} characters, of at most ${COMPATIBILITY_CHARS}`;
    say("warning", lineOf("compatibility"), says, "shorten it");
  }
  if (head.fields.has("allowed-tools")) {
    const says = "`allowed-tools` grants nothing here: the caller decides which tools there are";
    say("warning", lineOf("allowed-tools"), says, "name the tools it works with as `tool_surface`");
  }
  const known = [...FORMAT_KEYS, ...KNOWN_ELSEWHERE, ...SETTING_KEYS];
  for (const [key, { line }] of head.fields) {
    if (known.includes(key)) continue;
    say("warning", line, `\`${key}\` has no effect here`, `known keys: ${FORMAT_KEYS.join(", ")}`);
  }
}

function checkName(name: string | undefined, line: number, folder: string, say: Say): void {
  if (name === undefined) {
    say(
      "warning",
      line,
      `the name is missing: the folder's, ${folder}, is used`,
      "write `name: …`",
    );
  } else if (!isUsable(name)) {
    say(
      "warning",
      line,
      `the name cannot be used: the folder's, ${folder}, is`,
      "give it a plain name",
    );
  } else {
    if (name !== folder) {
      const says = `the name ${name} is not the folder's, ${folder}`;
      say("warning", line, says, "rename one of them");
    }
    if (!PLAIN_NAME.test(name) || name.length > NAME_CHARS) {
      const fix = `at most ${NAME_CHARS} lower-case letters, digits and single hyphens`;
      say("warning", line, `the name ${name} is not as other tools want it`, fix);
    }
  }
}
