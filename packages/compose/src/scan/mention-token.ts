/**
 * One `@` in typed text: `@kind:value`, `@selection`, `@path`, each also with quotes. A token is
 * what stands for something; everything else is text.
 */
import type { ExpansionPart } from "@galley/parts";
import type { ComposeHost } from "../host.ts";
import type { MentionCatalogue, MentionKind } from "../mention.ts";
import { splitRange } from "../range.ts";
import type { Lookup } from "./lookup.ts";
import { findExact, readingsOf, refPart } from "./path.ts";

export type MentionToken = { readonly end: number; readonly parts: readonly ExpansionPart[] };

/** A known kind with a value that stands for nothing: text, and worth a word to the person. */
export type Unresolved = { readonly unresolved: string };

export type MentionReader = (
  shown: string,
  at: number,
) => Promise<MentionToken | Unresolved | undefined>;

const OPENS_WORD =
  /[\s\p{Ps}\p{Pi}"',;|，。、；：！？\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** An e-mail address, a scope and a decorator's argument have a letter before their `@`. */
export const opensWord = (shown: string, at: number): boolean =>
  at === 0 || OPENS_WORD.test(shown[at - 1] ?? "");

const RUN = /[^\s`@\uFFFB\uFFFC]{0,1024}/uy;
/** Characters of a mention; nothing longer is a path. */
const LONGEST = 1024;

/** A word ends where the next mention may begin: `@a.ts,@b.ts` are two. */
function runAt(shown: string, from: number): string {
  let end = from;
  while (end - from <= LONGEST) {
    RUN.lastIndex = end;
    end += RUN.exec(shown)?.[0].length ?? 0;
    if (shown[end] !== "@") break;
    const escaped = shown[end - 1] === "\\" ? 1 : 0;
    if (end - escaped > from && opensWord(shown, end - escaped))
      return shown.slice(from, end - escaped);
    end += 1;
  }
  return shown.slice(from, end);
}

const QUOTED =
  /@(?:([a-z][a-z0-9-]{0,63}):)?"([^"`\n\uFFFB\uFFFC]{1,1024})"([:#]L?\d{1,9}(?:[-:]L?\d{1,9})?)?/y;
const KIND = /^([a-z][a-z0-9-]{0,63}):(.+)$/su;
/** Dots and dashes alone name nothing that anybody means. */
const NAMES_SOMETHING = /[\p{L}\p{N}_]/u;

export function mentionReader(
  mentions: MentionCatalogue,
  host: ComposeHost,
  lookup: Lookup,
): MentionReader {
  const kinds = new Map(mentions.kinds.map((row) => [row.kind, row]));
  const contexts = new Set(mentions.contexts.map(({ token }) => token));

  async function byKind(kind: MentionKind, value: string): Promise<ExpansionPart | undefined> {
    switch (kind.stands) {
      case "url":
        return URL.canParse(value)
          ? { type: "file-ref", ref: { kind: "url", url: value } }
          : undefined;
      case "host": {
        const target = await lookup.ask(`${kind.kind} ${value}`, async () =>
          host.mention?.(kind.kind, value),
        );
        return target && { type: "mention", target };
      }
      default:
        return pathOf(kind, value);
    }
  }

  async function pathOf(kind: MentionKind, value: string): Promise<ExpansionPart | undefined> {
    const found = await findExact(value, lookup.kindOf);
    if (found === undefined) return undefined;
    if (found.kind === "directory") return refPart(found);
    if (kind.stands === "directory") return undefined;
    const { path, range } = found;
    return { type: "mention", target: { kind: "file", path, ...(range && { range }) } };
  }

  async function resolve(text: string): Promise<readonly ExpansionPart[]> {
    const [, name = "", value = ""] = KIND.exec(text) ?? [];
    const kind = kinds.get(name);
    if (kind !== undefined) {
      const part = await byKind(kind, value);
      return part === undefined ? [] : [part];
    }
    if (contexts.has(text)) {
      const parts = await lookup.ask(`context ${text}`, async () => host.context?.(text));
      if (parts !== undefined && parts.length > 0) return parts;
    }
    const path = NAMES_SOMETHING.test(text) || text === "./" ? text : "";
    const found = path === "" ? undefined : await findExact(path, lookup.kindOf);
    return found === undefined ? [] : [refPart(found)];
  }

  async function readQuoted(found: RegExpExecArray, at: number): Promise<MentionToken | undefined> {
    const [whole, name, value = "", suffix = ""] = found;
    const prefix = name === undefined ? "" : `${name}:`;
    const withRange = suffix !== "" && splitRange(`x${suffix}`) !== undefined;
    const parts = await resolve(`${prefix}${value}${withRange ? suffix : ""}`);
    if (parts.length === 0) return undefined;
    return { end: at + whole.length - (withRange ? 0 : suffix.length), parts };
  }

  return async (shown, at) => {
    QUOTED.lastIndex = at;
    const quoted = QUOTED.exec(shown);
    if (quoted !== null) return (await readQuoted(quoted, at)) ?? { unresolved: quoted[0] };
    const run = runAt(shown, at + 1);
    if (run === "") return undefined;
    for (const { text } of readingsOf(run)) {
      const parts = await resolve(text);
      if (parts.length > 0) return { end: at + 1 + text.length, parts };
    }
    return kinds.has(KIND.exec(run)?.[1] ?? "") ? { unresolved: `@${run}` } : undefined;
  };
}
