import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { tempFolder } from "../testing/temp-folder.ts";
import { checkConfig, readConfig } from "./read-config.ts";

const GOOD = `model = "anthropic/claude-opus-5-5"
trusted_projects = ["/home/me/work"]

[providers.anthropic]
base_url = "https://proxy.example.com"
api_key_env = "MY_KEY"
headers = { "x-team" = "blue" }

[models."anthropic/some-model"]
context_window = 200000
max_output = 8192
accepts = ["text/*", "image/png"]

[acp.agents.other]
command = "other-agent"
args = ["--acp"]
env = { A = "1" }

[mcp.servers.files]
command = "files-server"

[mcp.servers.web]
url = "https://mcp.example.com"
headers = { authorization = "Bearer x" }

[ai_sdk.mistral]
package = "@ai-sdk/mistral"
export = "createMistral"
options = { baseURL = "https://x.example.com", retries = 2 }

[limits]
attachment_bytes = 1000
`;

test("every documented key is known", () => {
  const { config, warnings } = checkConfig(GOOD, "galley.toml");
  assert.deepEqual(warnings, []);
  assert.equal(config.model, "anthropic/claude-opus-5-5");
  assert.equal(config.limits?.attachment_bytes, 1000);
  assert.deepEqual(config.ai_sdk?.mistral?.options, {
    baseURL: "https://x.example.com",
    retries: 2,
  });
});

test("an unknown key is warned about with its line, and with the spelling that was meant", () => {
  const toml = `modle = "x"\n\n[providers.anthropic]\nbase-url = "https://a.example.com"\n`;
  assert.deepEqual(checkConfig(toml, "c.toml").warnings, [
    "c.toml:1: the key modle is not known and has no effect",
    "c.toml:4: the key providers.anthropic.base-url is not known and has no effect; did you mean base_url?",
  ]);
});

const BAD: readonly (readonly [string, string, string])[] = [
  ["broken TOML", 'model = "a\n', "c.toml:1: not TOML: "],
  [
    "a wrong type",
    "\n\nmodel = 3\n",
    "c.toml:3: model: Invalid input: expected string, received number",
  ],
  [
    "an address that is none",
    '[providers.anthropic]\nbase_url = "nowhere"\n',
    "c.toml:2: providers.anthropic.base_url: an http(s) address such as https://api.example.com",
  ],
  [
    "a key in an address",
    '[providers.a]\nbase_url = "https://me:secret@x.example.com"\n',
    "c.toml:2: providers.a.base_url: an address without user, query or fragment; keys belong in the variable that api_key_env names",
  ],
  [
    "a key in place of a variable",
    '[providers.a]\napi_key_env = "sk-123"\n',
    "c.toml:2: providers.a.api_key_env: the name of a variable, not a key",
  ],
  [
    "a header that cannot be sent",
    '[providers.a.headers]\nx = "a\\nb"\n',
    "c.toml:2: providers.a.headers.x: printable ASCII, which is all that a header may carry",
  ],
  [
    "a path in place of a package",
    '[ai_sdk.x]\npackage = "./evil.js"\nexport = "make"\n',
    "c.toml:2: ai_sdk.x.package: the name of an npm package",
  ],
  [
    "a limit of nothing",
    "[limits]\nattachment_bytes = 0\n",
    "c.toml:2: limits.attachment_bytes: Too small: expected number to be >=1",
  ],
  ["a key that would reach the prototype", '["__proto__"]\nx = 1\n', "c.toml:1: not TOML: "],
];

for (const [what, toml, says] of BAD) {
  test(`${what} is refused with file, line and reason`, () => {
    assert.throws(
      () => checkConfig(toml, "c.toml"),
      (error: Error) => {
        assert.equal(error.message.slice(0, says.length), says);
        assert.doesNotMatch(error.message, /\n|secret|sk-123/);
        return true;
      },
    );
  });
}

test("a file that is not there is no configuration, and one that is too long is refused", async (t) => {
  const folder = await tempFolder(t, { "long.toml": `# ${"x".repeat(300_000)}\n` });
  assert.equal(await readConfig(join(folder, "none.toml")), undefined);
  await assert.rejects(readConfig(join(folder, "long.toml")), /long\.toml: more than 262144 bytes/);
});

test("a folder in the place of the file is refused", async (t) => {
  const folder = await tempFolder(t);
  await mkdir(join(folder, "config.toml"));
  await assert.rejects(
    readConfig(join(folder, "config.toml")),
    /cannot read the configuration .*config\.toml: is a directory/,
  );
});
