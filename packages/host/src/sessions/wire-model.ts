/**
 * A model that is spoken to in one of our own wire protocols, in one conversation.
 *
 * The forme keeps what was printed. A request takes back the messages that are not the same objects
 * any more and appends the rest, so old bytes are copied and never made again.
 */
import type { AssembledContext, ContextMessage } from "@galley/assemble";
import {
  createForme,
  type Endpoint,
  type Forme,
  type ModelProfile,
  modelName,
  type Protocol,
  type WireRequest,
} from "@galley/shape";
import { type OpenModel, type PrintedRequest, send } from "@galley/turn";
import type { Env, Settings } from "../config/settings.ts";
import { HostError } from "../host-error.ts";
import { protocolOf } from "../pipeline/protocols.ts";
import { checkTrust, keyOf, MASK, maskHeaders, type Provider } from "../pipeline/providers.ts";
import { withoutRedirects } from "../pipeline/send.ts";
import { fitting } from "./fitting.ts";

export type WireModelDeps = {
  readonly settings: Settings;
  readonly env: Env;
  readonly fetch: typeof fetch;
  /** Routes the requests of one conversation to one cache, where a provider has such a key. */
  readonly cacheKey: string;
  provider(): Promise<Provider>;
};

export function openWireModel(profile: ModelProfile, deps: WireModelDeps): OpenModel {
  const protocol = protocolOf(profile);
  const print = printer(createForme(protocol, profile), deps.cacheKey);
  return {
    profile,
    fit: fitting(profile),
    async print(context): Promise<PrintedRequest> {
      const request = print(context);
      // Joined now: the bytes that are kept are the bytes that are sent.
      const { body } = request;
      refuseOverBytes(body, profile);
      const { sent, shown } = await endpointsOf(protocol, profile, deps);
      return {
        method: shown.method,
        url: shown.url,
        headers: shown.headers,
        body,
        outcomes: () => request.outcomes(),
        send: (signal) =>
          send({ endpoint: sent, body, protocol, fetch: withoutRedirects(deps.fetch), signal }),
      };
    },
  };
}

type Print = (context: AssembledContext) => WireRequest;

function printer(forme: Forme, cacheKey: string): Print {
  let printed: readonly ContextMessage[] = [];
  return ({ messages, layers, tools, toolChoice }) => {
    const same = commonLength(printed, messages);
    // Forgotten first: a message that cannot be lowered leaves the forme shorter, never wrong.
    printed = printed.slice(0, same);
    forme.truncate(same);
    for (const message of messages.slice(same)) forme.append(message);
    printed = messages;
    const settings = { stream: true, cache: "auto", cacheKey } as const;
    return forme.request({ layers, tools, toolChoice, settings });
  };
}

function commonLength(one: readonly ContextMessage[], other: readonly ContextMessage[]): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one[length] === other[length]) length += 1;
  return length;
}

function refuseOverBytes({ length: bytes }: Uint8Array, profile: ModelProfile): void {
  const limit = profile.limits?.requestBytes;
  if (limit === undefined || bytes <= limit) return;
  throw HostError.make("over_bytes", { model: modelName(profile), bytes, limit });
}

/** The same address twice: with its secrets for the wire, and without them for the record. */
async function endpointsOf(
  protocol: Protocol,
  profile: ModelProfile,
  deps: WireModelDeps,
): Promise<{ readonly sent: Endpoint; readonly shown: Endpoint }> {
  const provider = await deps.provider();
  const key = keyOf(provider, deps.env);
  checkTrust(provider, key, deps.settings);
  const at = { profile, baseUrl: provider.baseUrl.value, stream: true };
  const sent = protocol.endpoint({ ...at, key });
  const shown = protocol.endpoint({ ...at, ...(key !== undefined && { key: MASK }) });
  const own = provider.headers?.value ?? {};
  return {
    sent: { ...sent, headers: { ...sent.headers, ...own } },
    shown: { ...shown, headers: { ...shown.headers, ...maskHeaders(own) } },
  };
}
