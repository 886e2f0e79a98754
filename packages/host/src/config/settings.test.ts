import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { tempFolder } from "../testing/temp-folder.ts";
import { loadSettings, mergeTables, pickSetting } from "./settings.ts";

const FILES = {
  "w/.agents/galley.toml":
    'model = "project/m"\n[providers.a]\nbase_url = "https://p.example.com"\n',
  "h/config.toml":
    'model = "user/m"\n[providers.a]\nbase_url = "https://u.example.com"\napi_key_env = "A"\n[limits]\nattachment_bytes = 7\n',
  "chosen.toml": 'model = "chosen/m"\n',
};

async function load(t: Parameters<typeof tempFolder>[0], more: object = {}, env = {}) {
  const folder = await tempFolder(t, FILES);
  const input = { workspace: join(folder, "w"), home: join(folder, "h"), env };
  return { folder, settings: await loadSettings({ ...input, ...more }) };
}

test("a flag is stronger than the environment, that than the project, that than the user", async (t) => {
  const env = { GALLEY_MODEL: "env/m" };
  assert.equal((await load(t, { model: "flag/m" }, env)).settings.model, "flag/m");
  assert.equal((await load(t, {}, env)).settings.model, "env/m");
  assert.equal((await load(t)).settings.model, "project/m");
  const alone = await tempFolder(t, { "config.toml": 'model = "user/m"\n' });
  const settings = await loadSettings({ workspace: join(alone, "none"), home: alone, env: {} });
  assert.equal(settings.model, "user/m");
});

test("an empty variable chooses nothing", async (t) => {
  assert.equal((await load(t, {}, { GALLEY_MODEL: "" })).settings.model, "project/m");
});

test("each value comes from the strongest file that has it, and is known to", async (t) => {
  const { folder, settings } = await load(t);
  const file = join(folder, "w/.agents/galley.toml");
  assert.deepEqual(
    pickSetting(settings, ({ providers }) => providers?.a?.base_url),
    { value: "https://p.example.com", scope: "project", file },
  );
  const key = pickSetting(settings, ({ providers }) => providers?.a?.api_key_env);
  assert.equal(key?.scope, "user");
  assert.equal(settings.limits.attachment_bytes, 7);
  assert.equal(settings.limits.message_bytes, 50_331_648);
});

test("tables of both files are one, the project's keys before the user's", async (t) => {
  const { settings } = await load(t);
  assert.deepEqual(
    mergeTables(settings, ({ providers }) => providers),
    {
      a: { base_url: "https://p.example.com", api_key_env: "A" },
    },
  );
});

test("a file that is named stands in for both, and must be there", async (t) => {
  const { folder } = await load(t);
  const input = { workspace: join(folder, "w"), home: join(folder, "h"), env: {} };
  const settings = await loadSettings({ ...input, configFile: join(folder, "chosen.toml") });
  assert.equal(settings.model, "chosen/m");
  assert.deepEqual(
    settings.layers.map(({ scope }) => scope),
    ["chosen"],
  );
  await assert.rejects(
    loadSettings({ ...input, configFile: join(folder, "none.toml") }),
    /cannot read the configuration .*none\.toml: no such file/,
  );
});

test("a project is trusted by the user's file and never by its own", async (t) => {
  const workspace = await tempFolder(t);
  const toml = `trusted_projects = [${JSON.stringify(workspace)}]\n`;
  const trusted = await tempFolder(t, { "config.toml": toml });
  assert.equal((await loadSettings({ workspace, home: trusted, env: {} })).projectTrusted, true);
  const home = await tempFolder(t);
  assert.equal((await loadSettings({ workspace, home, env: {} })).projectTrusted, false);
  await mkdir(join(workspace, ".agents"));
  await writeFile(join(workspace, ".agents", "galley.toml"), toml);
  const own = await loadSettings({ workspace, home, env: {} });
  assert.equal(own.projectTrusted, false);
  assert.match(own.warnings.join(), /trusted_projects counts only in your own configuration/);
});
