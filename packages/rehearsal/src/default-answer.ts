/**
 * The answer when there is no script: what the model received, in plain words.
 *
 * It is for people who try the system without a key, so it lists every block in order; long text is
 * shown by its first words, media by type and size.
 */
import type { Heard, HeardBlock, HeardMessage } from "./heard.ts";
import type { Step } from "./script.ts";
import type { CountTokens } from "./tokens.ts";

const FIRST_WORDS = 60;

export function defaultAnswer(heard: Heard, count: CountTokens): Step {
  const text = describeRequest(heard);
  const cut = cutToOutput(text, heard.maxOutput, count);
  return cut === text ? { say: text } : { say: cut, stop: "length" };
}

export function describeRequest(heard: Heard): string {
  const lines = [
    `This is the rehearsal model (${heard.protocol}, ${heard.model}). I received about ${heard.inputTokens} tokens:`,
    systemLine(heard.system),
    ...heard.messages.flatMap(messageLines),
    heard.tools.length === 0
      ? "Tools offered: none."
      : `Tools offered: ${heard.tools.map(({ name }) => name).join(", ")}.`,
    `Cache markers: ${heard.cacheMarkers}.`,
  ];
  return lines.join("\n");
}

function systemLine(system: readonly HeardBlock[]): string {
  if (system.length === 0) return "System text: none.";
  const characters = system.reduce(
    (sum, block) => sum + (block.kind === "text" ? block.text.length : 0),
    0,
  );
  return `System text: ${plural(system.length, "block")}, ${plural(characters, "character")}.`;
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

function messageLines({ role, blocks }: HeardMessage, index: number): string[] {
  const head = `${index + 1}. ${role}:`;
  return blocks.length === 0
    ? [`${head} nothing`]
    : [head, ...blocks.map((block) => `   - ${blockLine(block)}`)];
}

function blockLine(block: HeardBlock): string {
  const marker = block.cacheMarker ? " (cache marker)" : "";
  return `${blockWords(block)}${marker}`;
}

function blockWords(block: HeardBlock): string {
  switch (block.kind) {
    case "text":
    case "reasoning":
      return `${block.kind}, ${plural(byteSize(block.text), "byte")}: ${firstWords(block.text)}`;
    case "media": {
      const name = block.name === undefined ? "" : ` "${block.name}"`;
      const size = block.width && block.height ? `, ${block.width}×${block.height}` : "";
      return block.source === "inline"
        ? `${block.mediaType}${name}, ${plural(block.bytes, "byte")}${size}`
        : `${block.mediaType}${name}, by ${block.source}: ${block.identity}`;
    }
    case "tool-call":
      return `call of ${block.name} (${block.id}): ${firstWords(JSON.stringify(block.input ?? null))}`;
    case "tool-result":
      return `${block.isError ? "error" : "result"} of ${block.id}: ${block.blocks.map(blockWords).join("; ") || "nothing"}`;
    case "other":
      return `${block.type}, ${plural(byteSize(block.json), "byte")}`;
  }
}

const byteSize = (text: string): number => new TextEncoder().encode(text).byteLength;

function firstWords(text: string): string {
  const oneLine = text.replace(/\s+/g, " ").trim();
  const characters = [...oneLine];
  return characters.length <= FIRST_WORDS
    ? `"${oneLine}"`
    : `"${characters.slice(0, FIRST_WORDS).join("")}…"`;
}

/** A model cannot say more than it was allowed to, and neither can this one. */
function cutToOutput(text: string, limit: number | undefined, count: CountTokens): string {
  if (limit === undefined || count(text) <= limit) return text;
  const characters = [...text];
  let low = 0;
  let high = characters.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (count(characters.slice(0, middle).join("")) <= limit) low = middle;
    else high = middle - 1;
  }
  return characters.slice(0, low).join("");
}
