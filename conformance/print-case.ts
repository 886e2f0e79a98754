/** A case on its way: materialized, appended to a forme, and printed for one provider. */
import { type ContextMessage, materializeParts } from "@galley/assemble";
import type { AssistantPart, Message, UserPart } from "@galley/parts";
import { createForme, type WireRequest } from "@galley/shape";
import { type Case, caseLoader } from "./case-file.ts";
import type { Provider } from "./providers.ts";

export async function printCase(given: Case, provider: Provider): Promise<WireRequest> {
  const forme = createForme(provider.protocol, provider.profile);
  for (const [index, message] of given.messages.entries()) {
    forme.append(await contextOf(message, index, given));
  }
  return forme.request({
    layers: given.layers ?? [],
    tools: given.tools ?? [],
    toolChoice: given.tool_choice,
    settings: { stream: true, cache: "off", ...given.settings },
  });
}

async function contextOf(message: Message, index: number, given: Case): Promise<ContextMessage> {
  const elided = elidedIn(index, given);
  const common = {
    ...(typeof message.id === "string" && { id: message.id }),
    ...(elided && { elided }),
  };
  if (message.role === "assistant") {
    // The union of the two loose roles does not narrow its parts.
    const parts = message.parts as readonly AssistantPart[];
    return { role: "assistant", parts, ...common };
  }
  const parts = message.parts as readonly UserPart[];
  const materials = await materializeParts(parts, caseLoader(given));
  return { role: "user", parts, materials, ...common };
}

function elidedIn(index: number, { elided = {} }: Case): Record<number, string> | undefined {
  const here = Object.entries(elided).flatMap(([place, line]) => {
    const [message, part] = place.split(".");
    return Number(message) === index ? [[Number(part), line] as const] : [];
  });
  return here.length > 0 ? Object.fromEntries(here) : undefined;
}

export const parseBody = (request: WireRequest): Record<string, unknown> =>
  JSON.parse(new TextDecoder().decode(request.body));

const LISTS = ["messages", "input", "contents"];

/** The part of a body that holds the conversation, under the provider's own name for it. */
export function conversationOf(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([key]) => LISTS.includes(key)));
}
