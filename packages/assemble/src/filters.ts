/**
 * What of a history cannot stand in a request, taken out and put on record: system rows, halves of
 * tool pairs that have no other half, messages in which nothing is left.
 *
 * Indices of parts do not move: a blank stands where one was taken out. Messages that are right are
 * handed on as they are, the same objects.
 */
import { type AssistantPart, kindOfAssistantPart, type UserPart } from "@galley/parts";
import type { AssistantContext, ContextMessage, HistoryMessage, UserContext } from "./context.ts";
import { derivation } from "./derive.ts";
import { type CallHalf, type Half, halfOf, type ResultHalf, wholeCall } from "./tool-halves.ts";

/** A message that goes on. */
export type Line = {
  readonly message: ContextMessage;
  /** Its index in the history; undefined for a message of ours. */
  readonly at: number | undefined;
  /** The index after the last tool result in a user message; 0 where a person typed all of it. */
  readonly results: number;
};

export type Filtered = {
  readonly lines: readonly Line[];
  /** Why a whole message stays behind, by its index in the history. */
  readonly gone: ReadonlyMap<number, string>;
  /** Why a part was taken out, by message and part. */
  readonly taken: ReadonlyMap<number, ReadonlyMap<number, string>>;
  /** What was put right without being taken out. */
  readonly mended: readonly { readonly at: number; readonly part: number; readonly why: string }[];
};

const SYSTEM_ROW = "a system row has no place in a history: the layers speak for the system";
const EMPTY = "nothing is left of the message";
const JOINED = "a tool result, joined with its call";
const NO_CALL = "a tool result without its call before it";
const NO_RESULT = "a tool call without its result after it: told as interrupted";
const NO_ID = "a tool call without an id";
const NOT_MADE = "a tool call that the model did not make";

type Edit = { readonly part?: AssistantPart; readonly why: string };
/** By message, then by part. */
type Edits = Map<number, Map<number, Edit>>;

export function filterHistory(history: readonly HistoryMessage[]): Filtered {
  const edits = findEdits(history);
  const lines: Line[] = [];
  const gone = new Map<number, string>();
  const last = history.length - 1;
  history.forEach((message, at) => {
    if (message.role === "system") {
      gone.set(at, SYSTEM_ROW);
      return;
    }
    const changes = edits.get(at);
    const left = message.parts.length - countTaken(changes);
    // The message that is answered stays, whatever is in it.
    if (left === 0 && (at !== last || message.role === "assistant")) gone.set(at, EMPTY);
    else lines.push(changes ? edited(message, at, changes) : { message, at, results: 0 });
  });
  return { lines, gone, taken: takenOf(edits), mended: mendedOf(edits) };
}

const countTaken = (changes: ReadonlyMap<number, Edit> | undefined): number =>
  changes ? [...changes.values()].filter(({ part }) => part === undefined).length : 0;

function takenOf(edits: Edits): Map<number, ReadonlyMap<number, string>> {
  const taken = new Map<number, ReadonlyMap<number, string>>();
  for (const [at, changes] of edits) {
    const out = [...changes].filter(([, { part }]) => part === undefined);
    if (out.length > 0) taken.set(at, new Map(out.map(([part, { why }]) => [part, why])));
  }
  return taken;
}

const mendedOf = (edits: Edits): Filtered["mended"] =>
  [...edits].flatMap(([at, changes]) =>
    [...changes].flatMap(([part, edit]) =>
      edit.part && edit.why !== "" ? [{ at, part, why: edit.why }] : [],
    ),
  );

/** Whether a message holds anything that may have to be changed; kept by its identity. */
const suspects = new WeakMap<HistoryMessage, boolean>();

function isSuspect(message: HistoryMessage): boolean {
  const known = suspects.get(message);
  if (known !== undefined) return known;
  const found = message.parts.some((part) => halfOf(part) !== undefined || isNameless(part));
  suspects.set(message, found);
  return found;
}

const isNameless = (part: { readonly type: string; readonly toolCallId?: unknown }): boolean =>
  kindOfAssistantPart(part.type) === "tool" &&
  halfOf(part) === undefined &&
  (typeof part.toolCallId !== "string" || part.toolCallId === "");

type Open = { readonly at: number; readonly part: number; readonly half: CallHalf };

function findEdits(history: readonly HistoryMessage[]): Edits {
  const edits: Edits = new Map();
  const open = new Map<string, Open>();
  const edit = (at: number, part: number, change: Edit): void => {
    const changes = edits.get(at) ?? new Map<number, Edit>();
    edits.set(at, changes.set(part, change));
  };
  const close = (): void => {
    for (const { at, part, half } of open.values()) {
      edit(at, part, { part: wholeCall(half), why: NO_RESULT });
    }
    open.clear();
  };
  history.forEach((message, at) => {
    // Results stand between the call and whatever the model says next.
    if (message.role === "assistant") close();
    if (!isSuspect(message)) return;
    message.parts.forEach((part, index) => {
      const half = halfOf(part);
      if (half) takeHalf({ message, at, part: index, half }, open, edit);
      else if (message.role === "assistant" && isNameless(part)) edit(at, index, { why: NO_ID });
    });
  });
  close();
  return edits;
}

type Found = {
  readonly message: HistoryMessage;
  readonly at: number;
  readonly part: number;
  readonly half: Half;
};

function takeHalf(
  { message, at, part, half }: Found,
  open: Map<string, Open>,
  edit: (at: number, part: number, change: Edit) => void,
): void {
  if (half.half === "result") {
    const asked = open.get(half.id);
    open.delete(half.id);
    if (asked) joinHalves(asked, half, edit);
    edit(at, part, { why: asked ? JOINED : NO_CALL });
    return;
  }
  // A second call of one id before the result leaves the first without.
  const before = message.role === "assistant" ? open.get(half.id) : undefined;
  if (before) edit(before.at, before.part, { part: wholeCall(before.half), why: NO_RESULT });
  if (message.role !== "assistant") edit(at, part, { why: NOT_MADE });
  else if (half.id === "") edit(at, part, { why: NO_ID });
  else open.set(half.id, { at, part, half });
}

function joinHalves(
  { at, part, half }: Open,
  answer: ResultHalf,
  edit: (at: number, part: number, change: Edit) => void,
): void {
  edit(at, part, { part: wholeCall(half, answer), why: "" });
}

const users = derivation();
const answers = derivation();

/** Lowering takes blank text out without a word, so it can stand where a part was. */
const BLANK = { type: "text", text: "" } as const;

function edited(message: ContextMessage, at: number, changes: ReadonlyMap<number, Edit>): Line {
  const key = JSON.stringify([...changes].map(([index, { part }]) => [index, part ?? 0]));
  const changed = <P>(part: P, index: number): P => {
    const change = changes.get(index);
    // A part of the same message's kind: whole calls are only made in answers.
    return change ? ((change.part ?? BLANK) as P) : part;
  };
  if (message.role === "assistant") {
    const make = (): AssistantContext => ({ ...message, parts: message.parts.map(changed) });
    return { message: answers.of(message, key, make), at, results: 0 };
  }
  const make = (): UserContext => ({ ...message, parts: message.parts.map<UserPart>(changed) });
  const results = message.parts.findLastIndex((part) => halfOf(part)?.half === "result") + 1;
  return { message: users.of(message, key, make), at, results };
}
