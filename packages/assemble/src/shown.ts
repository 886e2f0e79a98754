/**
 * What a part will show a model, near enough to be measured: texts, and media by their price.
 *
 * It follows what lowering does without knowing a provider: what is settled before the model costs
 * nothing, a command costs what it expanded to, and a picture is no text, wherever it stands.
 */
import {
  type AssistantPart,
  type AssistantPartShapes,
  type ExpansionPart,
  isPart,
  kindOfAssistantPart,
  type Part,
  toolNameOf,
  type UserPart,
} from "@galley/parts";
import type { Material } from "./context.ts";
import { heldBytes, heldUrl, type Shown, takeMedia } from "./held-media.ts";

const NONE: Shown = { text: "", media: [] };
const words = (text: string): Shown => ({ text, media: [] });

export function shownOfUser(part: UserPart | ExpansionPart, material: Material | undefined): Shown {
  if (!isPart(part)) return foreign(part);
  switch (part.type) {
    case "text":
      return words(part.text);
    case "file-ref":
      return shownMaterial("file", refName(part), material);
    case "directory-ref":
      return shownMaterial("directory", part.ref.path, material ?? DIRECTORY);
    case "file-attachment":
      return shownAttachment(part, material);
    case "command":
      return shownCommand(part, material);
    case "mention":
      return shownMention(part, material);
    case "editor-context":
      return words(editorText(part));
  }
}

const DIRECTORY: Material = { kind: "descriptor", reason: "" };

const refName = ({ ref }: Extract<Part, { type: "file-ref" }>): string =>
  ref.kind === "path" ? ref.path : ref.kind === "url" ? ref.url : ref.content_id;

const editorText = (context: { kind: string; source?: string | undefined; payload: object }) =>
  `<editor_context kind="${context.kind}" source="${context.source ?? ""}">${JSON.stringify(context.payload)}</editor_context>`;

function shownAttachment(
  part: Extract<Part, { type: "file-attachment" }>,
  material: Material | undefined,
): Shown {
  const { name, mime, size, data, delivery, reason = "" } = part;
  const made = material?.kind === "attached" ? undefined : material;
  if (delivery === undefined && made) return shownMaterial("attachment", name, made);
  if (delivery === undefined && data !== undefined) return heldBytes(name, data);
  const absent = part.content_id ?? part.url;
  if (delivery === undefined && absent !== undefined) {
    return shownMaterial("attachment", name, { kind: "unavailable", reason: "not loaded" });
  }
  return words(`[attachment: ${name}, ${mime}, ${size ?? ""} bytes; content not shown: ${reason}]`);
}

function shownMaterial(what: string, name: string, material: Material | undefined): Shown {
  switch (material?.kind) {
    case "text":
      return words(`File ${name} (${material.note ?? ""}):\n\`\`\`\n${material.text}\n\`\`\``);
    case "bytes":
      return heldBytes(name, material.base64, material);
    case "descriptor": {
      const { mime = "", size = "", reason, reach = "" } = material;
      return words(
        `[${what}: ${name}, ${mime}, ${size} bytes; content not shown: ${reason}; ${reach}]`,
      );
    }
    case "unavailable": {
      const { reason } = material;
      return { ...words(`[${what} unavailable: ${name} (${reason})]`), failed: reason };
    }
    case undefined:
    case "attached":
    case "entity":
    case "parts":
      return { ...words(`[${what} unavailable: ${name} (it was not read)]`), failed: "not read" };
  }
}

function shownCommand(
  part: Extract<Part, { type: "command" }>,
  material: Material | undefined,
): Shown {
  if (part.outcome === "pass-through" || part.outcome === undefined) {
    return words(`${part.id} ${part.args?.raw ?? ""}`);
  }
  if (part.outcome === "host-action") return NONE;
  const materials = material?.kind === "parts" ? material.materials : [];
  return joined((part.expansion ?? []).map((each, at) => shownOfUser(each, materials[at])));
}

function shownMention(
  part: Extract<Part, { type: "mention" }>,
  material: Material | undefined,
): Shown {
  const { kind, path, name = "" } = part.target;
  if (kind === "skill") {
    return material?.kind === "unavailable" ? shownMaterial("skill", name, material) : NONE;
  }
  if (kind === "file" && path !== undefined) return shownMaterial("file", path, material);
  return material?.kind === "entity" ? words(editorText(material.context)) : NONE;
}

function foreign(part: { readonly type: string; readonly text?: unknown }): Shown {
  const told = typeof part.text === "string" && part.text.trim() !== "";
  return words(told ? String(part.text) : `[unsupported part: ${part.type}]`);
}

function joined(all: readonly Shown[]): Shown {
  const failed = all.find((each) => each.failed !== undefined)?.failed;
  return {
    text: all.map(({ text }) => text).join("\n"),
    media: all.flatMap(({ media }) => media),
    ...(failed !== undefined && { failed }),
  };
}

/** A tool's result is apart: it can be left out while its call stays. */
export type ShownAnswer = Shown & { readonly result?: Shown };

type Shower<K extends keyof AssistantPartShapes> = (part: AssistantPartShapes[K]) => ShownAnswer;

const SHOWERS: { readonly [K in keyof AssistantPartShapes]: Shower<K> } = {
  text: ({ text }) => words(text),
  // Unsigned reasoning never goes back to a provider.
  reasoning: ({ text, providerMetadata }) => (providerMetadata ? words(text) : NONE),
  tool: shownTool,
  file: ({ url, filename = "unnamed" }) => heldUrl(filename, url),
  source: () => NONE,
  data: (part) => words(part.type === "data-compaction" ? summaryOf(part) : ""),
  "step-start": () => NONE,
  foreign,
};

export const shownOfAnswer = (part: AssistantPart): ShownAnswer =>
  // The table pairs each kind with its own row; an index cannot carry that to the compiler.
  (SHOWERS[kindOfAssistantPart(part.type)] as Shower<"foreign">)(part);

function shownTool(part: AssistantPartShapes["tool"]): ShownAnswer {
  const call = words(`${toolNameOf(part)}${JSON.stringify(part.input ?? {})}`);
  if (part.state === "output-error")
    return { ...call, result: words(part.errorText ?? "[failed]") };
  if (part.output === undefined) return { ...call, result: words("[no output: interrupted]") };
  const { value, media } = takeMedia(part.output);
  return { ...call, result: { text: outputText(value), media } };
}

/** As it is read out: a text is itself, a list of texts its texts, all else is JSON. */
function outputText(output: unknown): string {
  if (typeof output === "string") return output;
  const { type, data, content } = (output ?? {}) as Record<string, unknown>;
  if (type === "output" && data !== undefined) return outputText(data);
  if (Array.isArray(content) && content.every((item) => typeof item?.text === "string")) {
    return content.map(({ text }) => text).join("\n");
  }
  return JSON.stringify(output) ?? "";
}

function summaryOf({ data, summary }: AssistantPartShapes["data"]): string {
  const inside = (data as { summary?: unknown } | null)?.summary ?? summary;
  return typeof inside === "string" ? inside : "";
}
