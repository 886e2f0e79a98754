/** The name of a model as people write it, and as a message keeps it. */
import type { ModelChoice } from "@galley/parts";

/** `provider/model`; a model's own id may hold slashes. */
export function choiceOf(name: string): ModelChoice {
  const slash = name.indexOf("/");
  // A name without a slash is refused where it is looked up, with what is near to it.
  if (slash < 1) return { provider_id: name || "?", model_id: name || "?" };
  return { provider_id: name.slice(0, slash), model_id: name.slice(slash + 1) };
}

export const nameOf = ({ provider_id, model_id }: ModelChoice): string =>
  `${provider_id}/${model_id}`;
