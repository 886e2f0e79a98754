/**
 * The tools of this host, and who may call them: what only reads is allowed, everything else is
 * asked about, and a session's rules have the last word. Without a person, asking is denying.
 */
import type { SessionId, SessionRow } from "@galley/parts";
import type { Store } from "@galley/persist";
import {
  type Permit,
  questionTool,
  type Tool,
  type ToolBox,
  type ToolRequest,
  todoTool,
} from "@galley/turn";
import type { ToolSettings } from "../config/tool-settings.ts";
import type { McpServers } from "../mcp/mcp-servers.ts";
import { sessionTools } from "../mcp/session-tools.ts";
import { findSandbox, type SandboxSearch } from "../sandbox/find-sandbox.ts";
import { archiveExtractTool, archiveListTool } from "./archives.ts";
import { storedAttachments } from "./attachments.ts";
import { bashTool } from "./bash.ts";
import { NO_BASH_SETTINGS } from "./bash-settings.ts";
import { changeTools } from "./change-tools.ts";
import { audioInfoTool, officeTextTool, pdfTextTool } from "./documents.ts";
import { globTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { decidingRule, type PermissionRule } from "./permission.ts";
import { permit, rulesFor } from "./permit.ts";
import { mentionedSkills } from "./prelude.ts";
import { readTool } from "./read.ts";
import { type Scratch, scratchFolders } from "./scratch.ts";
import { loadedIn, SKILL_TOOL, skillTool } from "./skill.ts";
import { type SkillShelf, skillShelf } from "./skill-shelf.ts";
import { storedSkills } from "./stored-skills.ts";
import type { ToolPlaces } from "./target.ts";
import { type Subagents, taskTool } from "./task.ts";
import { permitAsSubagent } from "./task-permit.ts";
import { viewImageTool } from "./view-image.ts";
import { webFetchTool } from "./web-fetch.ts";
import type { Resolver } from "./web-request.ts";
import { webSearchTool } from "./web-search.ts";

export type ToolBoxInput = {
  readonly store: Pick<Store, "messages" | "parts" | "blobs">;
  /** The host's own folder, absolute: scratch folders are made in it. */
  readonly home: string;
  /** The root of a session that names none, absolute. */
  readonly workspace?: string | undefined;
  /** The person's own folder, for skills. */
  readonly userHome?: string | undefined;
  /** Nobody is there to ask. */
  readonly headless?: boolean;
  /** Of an agent; a session's own are in its row. */
  readonly rules?: readonly PermissionRule[];
  /** What the configuration says of tools. */
  readonly settings?: ToolSettings;
  /** An embedder's own word on a call, before any rule but an agent's denial. */
  readonly beforeTool?: BeforeTool | undefined;
  /** Of the engine that the configuration names for searches. */
  readonly fetch?: typeof fetch;
  /** Another than the system's own. */
  readonly findSandbox?: () => Promise<SandboxSearch>;
  /** Other names and addresses than those of the public web. */
  readonly web?: Resolver;
  readonly scratchBytes?: number;
  /** Their tools stand behind the host's own. */
  readonly mcp?: Pick<McpServers, "tools"> | undefined;
  /** Without them there is no `task`. */
  readonly subagents?: Subagents | undefined;
};

export type BeforeTool = (request: ToolRequest) => Permit | undefined | Promise<Permit | undefined>;

export interface HostToolBox extends ToolBox {
  readonly scratch: Scratch;
  /** Why a skill cannot be loaded; undefined when it can. */
  skillProblem(session: SessionRow, name: string): Promise<string | undefined>;
  /** After a session is deleted. */
  forget(session: SessionId): void;
}

export function createToolBox(input: ToolBoxInput): HostToolBox {
  const scratch = scratchFolders(input.home, input.scratchBytes);
  const rootOf = (session: SessionRow) => session.workspace_root ?? input.workspace;
  const shelf = skillShelf({ rootOf, userHome: input.userHome });
  const places = { rootOf, scratch, attachments: storedAttachments(input.store) };
  const { write, edit } = changeTools(places);
  const readers = readingTools(places, shelf, input.store);
  const { shell, web, ...rules } = outwardTools(input, places);
  const tasks = input.subagents ? [taskTool(input.subagents)] : [];
  const tools: readonly Tool[] = [...readers, write, edit, shell, ...web, questionTool, ...tasks];
  const foreign = sessionTools({
    tools: async () => (await input.mcp?.tools(scratch)) ?? [],
    store: input.store,
  });
  const permitting = {
    ...rules,
    // What a subagent does is permitted call by call.
    allowed: new Set<Tool>([...readers, questionTool, foreign.search, ...tasks]),
    changes: [write, edit],
    places,
    headless: input.headless ?? false,
    shell,
    pathless: new Set([...web, ...tasks]),
    findSandbox: input.findSandbox ?? findSandbox,
    ...(input.beforeTool && { before: async (asked: ToolRequest) => input.beforeTool?.(asked) }),
  };
  return {
    scratch,
    open: (session) => foreign.open(session, tools),
    forget: (session) => foreign.forget(session),
    permit: (request) =>
      permitAsSubagent(request, {
        decide: (each) => permit(each, permitting),
        byRules: (each) => permit(each, { ...permitting, before: undefined }),
        subagents: input.subagents,
      }),
    async prelude(session, message, history) {
      const names = mentionedSkills(message);
      if (names.length === 0) return [];
      const loaded = loadedIn(history);
      const known = new Set(await shelf.names(session));
      return names
        .filter((name) => known.has(name) && !loaded.has(name))
        .map((name) => ({ tool: SKILL_TOOL, input: { name } }));
    },
    async skillProblem(session, name) {
      return (await shelf.names(session)).includes(name) ? undefined : "there is no such skill";
    },
  };
}

/** In the order in which they are shown, which is part of every request. */
const readingTools = (
  places: ToolPlaces,
  shelf: SkillShelf,
  store: ToolBoxInput["store"],
): readonly Tool[] => [
  readTool(places),
  globTool(places),
  grepTool(places),
  viewImageTool(places),
  pdfTextTool(places),
  officeTextTool(places),
  archiveListTool(places),
  archiveExtractTool(places),
  audioInfoTool(places),
  skillTool(shelf, storedSkills(store)),
  todoTool,
];

/** The tools that reach past the files, and the rules that hold for all. */
function outwardTools(input: ToolBoxInput, places: ToolPlaces) {
  const { home, settings, store } = input;
  const restraints = settings?.restraints ?? [];
  const rules = [...(input.rules ?? []), ...(settings?.rules ?? [])];
  const rulesOf = (session: SessionRow) => rulesFor(session, { rules, restraints });
  const bash = settings?.bash ?? NO_BASH_SETTINGS;
  const shell = bashTool({
    places,
    home,
    settings: bash,
    findSandbox: input.findSandbox ?? findSandbox,
    rulesOf,
  });
  const isAllowedHost = (session: SessionRow, subject: string): boolean =>
    decidingRule(rulesOf(session), { tool: "web_fetch", subject })?.action === "allow";
  const web: Tool[] = [
    webFetchTool({ scratch: places.scratch, isAllowedHost, resolver: input.web }),
  ];
  if (settings?.search && input.fetch) {
    const { search: config } = settings;
    web.push(webSearchTool({ config, env: bash.from, fetch: input.fetch, store }));
  }
  return { shell, web, rules, restraints };
}
