/** What a package exports is agreed text: packages/NAME/surface.txt, a golden file. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { matchGolden } from "./golden.ts";
import { MAY_IMPORT } from "./import-rules.ts";
import { root } from "./repo-files.mjs";
import { surfaceOf } from "./surface.ts";

for (const name of Object.keys(MAY_IMPORT)) {
  test(`${name} exports the names in its surface.txt`, () => {
    const index = join(root, "packages", name, "src", "index.ts");
    assert.ok(existsSync(index), `packages/${name} has no src/index.ts`);
    const names = surfaceOf(readFileSync(index, "utf8"));
    const text = names.map((each) => `${each}\n`).join("");
    matchGolden(join(root, "packages", name, "surface.txt"), text);
  });
}

test("every way to export a name is seen, and types are told from values", () => {
  const index = `/** export { hidden } */
export { b, type C, d as e } from "./b.ts";
export type { F, G as H } from "./f.ts";
export const i = 1;
export async function j() {}
export interface K {}
export type L = string;
export {};`;
  const expected = ["type C", "type F", "type H", "type K", "type L", "b", "e", "i", "j"];
  assert.deepEqual(surfaceOf(index), expected);
});

test("an index that exports everything of another file is refused", () => {
  assert.throws(() => surfaceOf('export * from "./a.ts";'), /no `export \*`/);
  assert.throws(() => surfaceOf("export default 1;"), /no default export/);
});
