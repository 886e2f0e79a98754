import assert from "node:assert/strict";
import { test } from "node:test";
import { lineOf } from "./toml-line.ts";

const TOML = `# a comment
model = "a/b"

[providers.anthropic]
base_url = "x"
headers = { one = "1",
  two = "2" }

[models."anthropic/some.model"]
accepts = [
  "text/*",
  "image/png",
]
max_output = 1
note = """
[providers.fake]
base_url = 3
"""
`;

const PLACES: readonly (readonly [readonly string[], number | undefined])[] = [
  [["model"], 2],
  [["providers"], 4],
  [["providers", "anthropic"], 4],
  [["providers", "anthropic", "base_url"], 5],
  [["models", "anthropic/some.model"], 9],
  [["models", "anthropic/some.model", "max_output"], 14],
  [["nothing"], undefined],
];

for (const [path, line] of PLACES) {
  test(`${path.join(" > ")} stands on line ${line}`, () => {
    assert.equal(lineOf(TOML, path), line);
  });
}

test("a value over several lines is found where it ends", () => {
  assert.equal(lineOf(TOML, ["models", "anthropic/some.model", "accepts"]), 13);
  assert.equal(lineOf(TOML, ["providers", "anthropic", "headers", "one"]), 7);
});

test("what only looks like a table inside a text is no table", () => {
  assert.equal(lineOf(TOML, ["providers", "fake"]), 4);
});

test("a key that is not there is said to be where the key above it is", () => {
  assert.equal(lineOf(TOML, ["providers", "anthropic", "gone", "deeper"]), 4);
});
