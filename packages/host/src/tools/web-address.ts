/**
 * Which addresses are out in the open: only those may be fetched. What is private, the machine
 * itself, a neighbour on the wire, a cloud's own service or reserved for anything is not.
 */
import { BlockList, isIPv4, isIPv6 } from "node:net";

/** `[network, bits]`; of the newer protocol only what is handed out for use is public at all. */
const NOT_PUBLIC_4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
  // Not private by its range, and a cloud's service on every machine in it.
  ["168.63.129.16", 32],
];

/** Others of it stand for addresses of the older one, or for nobody. */
const NOT_PUBLIC_6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const listOf = (nets: readonly (readonly [string, number])[], family: "ipv4" | "ipv6") => {
  const list = new BlockList();
  for (const [net, bits] of nets) list.addSubnet(net, bits, family);
  return list;
};

const closed4 = listOf(NOT_PUBLIC_4, "ipv4");
const closed6 = listOf(NOT_PUBLIC_6, "ipv6");
const open6 = listOf([["2000::", 3]], "ipv6");

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !closed4.check(address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return false;
  return open6.check(address, "ipv6") && !closed6.check(address, "ipv6");
}
