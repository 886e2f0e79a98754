/**
 * What the assembler has to know of a message, found out once: sizes, marks, calls, rounds.
 *
 * Kept by the identity of the message, which is as good as its content, because messages do not
 * change. An appended turn is measured; old ones are looked up.
 */
import { type AssistantPart, kindOfAssistantPart, toolNameOf, type UserPart } from "@galley/parts";
import type { ContextMessage } from "./context.ts";
import { digestOf } from "./digest.ts";
import { type ElisionStage, elisionLine } from "./elision-line.ts";
import { addMeasure, type Measure, measureText, NO_TOKENS, tokensOf } from "./estimate.ts";
import type { Held } from "./held-media.ts";
import type { ManifestBlock } from "./manifest.ts";
import { type ShownAnswer, shownOfAnswer, shownOfUser } from "./shown.ts";

/** How a block may be left out to fit the budget; a block without it stays. */
export type Elidable = {
  readonly stage: ElisionStage;
  /** What is left out, and the line in its place. */
  readonly tokens: number;
  readonly line: string;
  /** Of what then stays: that line, and the call of a tool result. */
  readonly left: Measure;
  /** The tool's name, or the file's. */
  readonly name: string;
  /** Among the rounds of its message, from 0; of a tool result. */
  readonly round?: number;
};

export type BlockFacts = {
  /** With all its media shown. */
  readonly block: ManifestBlock;
  /** Of its texts alone. */
  readonly text: Measure;
  readonly measure: Measure;
  readonly media: readonly Held[];
  readonly elidable?: Elidable;
  readonly failed?: string;
};

export type MessageFacts = {
  readonly blocks: readonly BlockFacts[];
  /** Of `blocks`, as the manifest has them when nothing is special about the message. */
  readonly listed: readonly ManifestBlock[];
  readonly measures: readonly Measure[];
  readonly measure: Measure;
  readonly tokens: number;
  readonly hasMedia: boolean;
  readonly hasElidable: boolean;
  readonly hasFailed: boolean;
  /** Model calls that asked for tools. */
  readonly rounds: number;
  /** Whether a tool has answered in it. */
  readonly hasResults: boolean;
};

const known = new WeakMap<ContextMessage, MessageFacts>();

export function factsOf(message: ContextMessage): MessageFacts {
  const facts = known.get(message);
  if (facts) return facts;
  const found = findFacts(message);
  known.set(message, found);
  return found;
}

function findFacts(message: ContextMessage): MessageFacts {
  const rounds = message.role === "assistant" ? roundsOf(message.parts) : [];
  const blocks = message.parts.map((part, at) => blockFacts(message, part, at, rounds[at]));
  return {
    blocks,
    listed: blocks.map(({ block }) => block),
    measures: blocks.map(({ measure }) => measure),
    measure: blocks.reduce((sum, { measure }) => addMeasure(sum, measure), NO_TOKENS),
    tokens: blocks.reduce((sum, { block }) => sum + block.tokens, 0),
    hasMedia: blocks.some(({ media }) => media.length > 0),
    hasElidable: blocks.some(({ elidable }) => elidable !== undefined),
    hasFailed: blocks.some(({ failed }) => failed !== undefined),
    rounds: rounds.reduce<number>((most, round) => Math.max(most, (round ?? -1) + 1), 0),
    hasResults: rounds.some((round) => round !== undefined),
  };
}

function blockFacts(
  message: ContextMessage,
  part: UserPart | AssistantPart,
  at: number,
  round: number | undefined,
): BlockFacts {
  const stand = message.elided?.[at];
  const shown = shownOf(message, part, at);
  const rest = measureText(shown.text);
  const { result } = shown;
  const text = result ? addMeasure(rest, measureText(result.text)) : rest;
  const media = result ? [...shown.media, ...result.media] : shown.media;
  const measure = withMedia(text, media);
  const marks = [shown.text, result?.text ?? "", ...media.map(({ digest }) => digest)];
  const block: ManifestBlock = {
    ...(message.id !== undefined && { message_id: message.id }),
    role: message.role,
    part: at,
    type: part.type,
    tokens: tokensOf(measure),
    digest: digestOf(marks.join("\0")),
    ...(stand !== undefined && { outcome: "elided", why: stand }),
  };
  const seen = { shown, measure, rest, round };
  const elidable = stand === undefined ? elidableOf(message.role, part, seen) : undefined;
  const { failed } = shown;
  return {
    block,
    text,
    measure,
    media,
    ...(elidable && { elidable }),
    ...(failed !== undefined && { failed }),
  };
}

/** What is already left out shows the line in its place, and a tool its call. */
function shownOf(message: ContextMessage, part: UserPart | AssistantPart, at: number): ShownAnswer {
  const stand = message.elided?.[at];
  if (message.role === "user") {
    return stand === undefined
      ? shownOfUser(part as UserPart, message.materials[at])
      : { text: stand, media: [] };
  }
  const shown = shownOfAnswer(part as AssistantPart);
  if (stand === undefined) return shown;
  const line = { text: stand, media: [] };
  return shown.result ? { ...shown, result: line } : line;
}

export const withMedia = (text: Measure, media: readonly { tokens: number }[]): Measure =>
  media.length === 0
    ? text
    : { ...text, media: media.reduce((sum, { tokens }) => sum + tokens, text.media) };

type Seen = {
  readonly shown: ShownAnswer;
  readonly measure: Measure;
  readonly rest: Measure;
  readonly round: number | undefined;
};

/** What is kept whole: words, calls, and what holds both a file and words, as a command does. */
function elidableOf(
  role: ContextMessage["role"],
  part: UserPart | AssistantPart,
  { shown, measure, rest, round }: Seen,
): Elidable | undefined {
  if (role === "assistant" && kindOfAssistantPart(part.type) === "tool") {
    const tool = part as Parameters<typeof toolNameOf>[0];
    const done = tool.state === "output-available" || tool.state === "output-error";
    if (!done || round === undefined) return undefined;
    return { ...elidableAs("tool-result", toolNameOf(tool), measure, rest), round };
  }
  const name = fileName(part, shown);
  return name === undefined ? undefined : elidableAs("attachment", name, measure, NO_TOKENS);
}

export function elidableAs(
  stage: ElisionStage,
  name: string,
  measure: Measure,
  rest: Measure,
): Elidable {
  const tokens = tokensOf(addMeasure(measure, rest, -1));
  const line = elisionLine(stage, name, tokens);
  return { stage, name, tokens, line, left: addMeasure(rest, measureText(line)) };
}

function fileName(part: UserPart | AssistantPart, shown: ShownAnswer): string | undefined {
  const { type, name, ref, target, filename } = part as { readonly type: string } & {
    readonly [K in "name" | "ref" | "target" | "filename"]?: unknown;
  };
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  if (type === "file-attachment") return text(name);
  if (type === "file") return shown.media.length > 0 ? text(filename) : undefined;
  const path = (ref ?? target ?? {}) as { readonly path?: unknown; readonly kind?: unknown };
  if (type === "file-ref") return text(path.path);
  return type === "mention" && path.kind === "file" ? text(path.path) : undefined;
}

/** Of each tool part, which call of the model it belongs to, counting those that asked for tools. */
function roundsOf(parts: readonly AssistantPart[]): (number | undefined)[] {
  let round = -1;
  let asking = false;
  return parts.map((part) => {
    const kind = kindOfAssistantPart(part.type);
    if (kind !== "tool") {
      // The model speaks again, or a new step begins: what it asks for now is another round.
      if (kind !== "data" && kind !== "source") asking = false;
      return undefined;
    }
    if (!asking) round += 1;
    asking = true;
    return round;
  });
}
