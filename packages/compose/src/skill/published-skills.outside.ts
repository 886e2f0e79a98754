/** Skills that were not written here: each loads without an error and composes as it is. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { composeSkill } from "./compose-skill.ts";
import { packageFromFolder } from "./folder/package-from-folder.ts";
import { SAMPLE_PORTS, SAMPLE_REQUEST } from "./sample.ts";

const root = join(process.env.GALLEY_FIXTURES ?? "", "skills");
const names = readdirSync(root).filter((name) => statSync(join(root, name)).isDirectory());

test("there are published skills to read", () => assert.ok(names.length >= 8));

for (const name of names) {
  test(`the published skill ${name} loads and composes, its text as it is`, async () => {
    const text = readFileSync(join(root, name, "SKILL.md"), "utf8");
    const folder = { name, shown: name, files: [{ path: "SKILL.md", text }] };
    const { skill, findings } = await packageFromFolder(folder);
    assert.deepEqual(findings, []);
    assert.ok(skill);
    const request = { ...SAMPLE_REQUEST, skill_package: skill, parameters: {} };
    const composed = await composeSkill(request, SAMPLE_PORTS);
    assert.ok(composed.ok);
    const { text: prompt, sections } = composed.composition.prompt;
    const framing = prompt.slice(sections[0]?.from, sections[0]?.to);
    assert.ok(text.trimEnd().endsWith(framing) && framing.length > 500);
  });
}
