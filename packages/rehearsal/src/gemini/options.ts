/** Rules about everything beside the turns: functions, their choice, numbers, media. */
import type { Path } from "../check.ts";
import { decodeProtoBase64, examine } from "../media.ts";
import type { RehearsalModel } from "../model.ts";
import { type Complaint, firstComplaint } from "../refuse.ts";
import { fieldOf, invalid, rule } from "./complain.ts";
import { refuseSchema } from "./schema.ts";
import type { Blob, Content, Declaration, GenerateBody } from "./shape.ts";
import { partsOf } from "./turns.ts";

export function refuseOptions(body: GenerateBody, model: RehearsalModel): Complaint | undefined {
  return firstComplaint(
    () => refuseDeclarations(body),
    () => refuseChoice(body),
    () => refuseConfig(body, model),
    () => refuseMedia(body, model),
  );
}

export const declarationsOf = (body: GenerateBody): Declaration[] =>
  (body.tools ?? []).flatMap((tool) => tool.functionDeclarations ?? []);

/** Documented on `FunctionDeclaration.name`. */
const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/;

function refuseDeclarations(body: GenerateBody): Complaint | undefined {
  const seen = new Set<string>();
  for (const [index, tool] of (body.tools ?? []).entries()) {
    for (const [place, declaration] of (tool.functionDeclarations ?? []).entries()) {
      const path = ["tools", index, "functionDeclarations", place];
      const name = declaration.name ?? "";
      if (!NAME.test(name)) {
        return rule(
          [...path, "name"],
          "Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128.",
        );
      }
      if (seen.has(name)) return invalid(`Duplicate function declaration found: ${name}`);
      seen.add(name);
      const complaint = refuseParameters(declaration, path);
      if (complaint) return complaint;
    }
  }
  return undefined;
}

function refuseParameters(declaration: Declaration, path: Path): Complaint | undefined {
  const { parameters, parametersJsonSchema } = declaration;
  if (parameters && parametersJsonSchema !== undefined) {
    return rule(path, "parameters and parameters_json_schema are mutually exclusive.");
  }
  if (!parameters) return undefined;
  return parameters.type === "OBJECT"
    ? refuseSchema(parameters, [...path, "parameters"])
    : rule(
        [...path, "parameters"],
        "functionDeclaration parameters schema should be of type OBJECT.",
      );
}

function refuseChoice(body: GenerateBody): Complaint | undefined {
  const config = body.toolConfig?.functionCallingConfig;
  if (!config) return undefined;
  const names = declarationsOf(body).map(({ name }) => name);
  const path = ["toolConfig", "functionCallingConfig", "allowedFunctionNames"];
  if (names.length === 0 && (config.mode === "ANY" || config.mode === "VALIDATED")) {
    return invalid("Function calling config is set without function_declarations.");
  }
  const allowed = config.allowedFunctionNames ?? [];
  if (allowed.length > 0 && config.mode !== "ANY" && config.mode !== "VALIDATED") {
    return rule(path, "should only be set when the function calling mode is ANY or VALIDATED.");
  }
  const absent = allowed.findIndex((name) => !names.includes(name));
  return absent === -1
    ? undefined
    : rule([...path, absent], `function ${allowed[absent]} is not declared.`);
}

function refuseConfig({ generationConfig = {} }: GenerateBody, model: RehearsalModel) {
  const { maxOutputTokens, candidateCount, thinkingConfig } = generationConfig;
  if (maxOutputTokens !== undefined && maxOutputTokens > model.maxOutput) {
    return invalid(
      `Unable to submit request because it has a maxOutputTokens value of ${maxOutputTokens} but the supported range is from 1 (inclusive) to ${model.maxOutput + 1} (exclusive).`,
    );
  }
  // Gemini would answer with several candidates; a silent single one would hide that we do not.
  if ((candidateCount ?? 1) > 1) return invalid("rehearsal: only candidateCount = 1 is rehearsed.");
  if (thinkingConfig?.thinkingBudget !== undefined && thinkingConfig.thinkingLevel !== undefined) {
    return invalid("You can only set only one of thinking budget and thinking level.");
  }
  const { responseSchema, responseJsonSchema, responseMimeType } = generationConfig;
  const hasSchema = responseSchema !== undefined || responseJsonSchema !== undefined;
  if (hasSchema && responseMimeType !== "application/json" && responseMimeType !== "text/x.enum") {
    return rule(
      ["generationConfig", "responseSchema"],
      "only allowed when response_mime_type is application/json or text/x.enum.",
    );
  }
  return responseSchema && refuseSchema(responseSchema, ["generationConfig", "responseSchema"]);
}

/** Documented: the types under image, document, audio and video understanding. GIF is not one. */
const MEDIA =
  /^(?:image\/(?:png|jpeg|webp|heic|heif)|application\/pdf|audio\/(?:wav|x-wav|mp3|mpeg|aiff|aac|ogg|flac|m4a|mp4|webm)|video\/(?:mp4|mpeg|mov|quicktime|avi|x-msvideo|x-flv|mpg|webm|wmv|3gpp)|text\/[a-z0-9.+-]+)$/;

function refuseMedia(body: GenerateBody, model: RehearsalModel): Complaint | undefined {
  for (const [index, content] of (body.contents ?? []).entries()) {
    for (const [path, blob] of blobsIn(content, ["contents", index])) {
      const complaint = refuseBlob(blob, path, model);
      if (complaint) return complaint;
    }
  }
  return undefined;
}

function* blobsIn(content: Content, root: Path): Generator<[Path, Blob]> {
  for (const [place, part] of partsOf(content).entries()) {
    const path = [...root, "parts", place];
    if (part.inlineData) yield [[...path, "inlineData"], part.inlineData];
    for (const [inner, { inlineData }] of (part.functionResponse?.parts ?? []).entries()) {
      const at = [...path, "functionResponse", "parts", inner, "inlineData"];
      if (inlineData) yield [at, inlineData];
    }
  }
}

function refuseBlob(blob: Blob, path: Path, model: RehearsalModel): Complaint | undefined {
  const mimeType = blob.mimeType ?? "";
  const taken = model.accepts ? model.accepts.includes(mimeType) : MEDIA.test(mimeType);
  if (!taken) return invalid(`Unsupported MIME type: ${mimeType}`);
  const bytes = decodeProtoBase64(blob.data ?? "");
  const field = fieldOf([...path, "data"]);
  if (!bytes)
    return invalid(`Invalid value at '${field}' (TYPE_BYTES), Base64 decoding failed`, field);
  if (bytes.byteLength === 0) return rule([...path, "data"], "must not be empty.");
  const { sniffed } = examine(bytes);
  if (mimeType === "application/pdf") {
    return sniffed === mimeType ? undefined : invalid("The document has no pages.");
  }
  // HEIC has more than one signature; where nothing is recognized there is nothing to contradict.
  const isKnownImage = /^image\/(?:png|jpeg|webp)$/.test(mimeType);
  return isKnownImage && sniffed !== mimeType
    ? invalid("Unable to process input image. Please retry or report.")
    : undefined;
}
