/** Golden files are compared, written on request, and refused in CI. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { matchGolden } from "./golden.ts";

function inTemporaryFolder(work: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "galley-golden-"));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a golden file that agrees passes, one that differs or is missing fails", () => {
  inTemporaryFolder((folder) => {
    const path = join(folder, "a.txt");
    assert.throws(() => matchGolden(path, "x", {}), /is not there: npm run golden writes it/);
    writeFileSync(path, "x");
    matchGolden(path, "x", {});
    assert.throws(() => matchGolden(path, "y", {}), /differs; if that is meant/);
  });
});

test("a golden file is written when that is asked for, with its folder", () => {
  inTemporaryFolder((folder) => {
    const path = join(folder, "b", "a.txt");
    matchGolden(path, "x", { GOLDEN: "write" });
    assert.equal(readFileSync(path, "utf8"), "x");
  });
});

test("a golden file is never written where CI is set", () => {
  inTemporaryFolder((folder) => {
    const path = join(folder, "a.txt");
    assert.throws(() => matchGolden(path, "x", { GOLDEN: "write", CI: "true" }), /never written/);
    assert.equal(existsSync(path), false);
  });
});
