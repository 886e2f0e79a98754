import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding } from "../../command/finding.ts";
import { packageFromFolder, type ReadSkillFolder } from "./package-from-folder.ts";

const read = (
  files: Readonly<Record<string, string | undefined>>,
  name = "notes",
): Promise<ReadSkillFolder> =>
  packageFromFolder({
    name,
    shown: `.agents/skills/${name}`,
    files: Object.entries(files).map(([path, text]) => ({
      path,
      ...(text !== undefined && { text }),
    })),
  });

const short = ({ file, line, severity, says }: Finding): string =>
  `${file.split("/").at(-1)}:${line} ${severity}: ${says}`;

const PLAIN = "---\nname: notes\ndescription: Writes notes\n---\nWrite notes.\n";

test("a published skill is a package as it is", async () => {
  const { skill, findings } = await read({
    "SKILL.md": PLAIN,
    "references/style.md": "…",
    "scripts/run.sh": undefined,
    "LICENSE.txt": "…",
  });
  assert.deepEqual(findings, []);
  assert.deepEqual(skill, {
    name: "notes",
    version: 1,
    description: "Writes notes",
    tags: [],
    enabled: true,
    framing: "Write notes.",
    framing_kind: "prose",
    parameters: { type: "object" },
    requires_tools: false,
    interrupts: [],
    planner_delegates_shape: false,
    artifacts: [],
    resources: ["LICENSE.txt", "references/style.md", "scripts/run.sh"],
  });
});

test("what is off its format and can be read loads with a warning", async () => {
  const long = "d".repeat(1025);
  const { skill, findings } = await read({
    "SKILL.md": `---\nname: My Notes\ndescription: ${long}\nallowed-tools: Read Bash(git:*)\nmood: good\n---\nx`,
  });
  assert.equal(skill?.name, "My Notes");
  assert.deepEqual(findings.map(short), [
    "SKILL.md:2 warning: the name My Notes is not the folder's, notes",
    "SKILL.md:2 warning: the name My Notes is not as other tools want it",
    "SKILL.md:3 warning: the description has 1025 characters, of at most 1024",
    "SKILL.md:4 warning: `allowed-tools` grants nothing here: the caller decides which tools there are",
    "SKILL.md:5 warning: `mood` has no effect here",
  ]);
});

test("odd but readable YAML loads with a warning, and the folder's name stands in", async () => {
  const { skill, findings } = await read({
    "SKILL.md": "---\ndescription: Use when: always [x\n---\nx",
  });
  assert.deepEqual([skill?.name, skill?.description], ["notes", "Use when: always [x"]);
  assert.deepEqual(
    findings.map(({ line, severity }) => [line, severity]),
    [
      [2, "warning"],
      [1, "warning"],
    ],
  );
});

const BROKEN: readonly (readonly [
  string,
  Readonly<Record<string, string | undefined>>,
  readonly string[],
])[] = [
  ["no SKILL.md", { "README.md": "x" }, ["SKILL.md:1 error: there is no SKILL.md"]],
  [
    "no description",
    { "SKILL.md": "---\nname: notes\n---\nx" },
    ["SKILL.md:1 error: the description is missing"],
  ],
  [
    "no body",
    { "SKILL.md": "---\nname: notes\ndescription: d\n---\n" },
    ["SKILL.md:2 error: the framing is empty"],
  ],
  [
    "TOML that is none",
    { "SKILL.md": PLAIN, "skill.toml": 'tool_surface = ["read"]\nversion = = 2' },
    ["skill.toml:2 error: not TOML: Invalid TOML document: invalid value"],
  ],
  [
    "a condition that does not parse, in front matter",
    {
      "SKILL.md":
        "---\nname: notes\ndescription: d\nmetadata:\n  galley:\n    artifacts:\n      - id: a\n        kind: description\n        body: x\n        include_when: lang == 'ts'\n---\nx",
    },
    ["SKILL.md:10 error: column 1: `lang` is not a name here"],
  ],
  [
    "a condition that does not parse, in TOML",
    {
      "SKILL.md": PLAIN,
      "skill.toml":
        '[[artifacts]]\nid = "a"\nkind = "description"\nbody = "x"\n\n[[artifacts]]\nid = "b"\nkind = "description"\nbody = "x"\ninclude_when = "scope ="\n',
    },
    ["skill.toml:10 error: column 7: `=` means nothing here"],
  ],
  [
    "an artifact whose file is not there",
    {
      "SKILL.md": PLAIN,
      "references/tone.md": "t",
      "skill.toml": '[[artifacts]]\nkind = "example"\nid = "t"\nfile = "tone.md"\n',
    },
    [
      "skill.toml:4 error: there is no file tone.md",
      "skill.toml:1 error: `artifacts[0].body` is missing",
    ],
  ],
  [
    "an artifact of an unknown kind",
    { "SKILL.md": PLAIN, "skill.toml": 'artifacts = [{ id = "a", kind = "song", body = "la" }]' },
    [
      "skill.toml:1 error: `artifacts[0].kind` is not as it is to be: Invalid discriminator value. Expected 'PromptTemplate' | 'Description' | 'Example' | 'Approach'",
    ],
  ],
  [
    "a field of the wrong kind",
    { "SKILL.md": PLAIN, "skill.toml": 'version = 1\ntool_surface = "read"\n' },
    [
      "skill.toml:2 error: `tool_surface` is not as it is to be: Invalid input: expected array, received string",
    ],
  ],
  [
    "a stage with the name of another",
    {
      "SKILL.md":
        "---\nname: notes\ndescription: d\nartifacts:\n  way:\n    kind: approach\n    stages:\n      - {name: a, body: x}\n      - {name: a, body: y}\n---\nx",
    },
    ["SKILL.md:9 error: `a` is there twice"],
  ],
];

for (const [what, files, expected] of BROKEN) {
  test(`${what} is said with its line, and there is no skill`, async () => {
    const { skill, findings } = await read(files);
    assert.equal(skill, undefined);
    assert.deepEqual(findings.map(short), expected);
    assert.ok(findings.every(({ fix }) => fix !== ""));
  });
}

test("a missing file is looked for nearby, and one outside the folder is never read", async () => {
  const toml = (file: string): string =>
    `[[artifacts]]\nkind = "example"\nid = "t"\nfile = "${file}"\n`;
  const near = await read({
    "SKILL.md": PLAIN,
    "references/tone.md": "t",
    "skill.toml": toml("tone.md"),
  });
  assert.equal(near.findings[0]?.fix, "write references/tone.md");
  const out = await read({ "SKILL.md": PLAIN, "skill.toml": toml("../../tone.md") });
  assert.equal(out.findings[0]?.fix, "an artifact stands inside the folder of its skill");
});

const TOML = `
framing_kind = "template"
tool_surface = ["read", "write"]
interrupts = ["on_ambiguous_input"]
tool_call_budget = 9

[parameters]
type = "object"
[parameters.properties.lang]
type = "string"

[[artifacts]]
id = "tone"
kind = "description"
file = "./references/tone.md"
include_when = true
tags = "voice"

[[artifacts]]
id = "way"
kind = "approach"
stages = ["Read.", { name = "write", body = "Write.", tools = ["write"] }]
`;

test("skill.toml brings our fields, files become artifacts, and short forms are understood", async () => {
  const { skill, findings } = await read({
    "SKILL.md": PLAIN,
    "skill.toml": TOML,
    "references/tone.md": "\uFEFFBe plain.\n",
    "references/more.md": "…",
  });
  assert.deepEqual(findings, []);
  assert.deepEqual(skill?.artifacts, [
    {
      id: "tone",
      kind: "Description",
      version: 1,
      body: "Be plain.",
      include_when: "true",
      tags: ["voice"],
    },
    {
      id: "way",
      kind: "Approach",
      version: 1,
      body: "",
      tags: [],
      stages: [
        { id: "stage-1", instructions: "Read." },
        { id: "write", instructions: "Write.", tools: ["write"] },
      ],
    },
  ]);
  assert.deepEqual(skill.interrupts, [{ name: "on_ambiguous_input" }]);
  assert.deepEqual(skill.resources, ["references/more.md"]);
  assert.equal(skill.framing_kind, "template");
});

test("skill.toml goes before metadata.galley, and both before nothing: it is said", async () => {
  const galley =
    "metadata:\n  author: me\n  galley:\n    tool_call_budget: 3\n    speed: fast\n    framing: Other.";
  const { skill, findings } = await read({
    "SKILL.md": `---\nname: notes\ndescription: d\n${galley}\n---\nBody.`,
    "skill.toml": "tool_call_budget = 4\n",
  });
  assert.deepEqual([skill?.tool_call_budget, skill?.framing], [4, "Other."]);
  assert.deepEqual(findings.map(short), [
    "SKILL.md:8 warning: `speed` has no effect here",
    "skill.toml:1 warning: `tool_call_budget` is set twice, and the one in metadata.galley is not used",
    "SKILL.md:11 warning: the body is not used, because `framing` is set",
  ]);
});

test("a skill without a body whose one template is its framing", async () => {
  const { skill } = await read({
    "SKILL.md":
      "---\nname: notes\ndescription: d\nartifacts:\n  - {kind: prompt_template, file: frame.j2}\n---\n",
    "frame.j2": "Write {{ lang }}.\n",
  });
  assert.deepEqual(skill?.framing, { artifact: "frame" });
  assert.equal(skill.artifacts[0]?.body, "Write {{ lang }}.");
});

test("front matter that eats itself or the stack is said, and nothing is thrown", async () => {
  for (const odd of [
    "a: &a [*a, *a]",
    `a: ${"[".repeat(3000)}`,
    "artifacts: &a\n  - *a",
    "\0",
    "- x",
    "metadata: 3",
  ]) {
    const { findings } = await read({ "SKILL.md": `---\n${odd}\n---\nx` });
    assert.ok(
      findings.some(({ severity }) => severity === "error"),
      odd,
    );
  }
});
