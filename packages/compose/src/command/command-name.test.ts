import assert from "node:assert/strict";
import { test } from "node:test";
import { placeOfFile } from "./command-name.ts";

const TABLE: readonly (readonly [string, string | undefined])[] = [
  [".agents/commands/review.md", "galley review"],
  [".agents/commands/git/commit.md", "galley git:commit"],
  ["/home/ann/.agents/commands/a b.md", "galley a-b"],
  [".claude/commands/git/commit.md", "claude git:commit"],
  [".opencode/command/commit.md", "opencode commit"],
  [".opencode/commands/git/commit.md", "opencode git/commit git:commit"],
  ["/home/ann/.config/opencode/command/commit.md", "opencode commit"],
  [".gemini/commands/git/commit.toml", "gemini git:commit"],
  [".gemini/commands/a:b.toml", "gemini a_b"],
  [".pi/prompts/review.md", "pi review"],
  [".pi/prompts/deep/review.md", undefined],
  ["/home/ann/.pi/agent/prompts/review.md", "pi review"],
  ["C:\\work\\.claude\\commands\\git\\commit.md", "claude git:commit"],
  [".gemini/commands/review.md", undefined],
  [".agents/skills/x/SKILL.md", undefined],
  ["docs/commands/x.md", undefined],
];

for (const [path, expected] of TABLE) {
  test(`${path} is ${expected ?? "no command"}`, () => {
    const place = placeOfFile(path);
    assert.equal(place && [place.dialect, place.name, ...place.aliases].join(" "), expected);
  });
}
