/**
 * What a palette shows behind an `@`: context tokens, skills, what the embedder knows, and paths,
 * each with the text to put in. What has no such text, as a name with a line break, is sent as a
 * part instead.
 */
import type { Hit, MentionCatalogue, SearchOptions } from "@galley/compose";
import { plainName } from "@galley/shape";
import type { WalkSummary } from "../workspace/walk.ts";
import type { MentionRegistry } from "./compose-host.ts";
import type { Skill } from "./skill-files.ts";

export type FoundPaths = {
  readonly hits: readonly Hit[];
  /** What of the workspace is not among them for another reason than an ignore file. */
  readonly notes: WalkSummary["notes"];
};

export interface PathSearch {
  find(query: string, options: SearchOptions): Promise<FoundPaths>;
  /** Ends a listing that is under way. */
  close(): void;
}

export type MentionHit = {
  /** `file`, `directory`, `skill`, `context`, or a kind of the embedder's. */
  readonly kind: string;
  /** The path, the skill's name, the token. */
  readonly name: string;
  /** What to put into the text; absent when nothing that can be typed leads there. */
  readonly insert?: string;
  readonly description?: string;
  readonly positions?: readonly number[];
};

export type FoundMentions = {
  readonly mentions: readonly MentionHit[];
  readonly notes: FoundPaths["notes"];
};

export type MentionSources = {
  readonly mentions: MentionCatalogue;
  readonly skills: readonly Skill[];
  readonly paths: PathSearch;
  readonly registry?: MentionRegistry | undefined;
};

const KIND = /^([a-z][a-z0-9-]{0,63}):(.*)$/s;

export async function searchMentions(
  typed: string,
  limit: number,
  sources: MentionSources,
): Promise<FoundMentions> {
  const query = typed.replace(/^@/, "");
  const [, prefix = "", value = ""] = KIND.exec(query) ?? [];
  const kind = sources.mentions.kinds.find((each) => each.kind === prefix);
  if (kind === undefined) {
    const named = [
      ...contextHits(query, sources.mentions),
      ...skillHits(query, sources.skills),
      ...(await registryHits(query, limit, sources.registry)),
    ];
    const { mentions, notes } = await pathHits(query, { limit }, sources);
    return { mentions: merge(named, mentions, limit), notes };
  }
  if (kind.stands === "file") return pathHits(value, { limit }, sources);
  if (kind.stands === "directory") {
    return pathHits(value, { limit, kinds: ["directory"] }, sources);
  }
  const found =
    prefix === "skill"
      ? skillHits(value, sources.skills)
      : await registryHits(value, limit, sources.registry);
  const mentions = found.filter((hit) => hit.kind === prefix).slice(0, limit);
  return { mentions, notes: [] };
}

/** Names first, and room for paths: half of it, or what the names leave. */
function merge(
  named: readonly MentionHit[],
  paths: readonly MentionHit[],
  limit: number,
): readonly MentionHit[] {
  const room = Math.max(Math.ceil(limit / 2), limit - paths.length);
  return [...named.slice(0, room), ...paths].slice(0, limit);
}

const startsWord = (name: string, query: string): boolean => {
  const [low, asked] = [name.toLowerCase(), query.toLowerCase()];
  return low.startsWith(asked) || low.split(/[-_.:/ ]/).some((word) => word.startsWith(asked));
};

const contextHits = (query: string, { contexts }: MentionCatalogue): readonly MentionHit[] =>
  contexts
    .filter(({ token }) => token.startsWith(query.toLowerCase()))
    .map(({ token, description }) => ({
      kind: "context",
      name: token,
      insert: `@${token}`,
      description,
    }));

const skillHits = (query: string, skills: readonly Skill[]): readonly MentionHit[] =>
  skills
    .filter(({ name }) => startsWord(name, query))
    .map(({ name, description }) => ({
      kind: "skill",
      name,
      ...insertOf("skill:", name),
      ...(description !== undefined && { description }),
    }));

async function registryHits(
  query: string,
  limit: number,
  registry: MentionRegistry | undefined,
): Promise<readonly MentionHit[]> {
  const found = (await registry?.search?.(query, limit)) ?? [];
  return found.map(({ kind, name, id }) => {
    const shown = name ?? id ?? "";
    return { kind, name: shown, ...insertOf(`${kind}:`, shown) };
  });
}

async function pathHits(
  query: string,
  options: SearchOptions,
  { paths, mentions }: MentionSources,
): Promise<FoundMentions> {
  const { hits, notes } = await paths.find(query, options);
  const isTaken = (path: string): boolean =>
    mentions.contexts.some(({ token }) => token === path) ||
    mentions.kinds.some(({ kind }) => path.startsWith(`${kind}:`));
  const shown = hits.map(({ path, kind, positions }) => ({
    kind,
    name: path,
    // `@./selection` is the file, `@selection` what is selected.
    ...insertOf("", isTaken(path) ? `./${path}` : path),
    positions,
  }));
  return { mentions: shown, notes };
}

/** Characters that end a word or a token of the text. */
const ENDS_WORD = /[\s@'(){}[\],;|\p{Ps}\p{Pi}]/u;
const UNQUOTABLE = /["`\n\uFFFB\uFFFC]/;
const LONGEST = 1024;

function insertOf(prefix: string, value: string): { readonly insert?: string } {
  const isTypable = value !== "" && value.length <= LONGEST && plainName(value) === value;
  if (!isTypable || UNQUOTABLE.test(value)) return {};
  return { insert: ENDS_WORD.test(value) ? `@${prefix}"${value}"` : `@${prefix}${value}` };
}
