/**
 * One message sent outside any session, and the answer as UI message chunks.
 *
 * What can be refused is refused before the first chunk; from then on, trouble is a chunk.
 */
import type { FinishReason, UiChunk } from "@galley/parts";
import { type ModelProfile, modelName } from "@galley/shape";
import { send } from "@galley/turn";
import type { Env, Settings } from "../config/settings.ts";
import { HostError } from "../host-error.ts";
import {
  assembleFor,
  type CalibrationOf,
  printRequest,
  readyMessage,
  refuseOverLimit,
} from "./prepare.ts";
import { checkTrust, keyOf, type Provider } from "./providers.ts";

export type SendDeps = {
  readonly workspace: string;
  readonly settings: Settings;
  readonly env: Env;
  readonly fetch: typeof fetch;
  readonly calibrationOf?: CalibrationOf;
  mintId(): string;
};

export async function* sendMessage(
  raw: unknown,
  profile: ModelProfile,
  findProvider: () => Provider | Promise<Provider>,
  deps: SendDeps,
  signal: AbortSignal | undefined,
): AsyncGenerator<UiChunk, void, undefined> {
  const ready = await readyMessage(raw, deps.workspace, deps.calibrationOf);
  const { context, manifest } = await assembleFor(ready, profile);
  refuseOverLimit(manifest, profile);
  const { protocol, request } = printRequest(context, profile);
  const most = profile.limits?.requestBytes;
  if (most !== undefined && request.body.length > most) {
    const model = modelName(profile);
    throw HostError.make("over_bytes", { model, bytes: request.body.length, limit: most });
  }
  const provider = await findProvider();
  const key = keyOf(provider, deps.env);
  checkTrust(provider, key, deps.settings);
  const baseUrl = provider.baseUrl.value;
  const endpoint = protocol.endpoint({ profile, baseUrl, stream: true, key });
  const headers = { ...endpoint.headers, ...provider.headers?.value };
  const sent = send({
    endpoint: { ...endpoint, headers },
    body: request.body,
    protocol,
    fetch: withoutRedirects(deps.fetch),
    ...(signal && { signal }),
  });
  yield* framed(sent, deps.mintId());
}

/** A redirect would carry the key to another server. */
export const withoutRedirects =
  (fetch: SendDeps["fetch"]): SendDeps["fetch"] =>
  (input, init) =>
    fetch(input, { ...init, redirect: "manual" });

/** The chunks of one step as those of a whole message. */
export async function* framed(
  step: AsyncIterable<readonly UiChunk[]>,
  messageId: string,
): AsyncGenerator<UiChunk, void, undefined> {
  let started = false;
  let finishReason: FinishReason | undefined;
  for await (const chunk of each(step)) {
    // Not before the provider answered: until then a refusal is still an error and no stream.
    if (!started) yield { type: "start", messageId };
    started = true;
    yield chunk;
    if (chunk.type === "abort") return;
    if (chunk.type === "message-metadata") finishReason ??= chunk.messageMetadata.finish_reason;
    if (chunk.type === "error") finishReason = "error";
  }
  yield { type: "finish", ...(finishReason && { finishReason }) };
}

async function* each(
  batches: AsyncIterable<readonly UiChunk[]>,
): AsyncGenerator<UiChunk, void, undefined> {
  for await (const batch of batches) yield* batch;
}
