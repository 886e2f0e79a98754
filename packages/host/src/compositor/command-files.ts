/**
 * The command files of a workspace and of a person: where each tool keeps them, read in that
 * tool's dialect. A file that is broken is a finding; the others are there all the same.
 */
import {
  type CommandEntry,
  type DialectId,
  type Finding,
  type ReadCommand,
  readCommandFile,
} from "@galley/compose";
import type { AuthorRoot, Place } from "./author-files.ts";
import { type FileReader, fileReader, readShelves } from "./read-files.ts";

type CommandFolder = Place & { readonly dialect: DialectId };

const DEEP = 8;
const MARKDOWN = /\.md$/i;

const folder = (path: string, dialect: DialectId, depth = DEEP): CommandFolder => ({
  folder: path,
  dialect,
  depth,
  ending: dialect === "gemini" ? /\.toml$/i : MARKDOWN,
});

const FOLDERS: readonly CommandFolder[] = [
  folder(".agents/commands", "galley"),
  folder(".claude/commands", "claude"),
  folder(".opencode/command", "opencode"),
  folder(".opencode/commands", "opencode"),
  folder(".gemini/commands", "gemini"),
  folder(".pi/prompts", "pi", 0),
];

/** Where these two tools keep a person's own. */
const USER_FOLDERS: readonly CommandFolder[] = [
  folder(".config/opencode/command", "opencode"),
  folder(".config/opencode/commands", "opencode"),
  folder(".pi/agent/prompts", "pi", 0),
];

const foldersOf = ({ scope }: AuthorRoot): readonly CommandFolder[] =>
  scope === "user" ? [...FOLDERS, ...USER_FOLDERS] : FOLDERS;

export type FoundCommands = {
  readonly entries: readonly CommandEntry[];
  readonly findings: readonly Finding[];
};

export interface CommandFiles {
  /** As they are now. */
  load(): Promise<FoundCommands>;
}

export function commandFiles(roots: readonly AuthorRoot[]): CommandFiles {
  const shelves = roots.flatMap((root) =>
    foldersOf(root).map((place) => ({ root, place, reader: readerFor(root, place) })),
  );
  return {
    async load() {
      const { values, findings } = await readShelves(shelves);
      return {
        entries: values.flatMap(({ entry }) => entry ?? []),
        findings: [...findings, ...values.flatMap((read) => read.findings)],
      };
    },
  };
}

const readerFor = ({ scope }: AuthorRoot, { dialect }: CommandFolder): FileReader<ReadCommand> =>
  fileReader(({ shown, inside }, text) =>
    readCommandFile({ path: shown, text, scope, dialect, inside }),
  );
