/**
 * The tool that reads a page of the web, as text. A person is asked for each host; an answer that
 * sends on to another host is not followed there, because nobody was asked about that one.
 */
import { reachFor } from "@galley/compose";
import { mediaClass, type SessionRow } from "@galley/parts";
import { descriptorText, fence, plainName } from "@galley/shape";
import type { Tool, ToolContext, ToolOutput } from "@galley/turn";
import { z } from "zod";
import { mediaOf } from "../workspace/media-name.ts";
import { defineTool, refuse, STOPPED } from "./define-tool.ts";
import type { Scratch } from "./scratch.ts";
import { fitOutput, keepAll } from "./spill.ts";
import {
  PUBLIC_WEB,
  type Resolver,
  type WebAnswer,
  type WebLimits,
  webGet,
} from "./web-request.ts";
import { pageText } from "./web-text.ts";

const LIMITS: WebLimits = { bodyBytes: 5 * 1024 * 1024, timeMs: 20_000 };
const SHOWN_BYTES = 200 * 1024;
const MOST_REDIRECTS = 5;

export type WebFetchPieces = {
  readonly scratch: Scratch;
  /** Whether a rule lets this host be fetched without a word. */
  isAllowedHost(session: SessionRow, host: string): boolean;
  readonly resolver?: Resolver | undefined;
  readonly limits?: WebLimits;
};

export const webFetchTool = (pieces: WebFetchPieces): Tool =>
  defineTool({
    name: "web_fetch",
    description: `Fetches a page of the public web with a GET and gives it as text, at most ${SHOWN_BYTES} bytes of it; the rest is in a file that is named. HTML becomes text with its links, other text comes as it is, anything else is kept in the scratch folder for the tool that opens it. Use it for a page whose address you know; it runs no scripts, sends no cookies, logs in nowhere and reaches no private address. A redirect to another host is told, not followed.`,
    input: z.strictObject({
      url: z.string().min(1).max(4096).describe("The address, with http:// or https://."),
    }),
    parallel: true,
    subject: ({ url }) => URL.parse(url)?.hostname ?? "",
    run: ({ url }, context) => fetchPage(pieces, url, context),
  });

async function fetchPage(
  pieces: WebFetchPieces,
  named: string,
  context: ToolContext,
): Promise<ToolOutput> {
  const { resolver = PUBLIC_WEB, limits = LIMITS } = pieces;
  let url = URL.parse(named);
  // One clock for all of the way.
  const clock = AbortSignal.any([context.signal, AbortSignal.timeout(limits.timeMs)]);
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    const fault = faultOf(url);
    if (url === null || fault !== undefined) return refuse(`cannot fetch: ${fault}`);
    const got = await webGet(url, HEADERS, limits, resolver, clock);
    if (context.signal.aborted) return STOPPED;
    if (!got.ok) return refuse(`cannot fetch ${plainName(url.href)}: ${got.reason}`);
    const { status, location } = got.answer;
    if (status < 300 || status > 399 || location === undefined) {
      return answer(pieces, context, url, got.answer);
    }
    const next = URL.parse(location, url.href);
    if (!mayFollow(pieces, context.session, url, next)) {
      const to = plainName(next?.href ?? location);
      return refuse(`${plainName(url.href)} sends on to ${to}: fetch that if it is wanted`);
    }
    url = next;
  }
  return refuse(`cannot fetch ${plainName(named)}: it sends on more than ${MOST_REDIRECTS} times`);
}

const HEADERS = {
  accept: "text/html,application/xhtml+xml,text/*;q=0.9,application/json;q=0.9,*/*;q=0.5",
  "accept-encoding": "gzip, deflate, br",
  "user-agent": "Galley",
};

function faultOf(url: URL | null): string | undefined {
  if (url === null) return "this is no address";
  if (!/^https?:$/.test(url.protocol)) return "only http and https are fetched";
  return url.username || url.password ? "an address with a name or password is not" : undefined;
}

function mayFollow(
  { isAllowedHost }: WebFetchPieces,
  session: SessionRow,
  from: URL,
  to: URL | null,
): boolean {
  if (to === null || faultOf(to) !== undefined) return false;
  if (from.protocol === "https:" && to.protocol === "http:") return false;
  return to.hostname === from.hostname || isAllowedHost(session, to.hostname);
}

async function answer(
  { scratch }: WebFetchPieces,
  context: ToolContext,
  url: URL,
  { status, type, body, isCut }: WebAnswer,
): Promise<ToolOutput> {
  const name = plainName(url.href);
  if (status < 200 || status > 299) {
    return refuse(`${name} answers with status ${status}`);
  }
  const [mime = ""] = type.toLowerCase().split(";");
  const last = url.pathname.split("/").at(-1) || "page";
  const isHtml = /^(text\/html|application\/xhtml\+xml)$/.test(mime.trim());
  const sniffed = isHtml ? "text/html" : mediaOf(last, body);
  if (mediaClass(sniffed) !== "text" || body.subarray(0, 8192).includes(0)) {
    return keepBinary(scratch, context, { name: last, mime: sniffed, body, isCut });
  }
  const text = decode(body, type);
  const page = isHtml ? pageText(text, url) : { title: undefined, text };
  const fitted = await fitOutput(scratch, context, Buffer.from(page.text), SHOWN_BYTES);
  const notes = [
    ...(page.title === undefined ? [] : [`title: ${plainName(page.title)}`]),
    ...(isCut ? [`only the first ${body.length} bytes were fetched`] : []),
    ...(fitted.note === undefined ? [] : [fitted.note]),
  ];
  const head = `Page ${name}${notes.length > 0 ? ` (${notes.join("; ")})` : ""}:`;
  const metadata = fitted.metadata ?? (isCut ? { truncated: true } : undefined);
  const shown = new TextDecoder().decode(fitted.head);
  return { type: "output", data: `${head}\n${fence(shown)}`, ...(metadata && { metadata }) };
}

type Binary = {
  readonly name: string;
  readonly mime: string;
  readonly body: Uint8Array;
  readonly isCut: boolean;
};

async function keepBinary(
  scratch: Scratch,
  context: ToolContext,
  { name, mime, body, isCut }: Binary,
): Promise<ToolOutput> {
  const described = { what: "page", name, mime, reason: "not text" };
  if (isCut) {
    const reason = `not text, and larger than the ${body.length} bytes that are fetched`;
    return refuse(descriptorText({ ...described, reason }));
  }
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? ".bin";
  const kept = await keepAll(scratch, context, body, ending);
  const reach = kept.ok
    ? `it is kept as ${kept.path}; ${reachFor(mime)}`
    : `it is not kept: ${kept.reason}`;
  return {
    type: "output",
    data: descriptorText({ ...described, size: body.length, reach }),
    ...(kept.ok && { metadata: { output_path: kept.path } }),
  };
}

/** By what the answer says, else by what the page says, else as most pages are. */
function decode(body: Uint8Array, type: string): string {
  const head = Buffer.from(body.subarray(0, 1024)).toString("latin1");
  const said =
    /charset\s*=\s*"?([\w-]+)/i.exec(type) ?? /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(head);
  try {
    return new TextDecoder(said?.[1] ?? "utf-8").decode(body);
  } catch (error) {
    // A label that nobody knows.
    if (error instanceof RangeError) return new TextDecoder().decode(body);
    throw error;
  }
}
