/** A page that names a file, and a comment that cites a decision, are true or the build is red. */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { citedRecords, pathClaims } from "./doc-claims.ts";
import { CODE_FOLDERS, DATA, filesUnder, root } from "./repo-files.mjs";

const read = (path: string): string => readFileSync(join(root, path), "utf8");

const isThere = (path: string): boolean =>
  path.includes("*")
    ? globSync(path, { cwd: root }).length > 0
    : existsSync(join(root, path.replace(/\/$/, "")));

const pages = [
  ...["AGENTS.md", "CONTRIBUTING.md", "README.md"].filter((path) => existsSync(join(root, path))),
  ...["docs", ...CODE_FOLDERS].flatMap((folder) => filesUnder(root, folder)),
].filter((path) => path.endsWith(".md") && !DATA.test(path));

test("every path that a page names exists", () => {
  const missing = pages.flatMap((page) =>
    pathClaims(page, read(page))
      .filter(({ path }) => !isThere(path))
      .map(({ line, path }) => `${page}:${line} names ${path}`),
  );
  assert.deepEqual(missing, []);
});

test("every decision record that is cited exists", () => {
  const sources = CODE_FOLDERS.flatMap((folder) => filesUnder(root, folder)).filter(
    (path) => /\.(ts|tsx|mjs)$/.test(path) && !DATA.test(path) && path !== "scripts/docs.test.ts",
  );
  const records = filesUnder(root, "docs/adr").map((path) => path.slice("docs/adr/".length));
  const missing = [...pages, ...sources].flatMap((path) =>
    citedRecords(read(path))
      .filter((number) => !records.some((record) => record.startsWith(`${number}-`)))
      .map((number) => `${path} cites ADR-${number}`),
  );
  assert.deepEqual(missing, []);
});

test("paths are claimed in backticks and links, not in fences, addresses or patterns to fill in", () => {
  const page = [
    "See `packages/parts/src/id.ts:12`, `./scripts/run.mjs` and `packages/*/surface.txt`.",
    "Not ours: `src/x.ts`, `.agents/skills/`, `AGENTS.md`, `npm run packages/x`.",
    "Open: `packages/NAME/src`, `docs/adr/NNNN-title.md`, `conformance/cases/<rule>/`.",
    "[a](../guide/a.md#b) [b](https://example.org/docs/x) [c](#d) [d](mailto:x@example.org)",
    "```",
    "`docs/in-a-fence.md` [x](y.md)",
    "```",
    "And `README.md`.",
  ].join("\n");
  assert.deepEqual(
    pathClaims("docs/spec/page.md", page).map(({ line, path }) => `${line} ${path}`),
    [
      "1 packages/parts/src/id.ts",
      "1 scripts/run.mjs",
      "1 packages/*/surface.txt",
      "4 docs/guide/a.md",
      "8 README.md",
    ],
  );
});

test("citations of decision records are found", () => {
  assert.deepEqual(citedRecords("as ADR-0001 and (ADR-0012) say, not ADR-12"), ["0001", "0012"]);
});
