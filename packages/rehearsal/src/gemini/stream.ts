/**
 * Answers in Gemini's words. A stream is a series of whole responses, each with the parts that are
 * new; the last one carries the reason to stop. A function call always comes in one piece.
 */
import type { Heard } from "../heard.ts";
import { type Said, saidId, saidText, type Usage } from "../said.ts";
import { seal } from "../seal.ts";
import { type WireEvent, wireEvent } from "../wire.ts";

type Part = Record<string, unknown>;

export function wholeResponse(said: Said, heard: Heard): unknown {
  const text = saidText(said);
  const parts = [
    ...thoughts(said),
    ...(text === "" ? [] : [{ text }]),
    ...calls(said),
    ...closing(said),
  ];
  return response(said, heard, parts, true);
}

export function responseEvents(said: Said, heard: Heard): WireEvent[] {
  const parts: Part[] = [...thoughts(said), ...said.chunks.map((text) => ({ text }))];
  const together = calls(said);
  return [
    ...parts.map((part) => wireEvent(response(said, heard, [part], false))),
    ...(together.length > 0 ? [wireEvent(response(said, heard, together, false))] : []),
    wireEvent(response(said, heard, closing(said, true), true)),
  ];
}

const thoughts = ({ reasoning }: Said): Part[] =>
  reasoning === undefined ? [] : [{ text: reasoning, thought: true }];

/** Documented: of parallel calls only the first is signed. */
const calls = ({ toolCalls }: Said): Part[] =>
  toolCalls.map(({ id, name, input }, index) => ({
    functionCall: { id, name, args: input ?? {} },
    ...(index === 0 && { thoughtSignature: seal(id) }),
  }));

/** Documented: without a call, the signature of the thoughts comes on a last, empty text part. */
function closing({ reasoning, toolCalls, refusal }: Said, streaming = false): Part[] {
  if (refusal !== undefined) return [];
  if (reasoning !== undefined && toolCalls.length === 0) {
    return [{ text: "", thoughtSignature: seal(reasoning) }];
  }
  return streaming ? [{ text: "" }] : [];
}

const FINISH_REASONS: { readonly [S in Said["stop"]]: string } = {
  stop: "STOP",
  length: "MAX_TOKENS",
  "tool-calls": "STOP",
  refusal: "SAFETY",
};

function response(said: Said, heard: Heard, parts: readonly Part[], isLast: boolean): unknown {
  const content = { role: "model", ...(parts.length > 0 && { parts }) };
  return {
    candidates: [
      {
        content,
        index: 0,
        ...(isLast && { finishReason: FINISH_REASONS[said.stop] }),
        ...(isLast && said.refusal !== undefined && { finishMessage: said.refusal }),
      },
    ],
    usageMetadata: usage(said.usage),
    modelVersion: heard.model,
    responseId: saidId("resp", said.number),
  };
}

/** Thoughts are counted apart from the candidate (documented). */
const usage = ({ input, output, cacheRead, reasoning }: Usage) => ({
  promptTokenCount: input,
  candidatesTokenCount: output - reasoning,
  totalTokenCount: input + output,
  ...(cacheRead > 0 && { cachedContentTokenCount: cacheRead }),
  ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
  promptTokensDetails: [{ modality: "TEXT", tokenCount: input }],
});
