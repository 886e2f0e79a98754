/**
 * The tool that searches the web, through the engine that the configuration names. Without one there
 * is no such tool. Its address is the person's own choice, so it may be a private one.
 */

import type { Store } from "@galley/persist";
import { plainName } from "@galley/shape";
import type { Tool, ToolContext, ToolOutput } from "@galley/turn";
import { z } from "zod";
import { wordsOf } from "../attachments/tried.ts";
import type { WebSearchConfig } from "../config/schema.ts";
import type { Env } from "../config/settings.ts";
import { defineTool, refuse, STOPPED } from "./define-tool.ts";

const NAME = "web_search";
const MOST_CALLS = 25;
const TIME_MS = 15_000;
const MOST_BYTES = 2 * 1024 * 1024;
const RESULTS = 10;
const MOST_RESULTS = 50;
const LONGEST = 500;

export type WebSearchPieces = {
  readonly config: WebSearchConfig;
  readonly env: Env;
  readonly fetch: typeof fetch;
  readonly store: { readonly parts: Pick<Store["parts"], "toolCalls"> };
};

export const webSearchTool = (pieces: WebSearchPieces): Tool =>
  defineTool({
    name: NAME,
    description: `Searches the web and gives titles, addresses and short extracts, at most ${MOST_RESULTS}. Use it to find pages; web_fetch reads one. A session may search ${MOST_CALLS} times.`,
    input: z.strictObject({
      query: z.string().min(1).max(1000).describe("What to search for, in words."),
      max_results: z
        .int()
        .min(1)
        .max(MOST_RESULTS)
        .optional()
        .describe(`How many results at most; ${RESULTS} unless said.`),
    }),
    subject: () => new URL(addressOf(pieces.config, "")).hostname,
    run: ({ query, max_results }, context) =>
      search(pieces, query, max_results ?? RESULTS, context),
  });

const addressOf = ({ url }: WebSearchConfig, query: string): string =>
  url.replaceAll("{query}", encodeURIComponent(query.toWellFormed()));

async function search(
  pieces: WebSearchPieces,
  query: string,
  most: number,
  { session, signal }: ToolContext,
): Promise<ToolOutput> {
  const { config, store } = pieces;
  // Counted from what is stored, so that a restart does not begin anew; what failed counts too.
  const calls = await store.parts.toolCalls(session.id, ["output-available", "output-error"]);
  if (calls.filter(({ type }) => type === `tool-${NAME}`).length >= MOST_CALLS) {
    return refuse(`this session has searched ${MOST_CALLS} times, and that is the most`);
  }
  const headers = headersOf(pieces);
  if (headers === undefined) {
    return refuse(`the search has no key: ${config.api_key_env} is not set`);
  }
  try {
    const clock = AbortSignal.any([signal, AbortSignal.timeout(TIME_MS)]);
    // A redirect would carry the key to somebody else.
    const response = await pieces.fetch(addressOf(config, query), {
      headers,
      redirect: "error",
      signal: clock,
    });
    if (!response.ok) return refuse(`the search answers with status ${response.status}`);
    const text = await readBounded(response);
    if (text === undefined) return refuse(`the search answers with more than ${MOST_BYTES} bytes`);
    return resultsIn(config, JSON.parse(text), most);
  } catch (error) {
    if (signal.aborted) return STOPPED;
    const isLate = error instanceof Error && error.name === "TimeoutError";
    const why = isLate ? `no answer within ${TIME_MS / 1000} seconds` : wordsOf(error);
    return refuse(`the search failed: ${plainName(why)}`);
  }
}

/** Undefined when a key is wanted and there is none. */
function headersOf({ config, env }: WebSearchPieces): Record<string, string> | undefined {
  const { api_key_env, api_key_header } = config;
  const accept = { accept: "application/json" };
  if (api_key_env === undefined) return accept;
  const key = env[api_key_env];
  if (!key) return undefined;
  return {
    ...accept,
    ...(api_key_header ? { [api_key_header]: key } : { authorization: `Bearer ${key}` }),
  };
}

async function readBounded(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MOST_BYTES) return undefined;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function resultsIn(config: WebSearchConfig, answer: unknown, most: number): ToolOutput {
  const { results = "/results", title = "/title", link = "/url", snippet = "/content" } = config;
  const list = at(answer, results);
  if (!Array.isArray(list)) return refuse(`the search's answer has no list at ${results}`);
  const found = list.slice(0, most).map((each: unknown) => ({
    title: textAt(each, title),
    url: textAt(each, link),
    snippet: textAt(each, snippet),
  }));
  const isCut = list.length > found.length;
  return {
    type: "output",
    data: { results: found },
    ...(isCut && { metadata: { truncated: true } }),
  };
}

/** A JSON pointer; undefined where it leads nowhere. */
function at(value: unknown, pointer: string): unknown {
  let inner = value;
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) return undefined;
    inner = (inner as Record<string, unknown>)[key];
  }
  return inner;
}

function textAt(value: unknown, pointer: string): string {
  const found = at(value, pointer);
  return typeof found === "string" ? found.toWellFormed().slice(0, LONGEST) : "";
}
