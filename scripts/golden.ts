/**
 * Golden files: text that a person has read and agreed to. They are written only by
 * `npm run golden`, and never where CI is set: a gate that rewrites what it checks is no gate.
 */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import process from "node:process";
import { root } from "./repo-files.mjs";

type Env = { readonly GOLDEN?: string | undefined; readonly CI?: string | undefined };

/** Compares `actual` with the file at `path`, or writes the file when asked to. */
export function matchGolden(path: string, actual: string, env: Env = process.env): void {
  const name = relative(root, path);
  if (env.GOLDEN === "write") {
    assert.ok(!env.CI, `${name}: golden files are never written where CI is set`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, actual);
    return;
  }
  assert.ok(existsSync(path), `${name} is not there: npm run golden writes it`);
  const agreed = readFileSync(path, "utf8");
  assert.equal(actual, agreed, `${name} differs; if that is meant: npm run golden, and read it`);
}
