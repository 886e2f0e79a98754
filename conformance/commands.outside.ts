/**
 * Command files that were not written here: each loads without an error, expands in its own
 * dialect, and leaves no slot of that dialect and no command literal in what the model would read.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import {
  type CommandEntry,
  composeMessage,
  createCatalogue,
  type DialectId,
  readCommandFile,
} from "@galley/compose";

const FIXTURES = process.env.GALLEY_FIXTURES ?? "";
const FOLDERS = { gemini: ".gemini/commands", opencode: ".opencode/command", pi: ".pi/prompts" };
const SLOTS: { readonly [D in keyof typeof FOLDERS]: RegExp } = {
  gemini: /\{\{args\}\}|!\{|@\{/,
  opencode: /\$ARGUMENTS|\$[1-9]/,
  pi: /\$ARGUMENTS|\$@|\$[1-9]/,
};
const ARGUMENTS = 'src/a.ts "two words" $1 $ARGUMENTS {{args}} !{rm} @nobody';

/** Nothing is there to include, and every shell command says the same. */
const host = {
  kindOf: async () => undefined,
  shell: async () => ({ ok: true as const, output: "(ran)" }),
};

for (const [dialect, folder] of Object.entries(FOLDERS) as [keyof typeof FOLDERS, string][]) {
  const root = join(FIXTURES, "commands", dialect);
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(md|toml)$/.test(name),
  );

  test(`there are command files of ${dialect} to read`, () => assert.ok(names.length >= 2));

  for (const name of names) {
    test(`${dialect}: ${name} loads and expands`, async () => {
      const text = readFileSync(join(root, name), "utf8");
      const entry = await load(`${folder}/${name}`, text, dialect);
      const composed = await composeMessage(
        { parts: [{ type: "typed", text: `/${entry.name} ${ARGUMENTS}` }] },
        createCatalogue([entry]),
        host,
      );
      assert.ok(composed.ok, composed.ok ? "" : composed.error.message);
      const [part] = composed.message.parts;
      assert.equal(part?.type, "command");
      assert.equal(part.outcome, "expanded");
      const read = JSON.stringify(part.expansion);
      assert.ok(read.length > 100, "the author's text is there");
      assert.ok(!read.includes(`/${entry.name} src/a.ts`), "the literal command is not");
      // The arguments hold slots of every dialect, as data; without them none may be left.
      assert.doesNotMatch(
        read.replaceAll(JSON.stringify(ARGUMENTS).slice(1, -1), ""),
        SLOTS[dialect],
      );
    });
  }
}

async function load(path: string, text: string, dialect: DialectId): Promise<CommandEntry> {
  const { entry, findings } = await readCommandFile({ path, text, scope: "project" });
  assert.deepEqual(
    findings.filter(({ severity }) => severity === "error"),
    [],
  );
  assert.ok(entry?.source.kind === "project" && entry.source.dialect === dialect);
  return entry;
}
