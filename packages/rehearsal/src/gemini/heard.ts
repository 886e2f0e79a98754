/** A valid `generateContent` body → what the model heard. */
import type { Heard, HeardBlock } from "../heard.ts";
import { heardAddress, heardInline } from "../media.ts";
import type { Target } from "../protocol.ts";
import type { GenerateBody, Part } from "./shape.ts";
import { partsOf } from "./turns.ts";

export function hear(body: GenerateBody, target: Target): Omit<Heard, "inputTokens" | "body"> {
  const maxOutput = body.generationConfig?.maxOutputTokens;
  return {
    protocol: "gemini-generate",
    model: target.model ?? "",
    stream: target.stream ?? false,
    ...(target.stream && !target.sse && { framing: "json-array" as const }),
    system: partsOf(body.systemInstruction).map(hearPart),
    messages: (body.contents ?? []).map((content) => ({
      role: content.role || "user",
      blocks: partsOf(content).map(hearPart),
    })),
    tools: (body.tools ?? []).flatMap(({ functionDeclarations = [], ...hosted }) => [
      ...functionDeclarations.map((one) => ({ name: one.name ?? "", json: JSON.stringify(one) })),
      ...Object.entries(hosted).map(([name, one]) => ({ name, json: JSON.stringify(one) })),
    ]),
    ...(maxOutput !== undefined && { maxOutput }),
    cacheMarkers: 0,
  };
}

function hearPart(part: Part): HeardBlock {
  const { text, thought, inlineData, fileData, functionCall, functionResponse } = part;
  if (text !== undefined) return { kind: thought ? "reasoning" : "text", text };
  if (inlineData)
    return heardInline(inlineData.data ?? "", inlineData.mimeType ?? "", inlineData.displayName);
  if (fileData) return heardAddress("file", fileData.fileUri ?? "", fileData.mimeType);
  if (functionCall) {
    const name = functionCall.name ?? "";
    return { kind: "tool-call", id: functionCall.id ?? name, name, input: functionCall.args ?? {} };
  }
  if (functionResponse) {
    return {
      kind: "tool-result",
      id: functionResponse.id ?? functionResponse.name ?? "",
      isError: false,
      blocks: [
        { kind: "text", text: JSON.stringify(functionResponse.response ?? {}) },
        ...(functionResponse.parts ?? []).map((inner) => hearPart(inner as Part)),
      ],
    };
  }
  const type = Object.keys(part)[0] ?? "part";
  return { kind: "other", type, json: JSON.stringify(part) };
}
