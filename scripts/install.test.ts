/** Set-up happens once: the stamp holds until something that is installed changes. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fingerprint, isInstalled, withoutNoise, writeStamp } from "./install.mjs";
import { takeTurn } from "./install-lock.mjs";

type Manifest = Readonly<Record<string, unknown>>;

function write(root: string, path: string, manifest: Manifest): void {
  writeFileSync(join(root, path), JSON.stringify(manifest));
}

async function inCheckout(work: (root: string) => void | Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "galley-install-"));
  try {
    mkdirSync(join(root, "a"));
    write(root, "package.json", { workspaces: ["a"], scripts: { x: "1" } });
    write(root, "a/package.json", { name: "a", dependencies: { zod: "1.0.0" } });
    write(root, "package-lock.json", { lockfileVersion: 3 });
    await work(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

test("a checkout without a stamp is not installed, with one it is", async () => {
  await inCheckout((root) => {
    assert.equal(isInstalled(root), false);
    writeStamp(root);
    assert.equal(isInstalled(root), true);
    rmSync(join(root, "node_modules"), { recursive: true });
    assert.equal(isInstalled(root), false);
  });
});

const CHANGES: readonly (readonly [string, string, Manifest, boolean])[] = [
  ["the lockfile", "package-lock.json", { lockfileVersion: 3, packages: {} }, false],
  ["a root dependency", "package.json", { workspaces: ["a"], dependencies: { b: "1" } }, false],
  ["a dependency of a workspace", "a/package.json", { name: "a", dependencies: {} }, false],
  ["a bin of a workspace", "a/package.json", { name: "a", bin: { a: "./a.mjs" } }, false],
  ["a script", "package.json", { workspaces: ["a"], scripts: { y: "2" } }, true],
];

for (const [what, path, manifest, holds] of CHANGES) {
  test(`the stamp ${holds ? "holds" : "does not hold"} after a change of ${what}`, async () => {
    await inCheckout((root) => {
      writeStamp(root);
      write(root, path, manifest);
      assert.equal(isInstalled(root), holds);
    });
  });
}

test("the same checkout has the same fingerprint wherever it lies", async () => {
  await inCheckout(async (one) => {
    await inCheckout((other) => assert.equal(fingerprint(one), fingerprint(other)));
  });
});

test("of npm's words only those about engines, deprecation and settings are left out", () => {
  const output = [
    "npm warn EBADENGINE Unsupported engine {",
    "npm warn EBADENGINE }",
    "npm warn deprecated x@1: old",
    'npm warn Unknown user config "x".',
    "npm error code E404",
    "npm warn skipping y",
  ].join("\n");
  assert.equal(withoutNoise(output), "npm error code E404\nnpm warn skipping y");
});

test("a second install waits for the first and then has its turn", async () => {
  await inCheckout(async (root) => {
    const lock = join(root, ".install-lock");
    const order: string[] = [];
    const leave = await takeTurn(lock);
    const second = takeTurn(lock, (line) => order.push(line)).then((leaveToo) => {
      order.push("second");
      leaveToo();
    });
    order.push("first");
    leave();
    await second;
    const waiting = "galley: waiting for another install in this folder to end…";
    assert.deepEqual(order, [waiting, "first", "second"]);
    assert.equal(existsSync(lock), false);
  });
});

test("a lock whose holder is gone is taken over", async () => {
  await inCheckout(async (root) => {
    const lock = join(root, ".install-lock");
    const { pid } = (await import("node:child_process")).spawnSync(process.execPath, ["-v"]);
    writeFileSync(lock, String(pid));
    (await takeTurn(lock))();
    assert.equal(existsSync(lock), false);
  });
});
