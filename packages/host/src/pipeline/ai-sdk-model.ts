/**
 * A model of any AI SDK provider that the configuration names: `[ai_sdk.NAME]` gives the package
 * and the function that makes the provider, `ai-sdk/NAME/MODEL` is the model.
 *
 * The package is the workspace's own and its code runs here, so only the user can name it: an entry
 * that came with the project is not followed before the project is trusted.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AiSdkStreamPart } from "@galley/shape";
import { withoutSecrets } from "@galley/turn";
import type { AiSdkConfig } from "../config/schema.ts";
import { type Env, pickSetting, type Settings } from "../config/settings.ts";
import { HostError } from "../host-error.ts";
import { AI_SDK } from "./models.ts";

export interface AiSdkModel {
  /** `v4`, `v3` or `v2`. */
  readonly specificationVersion: string;
  /** The provider's own name, for example `mistral.chat`. */
  readonly provider: string;
  /** By the names under which the package may have found them: what no sentence may hold. */
  readonly secrets?: Readonly<Record<string, string>>;
  doStream(options: object): PromiseLike<{ readonly stream: ReadableStream<AiSdkStreamPart> }>;
}

/** `id` is `NAME/MODEL`: what follows `ai-sdk/`. */
export async function loadModel(
  id: string,
  settings: Settings,
  workspace: string,
  env: Env = {},
): Promise<AiSdkModel> {
  const slash = id.indexOf("/");
  const [name, model] = [id.slice(0, slash), id.slice(slash + 1)];
  const entry = entryOf(name, settings);
  const make = (await importFrom(workspace, name, entry))[entry.export];
  if (typeof make !== "function") {
    throw fault(name, `${entry.package} exports no function ${entry.export}`);
  }
  const secrets = secretsOf(entry.options ?? {}, env);
  try {
    const provider: unknown = make(entry.options ?? {});
    const found = checked(name, modelOf(provider, model));
    return {
      specificationVersion: found.specificationVersion,
      provider: found.provider,
      secrets,
      doStream: (options) => found.doStream(options),
    };
  } catch (error) {
    const reason = withoutSecrets(sayError(error), secrets);
    throw fault(name, `${entry.package} gives no model ${model}: ${reason}`, error);
  }
}

function entryOf(name: string, settings: Settings): AiSdkConfig {
  const found = pickSetting(settings, ({ ai_sdk }) =>
    ai_sdk && Object.hasOwn(ai_sdk, name) ? ai_sdk[name] : undefined,
  );
  if (!found) {
    const line = `ai_sdk.${name} = { package = "@ai-sdk/${name}", export = "create…" }`;
    throw fault(name, `the configuration does not name its package; put at its top: ${line}`);
  }
  if (found.scope === "project" && !settings.projectTrusted) {
    const wants = `the code of ${found.value.package} run`;
    const mend =
      "if you trust it, add the folder to trusted_projects in your own config.toml, or name the file with --config";
    throw HostError.make("untrusted", { file: found.file ?? "", wants, mend });
  }
  return found.value;
}

async function importFrom(
  workspace: string,
  name: string,
  entry: AiSdkConfig,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const path = createRequire(join(workspace, "package.json")).resolve(entry.package);
    return await import(pathToFileURL(path).href);
  } catch (error) {
    const [first = ""] = sayError(error).split("\n");
    const mend = `npm install ${entry.package} in the workspace`;
    throw fault(name, `${entry.package} cannot be loaded (${first}); ${mend}`, error);
  }
}

type Provider = ((model: string) => unknown) & { languageModel?: (model: string) => unknown };

function modelOf(provider: unknown, model: string): unknown {
  const { languageModel } = provider as Provider;
  return languageModel ? languageModel.call(provider, model) : (provider as Provider)(model);
}

const SECRET = /key|token|secret|password|credential|auth/i;

/** Whatever in the options, or in a variable that a package may read by itself, looks like one. */
function secretsOf(options: object, env: Env): Readonly<Record<string, string>> {
  const named = Object.entries(env).filter(([name]) => SECRET.test(name));
  return Object.fromEntries([...named, ...leavesOf(options, "options", false)].filter(isText));
}

const isText = (entry: readonly [string, unknown]): entry is [string, string] =>
  typeof entry[1] === "string";

/** All headers are meant: what is plain among them is known by its name. */
function leavesOf(value: object, path: string, all: boolean): readonly [string, unknown][] {
  return Object.entries(value).flatMap(([key, each]): readonly [string, unknown][] => {
    const isMeant = all || key === "headers" || SECRET.test(key);
    if (typeof each === "object" && each !== null) return leavesOf(each, `${path}.${key}`, isMeant);
    const name = path.endsWith(".headers") ? key : `${path}.${key}`;
    return isMeant ? [[name, each]] : [];
  });
}

const VERSIONS = ["v4", "v3", "v2"];

function checked(name: string, model: unknown): AiSdkModel {
  const { specificationVersion, doStream } = model as Partial<AiSdkModel>;
  if (typeof doStream === "function" && VERSIONS.includes(String(specificationVersion))) {
    // What an AI SDK model is beyond this is the SDK's promise.
    return model as AiSdkModel;
  }
  throw fault(name, `not a language model of the AI SDK (${VERSIONS.join(", ")})`);
}

const fault = (name: string, reason: string, cause?: unknown) =>
  HostError.make("ai_sdk", { name: name || AI_SDK, reason }, { cause });

export const sayError = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
