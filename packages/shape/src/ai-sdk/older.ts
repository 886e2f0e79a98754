/**
 * Models of the AI SDK's older interfaces, V3 and V2: the same call in their words.
 *
 * They spell files differently and have no common word for reasoning, which their providers read
 * from provider options alone. What they stream, `stream.ts` reads as it reads V4.
 */
import type {
  LanguageModelV2CallOptions,
  LanguageModelV3CallOptions,
  LanguageModelV3Prompt,
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";

export function optionsForV3(options: LanguageModelV4CallOptions): LanguageModelV3CallOptions {
  const { reasoning: _, prompt, ...rest } = options;
  const asFile = (part: Content) => ({ ...part, type: "file-data", data: dataOf(part.data) });
  // Both prompts are the same but for the files, which is what `respell` changes.
  return { ...rest, prompt: respell(prompt, asFile) as LanguageModelV3Prompt };
}

export function optionsForV2(options: LanguageModelV4CallOptions): LanguageModelV2CallOptions {
  const { reasoning: _, prompt, ...rest } = options;
  const asMedia = ({ mediaType, data }: Content) => ({
    type: "media",
    mediaType,
    data: dataOf(data),
  });
  // V2 has fewer kinds of tools and options; those that we write are all in it.
  return { ...rest, prompt: respell(prompt, asMedia) } as LanguageModelV2CallOptions;
}

type Content = Pick<LanguageModelV4FilePart, "data" | "mediaType"> & { type: "file" };

function respell(prompt: LanguageModelV4Prompt, result: (part: Content) => object): unknown[] {
  return prompt.map((message) => {
    if (message.role === "system") return message;
    const content = message.content.map((part) => {
      if (part.type === "file") return { ...part, data: dataOf(part.data) };
      if (part.type === "tool-result") return { ...part, output: output(part.output, result) };
      return part;
    });
    return { ...message, content };
  });
}

function output(from: LanguageModelV4ToolResultOutput, result: (part: Content) => object): unknown {
  if (from.type !== "content") return from;
  return { ...from, value: from.value.map((each) => (each.type === "file" ? result(each) : each)) };
}

/** We only ever write bytes, as base64. */
const dataOf = (data: LanguageModelV4FilePart["data"]): unknown =>
  data.type === "data" ? data.data : data;
