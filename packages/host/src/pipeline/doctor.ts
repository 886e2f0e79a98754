/** What is set up, what is missing and what to do about it. It looks, and changes nothing. */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isGalleyError } from "@galley/parts";
import { mergeTables, type Settings } from "../config/settings.ts";
import { toolSettings } from "../config/tool-settings.ts";
import { mcpFindings } from "../mcp/mcp-findings.ts";
import type { McpServers } from "../mcp/mcp-servers.ts";
import { sandboxFindings } from "../sandbox/sandbox-findings.ts";
import { reasonOf } from "../workspace/read-file.ts";
import type { PipelineInput } from "./create-pipeline.ts";
import { allModels, defaultName, profileOf } from "./models.ts";
import type { Finding } from "./pipeline.ts";
import { BUILT_IN, hasKey, MASK, providerOf } from "./providers.ts";

export async function diagnose(input: PipelineInput, mcp: McpServers): Promise<readonly Finding[]> {
  const { config, home } = input;
  // Imported here: no other command has a use for the database at its start.
  const { databaseFindings } = await import("../sessions/database-findings.ts");
  const { findSandbox } = await import("../sandbox/find-sandbox.ts");
  return [
    node(process.versions.node),
    ok("workspace", input.workspace),
    ...configuration(config),
    ...trust(config),
    ...Object.keys(BUILT_IN).map((name) => provider(name, input)),
    model(input),
    await homeFolder(home),
    ...(await databaseFindings(input.db, home)),
    ok("rehearsal", "the offline model is built in and starts when it is needed"),
    ...sandboxFindings(await findSandbox(), toolSettings(config, input.env)),
    ...(await mcpFindings(mcp)),
    ...later(config),
  ];
}

const ok = (name: string, says: string): Finding => ({ name, status: "ok", says });

function node(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const recent = major > 23 || (major === 22 && minor >= 18) || (major === 23 && minor >= 6);
  if (recent) return ok("node", `Node ${version}`);
  const mend = "install Node 22.18 or newer";
  return { name: "node", status: "warning", says: `Node ${version} is too old`, mend };
}

function configuration({ looked, warnings }: Settings): Finding[] {
  return [
    ...looked.map(({ file, found }): Finding => {
      if (found) return ok("config", file);
      return { name: "config", status: "missing", says: `${file} (not needed)` };
    }),
    ...warnings.map((says): Finding => {
      return { name: "config", status: "warning", says, mend: "mend or remove the key" };
    }),
  ];
}

/** Only said where it matters: the project's file names an address or code. */
function trust({ layers, projectTrusted }: Settings): Finding[] {
  const project = layers.find(({ scope }) => scope === "project");
  if (!project || projectTrusted) return [];
  const { providers, ai_sdk } = project.config;
  if (!providers && !ai_sdk) return [];
  const says = `${project.file} names providers and is not trusted: no key goes to an address of its own, and no package of its own is run`;
  const mend = "add the folder to trusted_projects in your own config.toml if you trust it";
  return [{ name: "trust", status: "warning", says, mend }];
}

function provider(name: string, { config, env }: PipelineInput): Finding {
  return guarded(name, () => {
    const found = providerOf(name, config, env);
    const variable = found.keyEnv?.value;
    const at = `${found.baseUrl.value} (${found.baseUrl.scope})`;
    if (!variable) return ok(name, `${at}, without a key`);
    if (hasKey(found, env)) return ok(name, `${at}, key from ${variable} (${MASK})`);
    const says = `${at}, no key: ${variable} is not set`;
    return { name, status: "missing", says, mend: `set ${variable}` };
  });
}

function model({ config, env }: PipelineInput): Finding {
  return guarded("model", () => {
    const name = defaultName(config, env);
    profileOf(name, config);
    const why = config.model === undefined ? "nobody chose one" : "chosen";
    return ok("model", `${name} (${why}; ${allModels(config).length} models are known)`);
  });
}

/** A configuration that is refused when it is used is a finding here. */
function guarded(name: string, look: () => Finding): Finding {
  try {
    return look();
  } catch (error) {
    if (!isGalleyError(error)) throw error;
    return { name, status: "warning", says: error.message, mend: "mend the configuration" };
  }
}

async function homeFolder(home: string): Promise<Finding> {
  const problem = await unwritable(home);
  if (problem === undefined) return ok("home", home);
  const says = `${home} cannot be written: ${problem}`;
  return { name: "home", status: "warning", says, mend: "set GALLEY_HOME to a folder of yours" };
}

/** Of a folder that is not there yet, the nearest one above decides. */
async function unwritable(folder: string): Promise<string | undefined> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const reason = reasonOf(error);
    const parent = dirname(join(folder, "."));
    return reason === "no such file" && parent !== folder ? unwritable(parent) : reason;
  }
}

/** Configured and not in use yet: said here, so that nobody waits for it. */
const later = (settings: Settings): Finding[] =>
  Object.keys(mergeTables(settings, ({ acp }) => acp?.agents)).map((name) => ({
    name: "later",
    status: "warning",
    says: `acp.agents.${name} is read but not used yet`,
  }));
