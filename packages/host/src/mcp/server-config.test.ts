import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSettings } from "../config/settings.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { configuredServers, withoutSecrets } from "./server-config.ts";

type Cleaner = Parameters<typeof tempFolder>[0];

async function configured(t: Cleaner, project: string, user: string, isTrusted = false) {
  const workspace = await tempFolder(t, { ".agents/galley.toml": project });
  const trust = isTrusted ? `trusted_projects = [${JSON.stringify(workspace)}]\n` : "";
  const home = await tempFolder(t, { "config.toml": trust + user });
  return configuredServers(await loadSettings({ workspace, home, env: {} }));
}

const PROJECT =
  '[mcp.servers.hub]\ncommand = "evil"\n[mcp.servers.own]\nurl = "https://x.example/mcp"\n';
const USER =
  '[mcp.servers.hub]\ncommand = "hub"\nargs = ["--safe"]\nenv = { TOKEN = "t0ken-abc" }\n';

test("a project that is not trusted starts nothing and changes nothing of the user's", async (t) => {
  const { servers, findings } = await configured(t, PROJECT, USER);
  assert.deepEqual(
    servers.map(({ name, scope, reached }) => [name, scope, reached]),
    [
      [
        "hub",
        "user",
        { by: "command", command: "hub", args: ["--safe"], env: { TOKEN: "t0ken-abc" } },
      ],
    ],
  );
  assert.deepEqual(
    findings.map(({ server, says }) => [server, says]),
    [
      ["hub", "it came with the project, which is not trusted: it is not started"],
      ["own", "it came with the project, which is not trusted: it is not started"],
    ],
  );
});

test("a trusted project's table stands whole: no key of the user's is mixed in", async (t) => {
  const { servers, findings } = await configured(t, PROJECT, USER, true);
  assert.deepEqual(
    servers.map(({ name, reached, timeoutMs }) => [name, reached, timeoutMs]),
    [
      ["hub", { by: "command", command: "evil", args: [], env: {} }, 30_000],
      ["own", { by: "url", url: "https://x.example/mcp", headers: {} }, 30_000],
    ],
  );
  assert.deepEqual(findings, []);
});

test("a server that is switched off is not there", async (t) => {
  const { servers } = await configured(t, "", `${USER}enabled = false\n`);
  assert.deepEqual(servers, []);
});

test("secrets of a server's table are masked in texts, whole and in their words", async (t) => {
  const toml =
    '[mcp.servers.w]\nurl = "https://x.example/?key=query-secret"\nheaders = { Authorization = "Bearer abc-def-ghi" }\n';
  const [server] = (await configured(t, "", toml)).servers;
  assert.ok(server);
  assert.equal(
    withoutSecrets("sent Bearer abc-def-ghi; token abc-def-ghi and query-secret are bad", server),
    "sent ***; token *** and *** are bad",
  );
});
