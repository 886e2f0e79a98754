/** The gate for what gets installed, on lockfiles that must not pass. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { lockFaults, manifestFaults } from "./lockfile.mjs";

test("a lockfile with both Linux builds and linked workspaces has no fault", () => {
  const packages = {
    "": {},
    "packages/a": { version: "0.1.0" },
    "node_modules/@galley/a": { resolved: "packages/a", link: true },
    "node_modules/x-linux-x64": { version: "1.0.0" },
    "node_modules/x-linux-arm64": { version: "1.0.0" },
    "node_modules/y-linux-x64-musl": { version: "2.0.0" },
    "node_modules/y-linux-arm64-musl": { version: "2.0.0" },
  };
  assert.deepEqual(lockFaults({ packages }), []);
});

test("a build for x64 without its arm64 sibling of the same version is a fault", () => {
  const packages = {
    "node_modules/x-linux-x64": { version: "1.0.0" },
    "node_modules/y-linux-x64": { version: "1.0.1" },
    "node_modules/y-linux-arm64": { version: "1.0.0" },
  };
  assert.deepEqual(lockFaults({ packages }), [
    "node_modules/x-linux-x64 is 1.0.0, node_modules/x-linux-arm64 is missing",
    "node_modules/y-linux-x64 is 1.0.1, node_modules/y-linux-arm64 is 1.0.0",
  ]);
});

test("a download address is a fault, also on a link", () => {
  const packages = {
    "node_modules/x": { version: "1.0.0", resolved: "https://example.org/x.tgz" },
    "node_modules/y": { resolved: "https://example.org/y.tgz", link: true },
  };
  assert.deepEqual(lockFaults({ packages }), [
    "node_modules/x records a download address (resolved)",
    "node_modules/y records a download address (resolved)",
  ]);
});

test("every dependency is one exact version", () => {
  const manifest = {
    dependencies: { a: "1.2.3", b: "^1.2.3" },
    devDependencies: { c: "*", d: "1.0.0-beta.1" },
    optionalDependencies: { e: "24.x" },
  };
  assert.deepEqual(manifestFaults("p/package.json", manifest), [
    "p/package.json: b is ^1.2.3, not one exact version",
    "p/package.json: c is *, not one exact version",
    "p/package.json: e is 24.x, not one exact version",
  ]);
});
