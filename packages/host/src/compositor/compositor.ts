/**
 * The one way from a draft to a message, for every surface of the host: the workspace's commands
 * and skills as they are now. The host only looks, unless the caller has a session to act on.
 */
import {
  BUILTIN_COMMANDS,
  type Catalogue,
  type Collision,
  type CommandEntry,
  type Completion,
  type ComposeHost,
  complete,
  composeMessage,
  createCatalogue,
  DEFAULT_MENTIONS,
  type Draft,
  extendMentions,
  type Finding,
  type HostActionRecord,
  type Note,
  placeOfFile,
  skillCommand,
} from "@galley/compose";
import type { UserMessage, UserPart } from "@galley/parts";
import { HostError } from "../host-error.ts";
import type { McpServers } from "../mcp/mcp-servers.ts";
import { namesUnknown, promptCommands, promptsSoon, whyNoPrompt } from "../mcp/prompt-commands.ts";
import type { AuthorRoot } from "./author-files.ts";
import { commandFiles } from "./command-files.ts";
import { composeHost, type MentionRegistry } from "./compose-host.ts";
import { CompositorError } from "./compositor-error.ts";
import { type GivenSample, samplesOf } from "./context-samples.ts";
import { type FoundMentions, searchMentions } from "./mention-search.ts";
import { type Skill, skillFiles } from "./skill-files.ts";
import { workspaceSearch } from "./workspace-search.ts";

export type CompositorInput = {
  readonly workspace: string;
  /** The person's own folder; without it there are no user commands and skills. */
  readonly userHome?: string | undefined;
  /** Bytes that one message may come to. */
  readonly mostBytes: number;
  readonly registry?: MentionRegistry | undefined;
  readonly mcp?: McpServers | undefined;
  /** Epoch ms. */
  now(): number;
};

export type ComposedMessage = {
  readonly message: UserMessage;
  readonly notes: readonly Note[];
  readonly actions: readonly HostActionRecord[];
  /** False when the message holds host actions alone: nothing of it is for a model. */
  readonly turn: boolean;
};

export type CommandList = {
  readonly commands: readonly Completion[];
  readonly collisions: readonly Collision[];
  /** What is odd about the files behind them. */
  readonly findings: readonly Finding[];
};

export interface Compositor {
  compose(
    draft: Draft,
    given?: readonly GivenSample[],
    act?: ComposeHost["act"],
  ): Promise<ComposedMessage>;
  /** What a palette shows for a beginning of a name; all of it for none. */
  commands(prefix: string): Promise<CommandList>;
  mentions(query: string, limit: number): Promise<FoundMentions>;
  close(): void;
}

type Loaded = {
  readonly catalogue: Catalogue;
  readonly skills: readonly Skill[];
  readonly findings: readonly Finding[];
};

export function createCompositor(input: CompositorInput): Compositor {
  const { workspace, userHome, registry, mcp } = input;
  const roots: readonly AuthorRoot[] = [
    { scope: "project", folder: workspace },
    ...(userHome === undefined ? [] : [{ scope: "user", folder: userHome } as const]),
  ];
  const commands = commandFiles(roots);
  const skills = skillFiles(roots);
  const mentions = extendMentions(DEFAULT_MENTIONS, registry?.adds ?? {});
  const paths = workspaceSearch(workspace, () => input.now());

  async function load(): Promise<Loaded> {
    const [files, found] = await Promise.all([commands.load(), skills.load()]);
    const entries = [...BUILTIN_COMMANDS, ...files.entries, ...found.skills.map(skillCommand)];
    return {
      catalogue: createCatalogue(entries, mentions),
      skills: found.skills,
      findings: [...files.findings, ...found.findings],
    };
  }

  const adding = (loaded: Loaded, entries: readonly CommandEntry[]): Loaded => ({
    ...loaded,
    catalogue: createCatalogue([...loaded.catalogue.entries, ...entries], mentions),
  });

  /** Prompts come last in the order of names, so a name that is known needs no server. */
  async function withPrompts(loaded: Loaded, draft: Draft): Promise<Loaded> {
    if (!mcp || !namesUnknown(draft, loaded.catalogue)) return loaded;
    return adding(loaded, await promptCommands(mcp));
  }

  const nothing: Loaded = { catalogue: createCatalogue([], mentions), skills: [], findings: [] };

  return {
    async compose(draft, given = [], act) {
      const loaded = isPlain(draft) ? nothing : await withPrompts(await load(), draft);
      const samples = samplesOf(given, input.now, registry?.adds?.contexts);
      const looking = composeHost({ workspace, skills: loaded.skills, samples, registry, mcp });
      const host: ComposeHost = act === undefined ? looking : { ...looking, act };
      const isBare = draft.parts.length === 0;
      const said = isBare ? { ...draft, parts: samples.all() } : draft;
      const composed = await composeMessage(said, loaded.catalogue, host);
      if (!composed.ok) {
        const isEmpty = composed.error.code === "compose.empty";
        throw isEmpty ? HostError.make("empty_message", {}) : composed.error;
      }
      refuseTooLong(composed.message.parts, input.mostBytes);
      return {
        message: isBare ? composed.message : samples.addTo(composed.message),
        notes: [
          ...composed.notes,
          ...whyUnknown(composed.message.parts, loaded.findings),
          ...whyNoPrompt(composed.message.parts, mcp?.findings() ?? []),
          ...(composed.turn || act !== undefined ? [] : [NO_TURN]),
        ],
        actions: composed.actions,
        turn: composed.turn,
      };
    },
    async commands(prefix) {
      const [loaded, prompts] = await Promise.all([load(), mcp && promptsSoon(mcp)]);
      const { catalogue } = prompts ? adding(loaded, prompts.entries) : loaded;
      const { collisions } = catalogue;
      const findings = [...loaded.findings, ...(prompts?.findings ?? [])];
      return { commands: complete(catalogue, prefix), collisions, findings };
    },
    async mentions(query, limit) {
      const { catalogue, skills: all } = await load();
      return searchMentions(query, limit, {
        mentions: catalogue.mentions,
        skills: all,
        registry,
        paths,
      });
    },
    close: () => paths.close(),
  };
}

/** No token can stand in it, so that no file has to be looked at for it. */
const isPlain = ({ parts }: Draft): boolean =>
  parts.every((part) =>
    part.type === "typed" && "text" in part
      ? !/[/@]/.test(String(part.text))
      : part.type !== "command",
  );

const NO_TURN: Note = {
  code: "action-not-run",
  message: "a message of host actions alone starts no turn: nothing of it is sent to a model",
};

/** A short line may stand for a long text, and there may be many of them. */
function refuseTooLong(parts: readonly UserPart[], limit: number): void {
  let length = 0;
  for (const part of parts) {
    if (part.type !== "command" || !Array.isArray(part.expansion)) continue;
    for (const each of part.expansion as readonly UserPart[]) {
      if (typeof each.text === "string") length += each.text.length;
    }
    if (length > limit) throw CompositorError.make("expands_too_far", { limit });
  }
}

/** A command that is unknown because its file is broken: the person hears of the file. */
function whyUnknown(parts: readonly UserPart[], findings: readonly Finding[]): Note[] {
  return parts.flatMap((part, index) => {
    if (part.type !== "command" || part.outcome !== "pass-through") return [];
    const broken = findings.filter(
      ({ file, severity }) =>
        severity === "error" && `/${placeOfFile(file)?.name}` === String(part.id),
    );
    return broken.map(({ file, line, says }) => ({
      code: "unknown-command" as const,
      message: `${file}:${line}: ${says}`,
      part: index,
    }));
  });
}
