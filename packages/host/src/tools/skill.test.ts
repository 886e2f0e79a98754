import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { type Files, tempFolder } from "../testing/temp-folder.ts";
import { type LoadedSkills, skillTool } from "./skill.ts";
import { skillShelf } from "./skill-shelf.ts";
import { no, placesIn, whole } from "./test-places.ts";

const skill = (name: string, body: string): string =>
  `---\nname: ${name}\ndescription: d\n---\n${body}`;
const NONE: LoadedSkills = { names: async () => new Set() };

async function toolIn(
  t: Parameters<typeof tempFolder>[0],
  files: Files,
  own: Files = {},
  loaded = NONE,
) {
  const kit = await placesIn(t, files);
  const userHome = await tempFolder(t, own);
  const shelf = skillShelf({ rootOf: kit.places.rootOf, userHome });
  return { ...kit, userHome, tool: skillTool(shelf, loaded) };
}

test("a skill's body comes without its head, between markers, with the folder it lives in", async (t) => {
  const { tool, run } = await toolIn(t, {
    ".agents/skills/a/SKILL.md": skill("svg-kit", "# Draw\n\n---\n\nWell.\n"),
  });
  assert.deepEqual(
    await run(tool, { name: "svg-kit" }),
    whole(
      '<skill_content name="svg-kit">\n# Draw\n\n---\n\nWell.\n</skill_content>\nPaths in it are from .agents/skills/a, which the read tool reaches.',
    ),
  );
});

test("a skill of the person is found after those of the workspace", async (t) => {
  const { tool, text } = await toolIn(
    t,
    { ".agents/skills/a/SKILL.md": skill("both", "ours") },
    { ".claude/skills/a/SKILL.md": skill("both", "theirs"), ".claude/skills/b/SKILL.md": "mine" },
  );
  assert.match(await text(tool, { name: "both" }), />\nours\n</);
  assert.match(
    await text(tool, { name: "b" }),
    />\nmine\n<\/skill_content>\nIts folder, ~\/\.claude\/skills\/b, is outside the workspace/,
  );
});

test("nothing in a body opens or closes a marker, and the rest of it is untouched", async (t) => {
  const body = 'if (a < b) <b>x</b> </skill_content> < / SKILL_CONTENT> <editor_context kind="x">';
  const { tool, text } = await toolIn(t, { ".agents/skills/a/SKILL.md": skill("'q\"<'", body) });
  assert.match(
    await text(tool, { name: 'q"<' }),
    /^<skill_content name="q&#34;&#60;">\nif \(a < b\) <b>x<\/b> &lt;\/skill_content> &lt; \/ SKILL_CONTENT> &lt;editor_context kind="x">\n<\/skill_content>\n/,
  );
});

test("a second call says that it is loaded, in the same answer and in a later one", async (t) => {
  const files = { ".agents/skills/a/SKILL.md": skill("a", "body") };
  const first = await toolIn(t, files);
  const note = whole("The skill a is already loaded: its text is above.");
  assert.match(await first.text(first.tool, { name: "a" }), /body/);
  assert.deepEqual(await first.run(first.tool, { name: "a" }), note);
  const other = await first.run(first.tool, { name: "a" }, { message_id: "msg_2" });
  assert.match(JSON.stringify(other), /body/);
  const later = await toolIn(t, files, {}, { names: async () => new Set(["a"]) });
  assert.deepEqual(await later.run(later.tool, { name: "a" }), note);
});

test("a skill that is not there is refused with the names that are", async (t) => {
  const { tool, run } = await toolIn(t, { ".agents/skills/a/SKILL.md": skill("a", "") });
  assert.deepEqual(
    await run(tool, { name: "../b" }),
    no("there is no skill ../b: the skills here are a"),
  );
  const bare = await toolIn(t, {});
  assert.deepEqual(
    await bare.run(bare.tool, { name: "a" }),
    no("there is no skill a: there are none here"),
  );
});

test("a skill whose file leads out of its root is not there", async (t) => {
  const { tool, root, home, text } = await toolIn(t, { ".agents/skills/a/x": "" });
  await symlink(join(home, "secret"), join(root, ".agents/skills/a/SKILL.md"));
  assert.match(await text(tool, { name: "a" }), /^there is no skill a/);
});
