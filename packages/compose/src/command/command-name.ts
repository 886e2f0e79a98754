/** Which tool a command file was written for, and what the command is called there. */
import type { DialectId } from "../template/tree.ts";
import { oneWord } from "./entry.ts";

const FOLDERS: readonly (readonly [RegExp, DialectId])[] = [
  [/(?:^|\/)\.agents\/commands\/(.+)\.md$/i, "galley"],
  [/(?:^|\/)\.claude\/commands\/(.+)\.md$/i, "claude"],
  [/(?:^|\/)(?:\.opencode|opencode)\/commands?\/(.+)\.md$/i, "opencode"],
  [/(?:^|\/)\.gemini\/commands\/(.+)\.toml$/i, "gemini"],
  [/(?:^|\/)\.pi\/(?:agent\/)?prompts\/([^/]+)\.md$/i, "pi"],
];

export type CommandPlace = {
  readonly dialect: DialectId;
  readonly name: string;
  readonly aliases: readonly string[];
};

/** By the folder in which a file lies; undefined for a file that is no command. */
export function placeOfFile(path: string): CommandPlace | undefined {
  const plain = path.replaceAll("\\", "/");
  for (const [folder, dialect] of FOLDERS) {
    const inside = folder.exec(plain)?.[1];
    if (inside !== undefined) return { dialect, ...nameInFolder(inside, dialect) };
  }
  return undefined;
}

/** `git/commit` → `git:commit`; opencode keeps its slash and gets the colon as an alias. */
export function nameInFolder(
  inside: string,
  dialect: DialectId,
): { readonly name: string; readonly aliases: readonly string[] } {
  const folders = inside
    .replace(/\.(?:md|toml)$/i, "")
    .split("/")
    .filter((each) => each !== "" && each !== ".")
    .map(oneWord);
  if (dialect === "pi") return { name: folders.at(-1) ?? "", aliases: [] };
  const spaced = folders.map((each) => (dialect === "gemini" ? each.replaceAll(":", "_") : each));
  const name = spaced.join(":");
  if (dialect !== "opencode" || spaced.length < 2) return { name, aliases: [] };
  return { name: spaced.join("/"), aliases: [name] };
}
