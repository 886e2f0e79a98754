/**
 * One request to the web: a GET, bounded in time and size, to a public address.
 *
 * The address is judged where the connection is made: the name is looked up once, and what was
 * judged is what is connected to. A name that answers differently the next time gains nothing.
 */
import { lookup as systemLookup } from "node:dns";
import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { wordsOf } from "../attachments/tried.ts";
import { isPublicAddress } from "./web-address.ts";

export type WebLimits = { readonly bodyBytes: number; readonly timeMs: number };

export type WebAnswer = {
  readonly status: number;
  readonly type: string;
  /** Where it sends on to; undefined when it does not. */
  readonly location: string | undefined;
  readonly body: Uint8Array;
  /** The body goes on past the bound. */
  readonly isCut: boolean;
};

export type WebResult =
  | { readonly ok: true; readonly answer: WebAnswer }
  | { readonly ok: false; readonly reason: string };

export type Resolver = {
  readonly lookup: LookupFunction;
  isAllowed(address: string): boolean;
};

/** The system's names, and public addresses alone. */
export const PUBLIC_WEB: Resolver = {
  lookup: systemLookup as LookupFunction,
  isAllowed: isPublicAddress,
};

const CLOSED = "its address is not a public one";

/** Never throws. */
export function webGet(
  url: URL,
  headers: Readonly<Record<string, string>>,
  limits: WebLimits,
  resolver: Resolver,
  signal: AbortSignal,
): Promise<WebResult> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // A name that is an address is never looked up.
  if (isIP(host) !== 0 && !resolver.isAllowed(host)) return Promise.resolve(no(CLOSED));
  return new Promise((resolve) => {
    const send = url.protocol === "https:" ? secureRequest : plainRequest;
    const both = AbortSignal.any([signal, AbortSignal.timeout(limits.timeMs)]);
    const outgoing = send(
      url,
      { headers, lookup: judging(resolver), agent: false, signal: both },
      (incoming) => {
        readBody(incoming, limits.bodyBytes).then(
          ({ body, isCut }) => {
            const { statusCode = 0, headers: given } = incoming;
            const type = given["content-type"] ?? "";
            const answer = { status: statusCode, type, location: given.location, body, isCut };
            outgoing.destroy();
            resolve({ ok: true, answer });
          },
          (error: unknown) => resolve(no(reasonOf(error, both, limits))),
        );
      },
    );
    outgoing.once("error", (error) => resolve(no(reasonOf(error, both, limits))));
    outgoing.end();
  });
}

const no = (reason: string): WebResult => ({ ok: false, reason });

function reasonOf(error: unknown, signal: AbortSignal, { timeMs }: WebLimits): string {
  if (error instanceof ClosedAddress) return CLOSED;
  return signal.aborted ? `no answer within ${timeMs / 1000} seconds` : wordsOf(error);
}

class ClosedAddress extends Error {}

/** All addresses of a name have to be public: one that is not may be the one that is taken. */
function judging({ lookup, isAllowed }: Resolver): LookupFunction {
  return (name, options, back) => {
    lookup(name, { ...options, all: true }, (error, found) => {
      const all = Array.isArray(found) ? found : [];
      const [first] = all;
      if (error || !first) return back(error ?? new Error("the name has no address"), "", 0);
      if (!all.every(({ address }) => isAllowed(address))) return back(new ClosedAddress(), "", 0);
      return options.all ? back(null, all) : back(null, first.address, first.family);
    });
  };
}

const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Counted after unpacking, and given up at the bound: a bomb is only its beginning. */
async function readBody(
  incoming: IncomingMessage,
  most: number,
): Promise<{ readonly body: Uint8Array; readonly isCut: boolean }> {
  const coding = (incoming.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const decoder = DECODERS[coding]?.();
  if (!decoder && coding !== "identity") throw new Error(`its coding ${coding} is not known`);
  incoming.once("error", (error) => (decoder as Readable | undefined)?.destroy(error));
  const source = (decoder ? incoming.pipe(decoder) : incoming) as Readable;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > most) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, most), isCut: size > most };
}
