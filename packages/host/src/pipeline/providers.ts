/**
 * Where a provider is and which key opens it, by flag, environment, configuration and what we know.
 *
 * Keys are looked up when something is sent and at no other time; a proof never holds one.
 */

import { OPENAI_BASE_URL } from "@galley/shape";
import { isPlainHeader, MASK } from "@galley/turn";
import { BaseUrl } from "../config/schema.ts";
import { type Env, pickSetting, type Settings, type Sourced } from "../config/settings.ts";
import { HostError } from "../host-error.ts";

type BuiltIn = { readonly baseUrl: string; readonly baseEnv: string; readonly keyEnv: string };

const OPENAI: BuiltIn = {
  baseUrl: OPENAI_BASE_URL,
  baseEnv: "OPENAI_BASE_URL",
  keyEnv: "OPENAI_API_KEY",
};

export const BUILT_IN: Readonly<Record<string, BuiltIn>> = {
  anthropic: {
    baseUrl: "https://api.anthropic.com",
    baseEnv: "ANTHROPIC_BASE_URL",
    keyEnv: "ANTHROPIC_API_KEY",
  },
  openai: OPENAI,
  "openai-chat": OPENAI,
  gemini: {
    baseUrl: "https://generativelanguage.googleapis.com",
    baseEnv: "GEMINI_BASE_URL",
    keyEnv: "GEMINI_API_KEY",
  },
};

export type Provider = {
  readonly name: string;
  readonly baseUrl: Sourced<string>;
  /** The variable of the key; undefined or empty when the provider takes none. */
  readonly keyEnv: Sourced<string> | undefined;
  readonly headers: Sourced<Readonly<Record<string, string>>> | undefined;
};

export function providerOf(name: string, settings: Settings, env: Env): Provider {
  const known = Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined;
  const configured = <T>(pick: (provider: ProviderTable) => T | undefined) =>
    pickSetting(settings, ({ providers }) => {
      const table = providers && Object.hasOwn(providers, name) ? providers[name] : undefined;
      return table && pick(table);
    });
  const baseUrl =
    baseFromEnv(known, env) ??
    configured(({ base_url }) => base_url) ??
    (known && { value: known.baseUrl, scope: "built-in" as const });
  if (!baseUrl) throw HostError.make("no_base_url", { provider: name });
  return {
    name,
    baseUrl,
    keyEnv:
      configured(({ api_key_env }) => api_key_env) ??
      (known && { value: known.keyEnv, scope: "built-in" }),
    headers: configured(({ headers }) => headers && lowerCased(headers)),
  };
}

/** One spelling, so that a configured header replaces ours of the same name. */
const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

type ProviderTable = NonNullable<Settings["layers"][number]["config"]["providers"]>[string];

function baseFromEnv(known: BuiltIn | undefined, env: Env): Sourced<string> | undefined {
  const value = known && env[known.baseEnv]?.trim();
  if (!known || !value) return undefined;
  const checked = BaseUrl.safeParse(value);
  if (checked.success) return { value, scope: "env" };
  const reason = checked.error.issues[0]?.message ?? "not an address";
  throw HostError.make("bad_config", { file: known.baseEnv, reason: `must be ${reason}` });
}

export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** The key to send, or undefined where none is needed. */
export function keyOf(provider: Provider, env: Env): string | undefined {
  const variable = provider.keyEnv?.value;
  if (!variable) return undefined;
  const key = env[variable]?.trim();
  if (!key) {
    if (provider.baseUrl.scope !== "built-in" && isLoopback(provider.baseUrl.value))
      return undefined;
    throw HostError.make("no_key", { provider: provider.name, variable });
  }
  // Refused here, because what refuses it further down quotes it.
  if (!/^[\x21-\x7e]+$/.test(key)) throw HostError.make("bad_key", { variable });
  return key;
}

export const hasKey = (provider: Provider, env: Env): boolean =>
  Boolean(provider.keyEnv?.value && env[provider.keyEnv.value]?.trim());

/**
 * A project file comes with a checkout. Until the user trusts it, an address that only it names gets
 * no secret, and nothing else either unless it is on this machine.
 */
export function checkTrust(provider: Provider, key: string | undefined, settings: Settings): void {
  if (settings.projectTrusted) return;
  const { baseUrl, keyEnv, headers } = provider;
  const users = headers !== undefined && headers.scope !== "project";
  const { host } = new URL(baseUrl.value);
  if (baseUrl.scope === "project" && (key !== undefined || users)) {
    refuse(baseUrl, `to have your key sent to ${host}`);
  }
  if (baseUrl.scope === "project" && !isLoopback(baseUrl.value)) {
    refuse(baseUrl, `to have your messages and files sent to ${host}`);
  }
  if (keyEnv?.scope === "project" && key !== undefined) {
    refuse(keyEnv, `to have the value of ${keyEnv.value} sent to ${host}`);
  }
}

function refuse({ file = "" }: Sourced<string>, wants: string): never {
  const mend =
    "if you trust it, add the folder to trusted_projects in your own config.toml, or name the file with --config";
  throw HostError.make("untrusted", { file, wants, mend });
}

export { MASK };

/** As they may be shown: the value of a header that is not known to be plain is `***`. */
export function maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isPlainHeader(name) ? value : MASK]),
  );
}
