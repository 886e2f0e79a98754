/**
 * What the configuration says of tools: rules of permission, the sandbox, the search on the web.
 *
 * A project's file comes with a checkout. Until the person trusts the project it can deny and ask,
 * and neither allow anything nor open the sandbox nor say where searches go.
 */
import { BASH_LIMITS, type BashSettings } from "../tools/bash-settings.ts";
import type { PermissionRule } from "../tools/permission.ts";
import type { Config, WebSearchConfig } from "./schema.ts";
import type { Env, Layer, Settings } from "./settings.ts";

export type ToolSettings = {
  readonly rules: readonly PermissionRule[];
  /** Of a project that nobody trusts; none of them allows. */
  readonly restraints: readonly PermissionRule[];
  readonly bash: BashSettings;
  readonly search: WebSearchConfig | undefined;
  /** What was read and does not count, a sentence each. */
  readonly notes: readonly string[];
};

export function toolSettings(settings: Settings, env: Env): ToolSettings {
  const isTrusted = ({ scope }: Layer): boolean => scope !== "project" || settings.projectTrusted;
  const trusted = settings.layers.filter(isTrusted);
  const others = settings.layers.filter((layer) => !isTrusted(layer));
  return {
    rules: trusted.flatMap(rulesIn),
    restraints: others.flatMap(rulesIn).filter(({ action }) => action !== "allow"),
    bash: bashSettings(trusted, env),
    search: first(trusted, ({ web }) => web?.search),
    notes: others.flatMap(notesOn),
  };
}

const rulesIn = ({ scope, config }: Layer): readonly PermissionRule[] =>
  (config.permissions ?? []).map((rule) => ({
    ...rule,
    source: scope === "project" ? "project" : "user",
  }));

function first<T>(layers: readonly Layer[], pick: (config: Config) => T | undefined) {
  return layers.map(({ config }) => pick(config)).find((value) => value !== undefined);
}

function bashSettings(layers: readonly Layer[], env: Env): BashSettings {
  return {
    read: layers.flatMap(({ config }) => config.sandbox?.read ?? []),
    env: layers.flatMap(({ config }) => config.sandbox?.env ?? []),
    network: first(layers, ({ sandbox }) => sandbox?.network) ?? false,
    limits: {
      memoryMb: first(layers, ({ sandbox }) => sandbox?.memory_mb) ?? BASH_LIMITS.memoryMb,
      processes: first(layers, ({ sandbox }) => sandbox?.processes) ?? BASH_LIMITS.processes,
    },
    from: env,
  };
}

function notesOn({ file, config }: Layer): readonly string[] {
  const allows = (config.permissions ?? []).filter(({ action }) => action === "allow").length;
  const unheard = [
    ...(allows > 0 ? [`the ${allows} rules of [[permissions]] that allow something`] : []),
    ...(config.sandbox ? ["[sandbox]"] : []),
    ...(config.web ? ["[web]"] : []),
  ];
  if (unheard.length === 0) return [];
  return [`${file} came with the project and is not trusted: no effect have ${unheard.join(", ")}`];
}
