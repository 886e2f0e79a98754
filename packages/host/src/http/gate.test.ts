/** Which names are ours: by the address at which a connection came in, never by trust in a name. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isGalleyError } from "@galley/parts";
import { checkHost, checkOrigin, checkToken, type Door } from "./gate.ts";

const passes = (check: () => void): boolean => {
  try {
    check();
    return true;
  } catch (error) {
    assert.ok(isGalleyError(error));
    return false;
  }
};

const LOOPBACK: Door = { host: "127.0.0.1", address: "127.0.0.1", port: 4747 };
const LAN: Door = { host: "0.0.0.0", address: "192.168.1.5", port: 4747 };
const MAPPED: Door = { host: "::", address: "::ffff:127.0.0.1", port: 4747 };
const NAMED: Door = { host: "box.lan", address: "192.168.1.5", port: 80 };

const HOSTS: readonly (readonly [Door, string | undefined, boolean])[] = [
  [LOOPBACK, "127.0.0.1:4747", true],
  [LOOPBACK, "localhost:4747", true],
  [LOOPBACK, "LOCALHOST:4747", true],
  [LOOPBACK, "[::1]:4747", true],
  [LOOPBACK, "127.0.0.1", false],
  [LOOPBACK, "127.0.0.1:80", false],
  [LOOPBACK, "127.0.0.1:4747.evil.example", false],
  [LOOPBACK, "localhost.evil.example:4747", false],
  [LOOPBACK, "user@127.0.0.1:4747", false],
  [LOOPBACK, "127.0.0.1:4747/x", false],
  [LOOPBACK, "", false],
  [LOOPBACK, undefined, false],
  [LAN, "192.168.1.5:4747", true],
  [LAN, "localhost:4747", false],
  [LAN, "0.0.0.0:4747", false],
  [MAPPED, "127.0.0.1:4747", true],
  [NAMED, "box.lan", true],
  [NAMED, "box.lan:80", true],
];

for (const [door, header, expected] of HOSTS) {
  test(`Host ${header} is ${expected ? "ours" : "foreign"} at ${door.address}, told to listen on ${door.host}`, () => {
    assert.equal(
      passes(() => checkHost(header, door)),
      expected,
    );
  });
}

const ORIGINS: readonly (readonly [string | undefined, boolean])[] = [
  [undefined, true],
  ["http://127.0.0.1:4747", true],
  ["http://localhost:4747", true],
  ["https://127.0.0.1:4747", false],
  ["http://127.0.0.1:4748", false],
  ["http://evil.example", false],
  ["null", false],
  ["", false],
];

for (const [header, expected] of ORIGINS) {
  test(`Origin ${header} ${expected ? "may" : "may not"} call`, () => {
    assert.equal(
      passes(() => checkOrigin(header, LOOPBACK)),
      expected,
    );
  });
}

test("only the whole token opens, and an empty one opens nothing", () => {
  const opens = (header: string | undefined, token: string) =>
    passes(() => checkToken(header, token));
  assert.equal(opens("Bearer abc", "abc"), true);
  assert.equal(opens("bearer abc", "abc"), true);
  assert.equal(opens("Bearer ab", "abc"), false);
  assert.equal(opens("Bearer abcd", "abc"), false);
  assert.equal(opens("abc", "abc"), false);
  assert.equal(opens(undefined, "abc"), false);
  assert.equal(opens("Bearer ", ""), false);
});
