/**
 * One event of a Gemini stream, read without trust: what has the wrong type is not there.
 *
 * It names what an event can hold and keeps the rest as it came. What the pieces mean in the course
 * of a stream is decided in `decode.ts`.
 */
import type { Usage } from "@galley/parts";
import { parseEvent } from "../decode.ts";
import { asCount, asList, asObject, type JsonObject, textOrNone } from "../json-value.ts";

export type Part =
  | {
      readonly kind: "text";
      readonly text: string;
      readonly thought: boolean;
      readonly signature?: string;
    }
  | {
      readonly kind: "call";
      readonly id?: string;
      readonly name: string;
      readonly args: unknown;
      readonly signature?: string;
    }
  | {
      readonly kind: "file";
      readonly url: string;
      readonly mime: string;
      readonly thought: boolean;
      readonly signature?: string;
    }
  /** A kind that was not asked for, or is not known yet. */
  | { readonly kind: "unread"; readonly raw: unknown };

export type Source = { readonly url: string; readonly title?: string };

export type GeminiEvent = {
  readonly error?: string;
  /** Why the prompt was not let through to the model. */
  readonly blocked?: string;
  readonly parts: readonly Part[];
  readonly sources: readonly Source[];
  readonly finish?: string;
  readonly finishMessage?: string;
  /** Totals so far; an event need not name them all. */
  readonly counts: JsonObject;
  readonly model?: string;
  readonly responseId?: string;
};

export function readEvent(data: string): GeminiEvent | undefined {
  const event = parseEvent<JsonObject>(data);
  if (!event) return undefined;
  const candidate = asObject(asList(event.candidates)[0]);
  const feedback = asObject(event.promptFeedback);
  return {
    ...present("error", event.error ? sayError(asObject(event.error)) : undefined),
    ...present("blocked", textOrNone(feedback.blockReason)),
    parts: asList(asObject(candidate.content).parts).flatMap(readPart),
    sources: readSources(candidate),
    ...present("finish", textOrNone(candidate.finishReason)),
    ...present("finishMessage", textOrNone(candidate.finishMessage)),
    counts: asObject(event.usageMetadata),
    ...present("model", textOrNone(event.modelVersion)),
    ...present("responseId", textOrNone(event.responseId)),
  };
}

function readPart(raw: unknown): Part[] {
  const part = asObject(raw);
  const thought = part.thought === true;
  const signature = present("signature", textOrNone(part.thoughtSignature));
  const said = textOrNone(part.text);
  if (said !== undefined) return [{ kind: "text", text: said, thought, ...signature }];
  const call = asObject(part.functionCall);
  const name = textOrNone(call.name);
  // Arguments in pieces come only to those who ask for them.
  if (name !== undefined && name !== "" && call.partialArgs === undefined) {
    return [
      {
        kind: "call",
        ...present("id", textOrNone(call.id)),
        name,
        args: call.args ?? {},
        ...signature,
      },
    ];
  }
  const url = readUrl(part);
  if (url) return [{ kind: "file", ...url, thought, ...signature }];
  const alone = Object.keys(part).every((key) => key === "thought" || key === "thoughtSignature");
  if (!alone || raw !== part) return [{ kind: "unread", raw }];
  // A signature may come by itself, after the text that it signs.
  return signature.signature === undefined
    ? []
    : [{ kind: "text", text: "", thought, ...signature }];
}

function readUrl(part: JsonObject): { url: string; mime: string } | undefined {
  const inline = asObject(part.inlineData);
  const base64 = textOrNone(inline.data);
  const file = asObject(part.fileData);
  const mime =
    textOrNone(inline.mimeType) ?? textOrNone(file.mimeType) ?? "application/octet-stream";
  const url = base64 === undefined ? textOrNone(file.fileUri) : `data:${mime};base64,${base64}`;
  return url === undefined ? undefined : { url, mime };
}

/** Pages that a search found, and works that the answer quotes. */
function readSources(candidate: JsonObject): Source[] {
  const found = asList(asObject(candidate.groundingMetadata).groundingChunks).map((chunk) =>
    asObject(asObject(chunk).web),
  );
  const quoted = asList(asObject(candidate.citationMetadata).citationSources).map(asObject);
  return [...found, ...quoted].flatMap((source) => {
    const url = textOrNone(source.uri);
    return url === undefined ? [] : [{ url, ...present("title", textOrNone(source.title)) }];
  });
}

/** The prompt's count includes what the cache held; the output's is without thoughts. */
export function usageOf(counts: JsonObject): Usage {
  const cached = asCount(counts.cachedContentTokenCount);
  const prompt = asCount(counts.promptTokenCount) + asCount(counts.toolUsePromptTokenCount);
  return {
    input: Math.max(0, prompt - cached),
    output: asCount(counts.candidatesTokenCount),
    reasoning: asCount(counts.thoughtsTokenCount),
    cache_read: cached,
    cache_write: 0,
  };
}

const sayError = (error: JsonObject): string =>
  [textOrNone(error.status), textOrNone(error.message)].filter(Boolean).join(": ") ||
  "the provider reported an error";

function present<K extends string>(key: K, value: string | undefined): { [P in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: string });
}
