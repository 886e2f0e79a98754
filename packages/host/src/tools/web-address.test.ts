import assert from "node:assert/strict";
import { test } from "node:test";
import { isPublicAddress } from "./web-address.ts";

const CLOSED = [
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "192.0.0.192",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "168.63.129.16",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:8.8.8.8",
  "64:ff9b::7f00:1",
  "2002:7f00:1::",
  "2001:0:7f00:1::",
  "2001:db8::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fe80::1%eth0",
  "ff02::1",
  "localhost",
  "",
];
for (const address of CLOSED) {
  test(`${address || "nothing"} is not public`, () =>
    assert.equal(isPublicAddress(address), false));
}

for (const address of [
  "8.8.8.8",
  "172.32.0.1",
  "223.255.255.1",
  "2606:4700::1111",
  "2a00:1450::1",
]) {
  test(`${address} is public`, () => assert.equal(isPublicAddress(address), true));
}
