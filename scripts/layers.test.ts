/** The import table of the design, as a test; and the rules themselves, on files that break them. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { faultsOf, importsOf, MAY_IMPORT } from "./import-rules.ts";
import { filesUnder, root } from "./repo-files.mjs";

function librariesOf(name: string): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
  return Object.keys(manifest.dependencies ?? {});
}

test("every package has its row in the import table", () => {
  assert.deepEqual(readdirSync(join(root, "packages")).sort(), Object.keys(MAY_IMPORT).sort());
});

for (const [name, allowed] of Object.entries(MAY_IMPORT)) {
  test(`${name} imports only ${allowed.join(", ") || "libraries"}`, () => {
    const libraries = librariesOf(name);
    const faults = filesUnder(root, `packages/${name}/src`)
      .filter((path) => /\.tsx?$/.test(path))
      .flatMap((path) => faultsOf(path, readFileSync(join(root, path), "utf8"), libraries));
    assert.deepEqual(faults, []);
  });

  test(`the package.json of ${name} names the packages it may import`, () => {
    const named = librariesOf(name).filter((library) => library.startsWith("@galley/"));
    assert.deepEqual(named.sort(), allowed.map((each) => `@galley/${each}`).sort());
  });
}

const REFUSED: readonly (readonly [string, string, string])[] = [
  ["queue/src/a.ts", 'import { x } from "@galley/persist";', "imports @galley/persist"],
  ["queue/src/a.test.ts", 'import { x } from "@galley/persist";', "imports @galley/persist"],
  ["queue/src/a.ts", 'export { x } from "@galley/turn";', "imports @galley/turn"],
  ["turn/src/a.ts", 'await import("@galley/host");', "imports @galley/host"],
  ["turn/src/a.ts", 'import "@galley/rehearsal";', "imports @galley/rehearsal"],
  ["parts/src/a.ts", 'import { x } from "@galley/parts";', "imports @galley/parts"],
  ["host/src/a.ts", 'import "@galley/turn/src/b.ts";', "reaches around the index of @galley/turn"],
  ["turn/src/a.ts", 'import "../../queue/src/b.ts";', "reaches out of its package"],
  ["turn/src/a.ts", 'import "../../../scripts/b.ts";', "reaches out of its package"],
  [
    "shape/src/a.ts",
    'import { x } from "@galley/assemble";',
    "imports @galley/assemble for more than",
  ],
  [
    "shape/src/a.ts",
    'import { type X } from "@galley/assemble";',
    "imports @galley/assemble for more than",
  ],
  ["parts/src/a.ts", 'import { readFileSync } from "node:fs";', "imports node:fs, and is pure"],
  ["parts/src/a.ts", 'import fs from "fs/promises";', "imports fs/promises, and is pure"],
  ["parts/src/a.ts", 'import * as h from "hono/jsx";', "imports hono, which its package.json"],
  ["parts/src/a.ts", 'import x from "@a/b/c";', "imports @a/b, which its package.json"],
  ["parts/src/a.ts", "const home = process.env.HOME;", "uses process"],
  ["parts/src/a.ts", "const { env } = process;", "uses process"],
  ["parts/src/a.ts", "globalThis.x = 1;", "uses globalThis"],
  ["compose/src/a.ts", "console.log(1);", "uses console"],
  ["queue/src/a.ts", "const at = Date.now();", "uses Date.now"],
  ["queue/src/a.ts", "const at = new Date();", "uses new Date() without a time"],
  ["queue/src/a.ts", "setTimeout(f, 1);", "uses a timer"],
  ["assemble/src/a.ts", "const n = Math.random();", "uses Math.random"],
  ["assemble/src/a.ts", "const id = crypto.randomUUID();", "uses crypto"],
  ["shape/src/a.ts", "await fetch(`x`);", "uses fetch()"],
  ["shape/src/a.ts", 'Buffer.from("x");', "uses Buffer"],
];

for (const [path, source, says] of REFUSED) {
  test(`refused in ${path}: ${source}`, () => {
    const faults = faultsOf(`packages/${path}`, source, []);
    assert.equal(faults.length, 1, faults.join("\n"));
    const expected = `packages/${path}:1 ${says}`;
    assert.equal(faults[0]?.slice(0, expected.length), expected);
  });
}

const ALLOWED: readonly (readonly [string, string])[] = [
  ["turn/src/a.ts", 'import { x } from "@galley/shape";\nawait fetch(url);\nDate.now();'],
  ["shape/src/a.ts", 'import type { X } from "@galley/assemble";'],
  ["shape/src/a.test.ts", 'import { x } from "@galley/assemble";\nimport "node:test";'],
  ["shape/src/b/a.ts", 'import { x } from "../c.ts";\nimport { z } from "zod/v4";'],
  ["parts/src/a.test.ts", 'import { golden } from "../../../scripts/golden.ts";'],
  ["parts/src/a.ts", '// process.env\nconst s = "console.log(Date.now())";'],
  [
    "parts/src/a.ts",
    "const at = new Date(clock.now());\nport.fetch(1);\nself.process = { process: 1 };",
  ],
];

for (const [path, source] of ALLOWED) {
  test(`allowed in ${path}: ${source.replaceAll("\n", " ")}`, () => {
    assert.deepEqual(faultsOf(`packages/${path}`, source, ["zod"]), []);
  });
}

test("an import is found in every form in which it is written", () => {
  const source = `import a, { b } from "1";
import type { C } from "2";
export * as d from "3";
export type { E } from "4";
import "5";
import {
  type F,
  g,
} from "6";
const h = await import("7");
const words = 'import "no"';
import type from "8";`;
  assert.deepEqual(
    importsOf(source)
      .map(({ from, typeOnly }) => (typeOnly ? `type ${from}` : from))
      .sort(),
    ["1", "3", "5", "6", "7", "8", "type 2", "type 4"],
  );
});
