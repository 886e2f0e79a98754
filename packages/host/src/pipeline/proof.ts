/** The dry run: what would be sent, to the byte, and what became of each part on the way. */
import type { ModelProfile } from "@galley/shape";
import { sha256 } from "../workspace/loader.ts";
import type { Proof, ProofRequest } from "./pipeline.ts";
import { assembleFor, printRequest, type Ready } from "./prepare.ts";
import { MASK, maskHeaders, type Provider } from "./providers.ts";
import { assembledStage, loweredStage } from "./stages.ts";

/** Of the offline model, which has an address only while it runs. */
export const REHEARSAL_ADDRESS = "http://127.0.0.1:0";

export async function proofFor(
  ready: Ready,
  profile: ModelProfile,
  provider: Provider,
): Promise<Proof> {
  const { context, manifest } = await assembleFor(ready, profile);
  const { protocol, request: printed } = printRequest(context, profile);
  const outcomes = printed.outcomes();
  const body_text = new TextDecoder().decode(printed.body);
  const endpoint = protocol.endpoint({
    profile,
    baseUrl: provider.baseUrl.value,
    stream: true,
    ...(provider.keyEnv?.value && { key: MASK }),
  });
  const request: ProofRequest = {
    method: endpoint.method,
    url: endpoint.url,
    headers: { ...endpoint.headers, ...maskHeaders(provider.headers?.value ?? {}) },
    body: JSON.parse(body_text),
  };
  const { composed, persisted } = ready;
  return {
    provider: profile.provider,
    model: profile.id,
    request,
    outcomes,
    manifest,
    body_text,
    body_sha256: sha256(printed.body),
    stages: {
      composed,
      persisted,
      // Made when somebody looks: folding large attachments costs as much as the proof.
      get assembled() {
        return assembledStage(context, manifest);
      },
      get lowered() {
        return loweredStage(outcomes, printed.body);
      },
      wire: request,
    },
  };
}
