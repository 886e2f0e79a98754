/** No MUST without a test, no test of an unknown rule, no known failure that is none. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { codeFiles, root } from "../scripts/repo-files.mjs";
import { readCases } from "./case-file.ts";
import { citedIn, type GateInput, gateFaults } from "./gate.ts";
import { KNOWN_FAILURES } from "./known-failures.ts";
import { REQUIREMENTS } from "./requirements.ts";
import { expectFailure } from "./verifies.ts";

// This file cites rules that are made up.
const sources = codeFiles(".test.ts").filter((path) => !path.endsWith("conformance/gate.test.ts"));
const citations = [
  ...sources.flatMap((path) =>
    citedIn(readFileSync(join(root, path), "utf8")).map((id) => ({ id, place: path })),
  ),
  ...readCases().map(({ rule, name }) => ({ id: rule, place: `conformance/cases/${name}` })),
];

test("every MUST is shown by a test or a case, and every known failure still is one", (context) => {
  assert.deepEqual(
    gateFaults({ requirements: REQUIREMENTS, citations, known: KNOWN_FAILURES }),
    [],
  );
  for (const [id, row] of Object.entries(KNOWN_FAILURES)) {
    context.diagnostic(`${row.since === "later" ? "not yet" : "fails"}: ${id} (${row.reason})`);
  }
});

const must = { level: "MUST", says: "a", source: "b" } as const;
const cite = (id: string) => ({ id, place: "x.test.ts" });
const FAULTS: readonly (readonly [string, GateInput, string])[] = [
  [
    "a MUST without a test",
    { requirements: { "a/b": must }, citations: [], known: {} },
    "a/b is a MUST that no test cites",
  ],
  [
    "a citation of no rule",
    { requirements: {}, citations: [cite("a/c")], known: {} },
    "x.test.ts cites a/c, which is no requirement",
  ],
  [
    "a known failure of no rule",
    { requirements: {}, citations: [], known: { "a/d": { since: "later", reason: "r" } } },
    "known failure a/d is no requirement",
  ],
  [
    "a rule for later that has a test",
    {
      requirements: { "a/b": must },
      citations: [cite("a/b")],
      known: { "a/b": { since: "later", reason: "r" } },
    },
    "known failure a/b is stale: a test cites it",
  ],
  [
    "a failing rule without a test",
    {
      requirements: { "a/b": must },
      citations: [],
      known: { "a/b": { since: "fails", reason: "r" } },
    },
    "known failure a/b has no test that shows it",
  ],
];

for (const [name, input, says] of FAULTS) {
  test(`the gate refuses ${name}`, () => assert.deepEqual(gateFaults(input), [says]));
}

test("the gate lets a SHOULD pass without a test, and a MUST that is for later", () => {
  const requirements = { "a/b": must, "a/c": { ...must, level: "SHOULD" } } as const;
  const known = { "a/b": { since: "later", reason: "r" } } as const;
  assert.deepEqual(gateFaults({ requirements, citations: [], known }), []);
});

test("a known failure that holds is stale, one that fails is not", async () => {
  await assert.rejects(
    expectFailure("a/b", () => {}),
    /a\/b holds now: take it out/,
  );
  await expectFailure("a/b", () => assert.fail());
  await expectFailure("a/b", async () => assert.fail());
});

test("a citation is found in every way in which it is written", () => {
  assert.deepEqual(citedIn('verifies("a/b", "n", f);\n  verifies(\n    "c/d",\n'), ["a/b", "c/d"]);
});
