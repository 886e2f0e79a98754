/**
 * Who may come in. A browser on this machine can be made to call a loopback server by any page it
 * shows, so a request must name this server (against names that were pointed at it), come from no
 * foreign page, and carry the token where it asks for more than the page itself.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import { HttpError } from "./problem.ts";

export type Door = {
  /** The host name or address that the server was told to listen on. */
  readonly host: string;
  /** Where this connection came in, as the socket knows it. */
  readonly address: string;
  readonly port: number;
};

export function doorOf(incoming: IncomingMessage, host: string): Door {
  const { localAddress = "", localPort = 0 } = incoming.socket;
  return { host, address: localAddress, port: localPort };
}

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "::1"];
const WILDCARDS = ["0.0.0.0", "::"];

/** Every spelling of `host:port` under which a request through this door may call us. */
function authorities({ host, address, port }: Door): ReadonlySet<string> {
  const plain = unmapped(address);
  const named = WILDCARDS.includes(host) ? [plain] : [host, plain];
  const all = isLoopback(plain) ? [...LOOPBACK_NAMES, ...named] : named;
  return new Set(all.flatMap((name) => authorityOf(`http://${bracketed(name)}:${port}`) ?? []));
}

/** A socket that takes both families writes an IPv4 address inside an IPv6 one. */
const unmapped = (address: string): string => address.replace(/^::ffff:/, "");

/** By address or by the one name that stands for it. */
export const isLoopback = (address: string): boolean =>
  address === "::1" || address === "localhost" || address.startsWith("127.");

export const bracketed = (address: string): string => (isIPv6(address) ? `[${address}]` : address);

/** As a URL parser spells it: lower case, and without the port that http implies. */
function authorityOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host, username, password, pathname, search, hash } = new URL(url);
  const more = username + password + search + hash;
  return protocol === "http:" && more === "" && pathname === "/" ? host : undefined;
}

export function checkHost(header: string | undefined, door: Door): void {
  const asked = authorityOf(`http://${header ?? ""}`);
  if (asked !== undefined && authorities(door).has(asked)) return;
  throw HttpError.make("foreign_host", { expected: expectedOf(door) });
}

export function checkOrigin(header: string | undefined, door: Door): void {
  if (header === undefined) return;
  const asked = authorityOf(header);
  if (asked !== undefined && authorities(door).has(asked)) return;
  throw HttpError.make("foreign_origin", { expected: `http://${expectedOf(door)}` });
}

const expectedOf = ({ address, port }: Door): string => `${bracketed(unmapped(address))}:${port}`;

export function checkToken(header: string | undefined, token: string): void {
  const given = /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1];
  if (given === undefined) throw HttpError.make("no_token", {});
  // Digests have one length, so that comparing them takes one time.
  if (!timingSafeEqual(digest(given), digest(token))) throw HttpError.make("wrong_token", {});
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
