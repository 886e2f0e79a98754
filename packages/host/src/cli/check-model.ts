/**
 * Whether a model can be asked from here, before anything is stored: a misspelt name or a missing
 * key must not leave a session behind.
 */
import type { Env, Settings } from "../config/settings.ts";
import { AI_SDK, defaultName, profileOf } from "../pipeline/models.ts";
import { checkTrust, keyOf, providerOf } from "../pipeline/providers.ts";

export function checkModel(settings: Settings, env: Env): void {
  const { provider: name } = profileOf(defaultName(settings, env), settings);
  // These bring their own key, or need none.
  if (name === "rehearsal" || name === AI_SDK) return;
  const provider = providerOf(name, settings, env);
  checkTrust(provider, keyOf(provider, env), settings);
}
