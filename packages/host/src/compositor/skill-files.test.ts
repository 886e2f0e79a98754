import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { tempFolder } from "../testing/temp-folder.ts";
import { skillFiles } from "./skill-files.ts";

const head = (lines: string): string => `---\n${lines}\n---\nbody`;

test("a skill is a folder with a SKILL.md, and nothing deeper", async (t) => {
  const folder = await tempFolder(t, {
    ".agents/skills/a/SKILL.md": head("name: svg-kit\ndescription: Draws icons"),
    ".claude/skills/b/SKILL.md": head("name: review\ndescription: >\n  Reads\n  code"),
    ".agents/skills/a/inner/SKILL.md": head("name: deeper"),
    ".agents/skills/none/README.md": "x",
    ".agents/skills/SKILL.md": head("name: loose"),
  });
  assert.deepEqual(await skillFiles([{ scope: "project", folder }]).load(), {
    skills: [
      {
        name: "svg-kit",
        description: "Draws icons",
        scope: "project",
        file: ".agents/skills/a/SKILL.md",
      },
      {
        name: "review",
        description: "Reads code",
        scope: "project",
        file: ".claude/skills/b/SKILL.md",
      },
    ],
    findings: [],
  });
});

test("a head that is not quite YAML still says its name, with a warning", async (t) => {
  const folder = await tempFolder(t, {
    ".agents/skills/a/SKILL.md": head('name: "odd"\ndescription: now: later [x'),
    ".agents/skills/b/SKILL.md": "no head at all",
    ".agents/skills/c/SKILL.md": head("name: 'x\u202Ey'\ndescription: 3"),
    ".agents/skills/d/SKILL.md": head("a: &a [*a, *a]\nname: [1]"),
  });
  const { skills, findings } = await skillFiles([{ scope: "project", folder }]).load();
  assert.deepEqual(
    skills.map(({ name, description }) => [name, description]),
    [
      ["odd", "now: later [x"],
      ["b", undefined],
      ["c", "3"],
      ["d", undefined],
    ],
  );
  const says = findings.map(({ file, says: words }) => `${file}: ${words}`);
  assert.match(
    says[0] ?? "",
    /^\.agents\/skills\/a\/SKILL\.md: the front matter is not quite YAML/,
  );
  assert.equal(says[1], ".agents/skills/b/SKILL.md: it has no front matter");
  assert.equal(
    says[2],
    ".agents/skills/c/SKILL.md: its name cannot be typed: the folder's, c, is used",
  );
});

test("the project's skill goes before the person's of the same name, and it is said", async (t) => {
  const folder = await tempFolder(t, { ".agents/skills/a/SKILL.md": head("name: one") });
  const home = await tempFolder(t, { ".claude/skills/b/SKILL.md": head("name: one") });
  const roots = [{ scope: "project", folder } as const, { scope: "user", folder: home } as const];
  const { skills, findings } = await skillFiles(roots).load();
  assert.deepEqual(
    skills.map(({ scope }) => scope),
    ["project"],
  );
  assert.deepEqual(
    findings.map(({ file, says }) => [file, says]),
    [
      [
        "~/.claude/skills/b/SKILL.md",
        "the skill one is the one of .agents/skills/a/SKILL.md: this one is not used",
      ],
    ],
  );
});

test("a skill that leads out of the root is refused", async (t) => {
  const outer = await tempFolder(t, { "far/SKILL.md": head("name: far"), "w/.agents/x": "" });
  await mkdir(join(outer, "w/.agents/skills/b"), { recursive: true });
  await symlink(join(outer, "far"), join(outer, "w/.agents/skills/a"));
  await symlink(join(outer, "far/SKILL.md"), join(outer, "w/.agents/skills/b/SKILL.md"));
  const root = { scope: "project", folder: join(outer, "w") } as const;
  const { skills, findings } = await skillFiles([root]).load();
  assert.deepEqual(skills, []);
  assert.deepEqual(
    findings.map(({ file, says }) => `${file}: ${says}`),
    [
      ".agents/skills/a: not read: it leads out of the workspace",
      ".agents/skills/b/SKILL.md: not read: it leads out of the workspace",
    ],
  );
});
