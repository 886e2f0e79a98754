/**
 * The name under which a model calls a server's tool: `mcp__SERVER__TOOL`, the same in every run.
 *
 * Every provider takes letters, digits, `_` and `-`, at most 64. A name that fits and that can be
 * read back in one way only is left as it is; any other gets a digest of what it was made from.
 */
import { createHash } from "node:crypto";

const PREFIX = "mcp__";
const LONGEST = 64;

/** No `__` inside and none at its end: where the tool begins is then clear. */
const PLAIN_SERVER = /^[A-Za-z0-9-]+(_[A-Za-z0-9-]+)*$/;
const PLAIN_TOOL = /^[A-Za-z0-9-][A-Za-z0-9_-]*$/;

export function mcpToolName(server: string, tool: string): string {
  const plain = `${PREFIX}${server}__${tool}`;
  if (PLAIN_SERVER.test(server) && PLAIN_TOOL.test(tool) && plain.length <= LONGEST) return plain;
  const suffix = `_${digest([server, tool])}`;
  const clean = `${PREFIX}${letters(server)}__${letters(tool)}`;
  return clean.slice(0, LONGEST - suffix.length) + suffix;
}

const letters = (text: string): string => text.replace(/[^A-Za-z0-9_-]/g, "_");

const digest = (words: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(words)).digest("hex").slice(0, 10);

export const isMcpToolName = (name: string): boolean => name.startsWith(PREFIX);

/** What permission rules are held against, so that `mcp:SERVER:*` speaks for a whole server. */
export const mcpSubject = (server: string, tool: string): string => `mcp:${server}:${tool}`;
