/**
 * The way of a message up to the wire, for a proof and for a send alike: checked, as it would be
 * stored, materialized, assembled and lowered. It reads files and opens no socket.
 */
import {
  type AssembledContext,
  assemble,
  type Calibration,
  DEFAULT_LOAD_POLICY,
  type LoadPolicy,
  type Manifest,
  materializeParts,
  refusalText,
  type UserContext,
} from "@galley/assemble";
import type { UserMessage } from "@galley/parts";
import {
  acceptsMedia,
  createForme,
  type ModelProfile,
  modelName,
  type Protocol,
  type WireRequest,
} from "@galley/shape";
import { HostError } from "../host-error.ts";
import { fileLoader } from "../workspace/loader.ts";
import { checkMessage } from "./check-message.ts";
import { fitPictures } from "./fit-pictures.ts";
import { persisted } from "./persisted.ts";
import { protocolOf } from "./protocols.ts";
import { AGENT_SYSTEM } from "./system-prompt.ts";

/** What is known of how the provider of a model counts, by `provider/model`. */
export type CalibrationOf = (model: string) => Promise<Calibration | undefined>;

/** What holds for every model: a proof of several makes it once. */
export type Ready = {
  readonly calibrationOf?: CalibrationOf | undefined;
  readonly composed: UserMessage;
  readonly persisted: UserMessage;
  readonly user: UserContext;
};

/** No tool is offered yet, so no descriptor may name one. */
const { reach: _none, ...LOAD_POLICY }: LoadPolicy = DEFAULT_LOAD_POLICY;

export async function readyMessage(
  raw: unknown,
  workspace: string,
  calibrationOf?: CalibrationOf,
): Promise<Ready> {
  const composed = checkMessage(raw);
  const { message, blobs } = persisted(composed);
  const user: UserContext = {
    role: "user",
    ...(message.id !== undefined && { id: message.id }),
    parts: message.parts,
    materials: await materializeParts(message.parts, fileLoader(workspace, blobs), LOAD_POLICY),
  };
  return { composed, persisted: message, user, calibrationOf };
}

export type Assembled = { readonly context: AssembledContext; readonly manifest: Manifest };

export async function assembleFor(
  { user, calibrationOf }: Ready,
  profile: ModelProfile,
): Promise<Assembled> {
  const calibration = await calibrationOf?.(modelName(profile));
  return assemble({
    ...(calibration && { calibration }),
    layers: [AGENT_SYSTEM],
    messages: [await fitPictures(user, profile)],
    contextWindow: profile.contextWindow,
    maxOutput: profile.maxOutput,
    shows: (mime) => acceptsMedia(profile, mime),
  });
}

/** Before any network call: the provider would refuse it after the whole of it was sent. */
export function refuseOverLimit(manifest: Manifest, profile: ModelProfile) {
  const { over_limit, estimate, limit, refusal } = manifest;
  if (!over_limit) return;
  const says = refusal ? refusalText(refusal) : `about ${estimate} tokens, and ${limit} fit`;
  const window = profile.contextWindow;
  throw HostError.make("over_limit", { model: modelName(profile), estimate, limit, window, says });
}

export type Printed = { readonly protocol: Protocol; readonly request: WireRequest };

export function printRequest(context: AssembledContext, profile: ModelProfile): Printed {
  const protocol = protocolOf(profile);
  const forme = createForme(protocol, profile);
  for (const message of context.messages) forme.append(message);
  const { layers, tools, toolChoice } = context;
  const settings = { stream: true, cache: "auto" } as const;
  return { protocol, request: forme.request({ layers, tools, toolChoice, settings }) };
}
