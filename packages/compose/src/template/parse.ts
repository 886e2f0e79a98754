/**
 * Template text to tree, in one pass from left to right: a character belongs to exactly one node.
 * What looks like a slot and is none stays the author's text.
 */
import { DIALECT, type Dialect } from "./dialect.ts";
import { placeAfter } from "./shell-place.ts";
import type { DialectId, InlineNode, ShellPlace, Template, TemplateNode } from "./tree.ts";

type Source = {
  readonly text: string;
  readonly rules: Dialect;
  /** The arguments that the file declares; only they are slots by name. */
  readonly names: readonly string[];
  readonly braces: ReadonlyMap<number, number>;
  /** Where the last `` ``` `` at the start of a line is: no fence opened later is ever closed. */
  readonly lastFence: number;
};

type Found<N> = { readonly node: N | undefined; readonly end: number };

export function parseTemplate(
  text: string,
  dialect: DialectId,
  names: readonly string[] = [],
): Template {
  const rules = DIALECT[dialect];
  const braces = rules.shell === "braces" ? matchBraces(text) : new Map<number, number>();
  const source = { text, rules, names, braces, lastFence: text.lastIndexOf("\n```") };
  const read = readNodes<TemplateNode>(text, (at) => nodeAt(source, at));
  const nodes = rules.lastTakesRest ? giveRest(read) : read;
  return {
    dialect,
    nodes,
    plain: nodes.every(({ kind }) => kind === "text" || kind === "slot"),
    takesArguments: nodes.some((node) => inlineOf(node).some(({ kind }) => kind === "slot")),
  };
}

function readNodes<N extends TemplateNode>(
  text: string,
  nodeAtIndex: (index: number) => Found<N> | undefined,
): N[] {
  const nodes: TemplateNode[] = [];
  const special = /[$\\!@{`]/g;
  let plain = "";
  let from = 0;
  const flush = (): void => {
    if (plain !== "") nodes.push({ kind: "text", text: plain });
    plain = "";
  };
  for (let hit = special.exec(text); hit !== null; hit = special.exec(text)) {
    const found = nodeAtIndex(hit.index);
    if (found === undefined) continue;
    plain += text.slice(from, hit.index);
    if (found.node?.kind === "text") plain += found.node.text;
    else if (found.node !== undefined) {
      flush();
      nodes.push(found.node);
    }
    from = found.end;
    special.lastIndex = found.end;
  }
  plain += text.slice(from);
  flush();
  // Text nodes are in every union of nodes that is read here.
  return nodes as N[];
}

function nodeAt(source: Source, at: number): Found<TemplateNode> | undefined {
  switch (source.text[at]) {
    case "!":
      return source.rules.shell === "braces" ? bracedShell(source, at) : tickedShell(source, at);
    case "`":
      return fencedShell(source, at);
    case "@":
      return source.rules.file === "braces" ? bracedFile(source, at) : wordFile(source, at);
    default:
      return inlineAt(source, source.text, at);
  }
}

function inlineAt(
  { rules, names }: Source,
  text: string,
  at: number,
): Found<InlineNode> | undefined {
  if (text[at] === "\\") return escapeAt(rules, names, text, at);
  const found = rules.slotAt(text, at, names);
  if (found === undefined) return undefined;
  if ("text" in found) return { node: { kind: "text", text: found.text }, end: found.end };
  const literal = text.slice(at, found.end);
  return { node: { kind: "slot", slot: found.slot, literal }, end: found.end };
}

function escapeAt(
  rules: Dialect,
  names: readonly string[],
  text: string,
  at: number,
): Found<InlineNode> | undefined {
  const literal = (kept: string, end: number) =>
    ({ node: { kind: "text", text: kept }, end }) as const;
  if (rules.escape === "dollar") {
    if (text[at + 1] === "$") return literal("$", at + 2);
    // A doubled backslash before a dollar is one backslash, and the dollar counts.
    return text.startsWith("\\\\$", at) ? literal("\\", at + 2) : undefined;
  }
  if (rules.escape !== "slot") return undefined;
  const slot = rules.slotAt(text, at + 1, names);
  return slot && literal(text.slice(at + 1, slot.end), slot.end);
}

const inlineNodes = (source: Source, text: string): InlineNode[] =>
  readNodes<InlineNode>(text, (at) => inlineAt(source, text, at));

const afterSpace = (text: string, at: number): boolean => at === 0 || /\s/.test(text[at - 1] ?? "");

const TICKED = /!`([^`]+)`/y;

function tickedShell(source: Source, at: number): Found<TemplateNode> | undefined {
  const { text, rules } = source;
  if (rules.shell === "none" || (rules.shell === "word" && !afterSpace(text, at))) return undefined;
  TICKED.lastIndex = at;
  const found = TICKED.exec(text);
  return found === null ? undefined : shell(source, found[1] ?? "", at, at + found[0].length);
}

/** Several lines of shell: a fence whose info string is `!`. */
function fencedShell(source: Source, at: number): Found<TemplateNode> | undefined {
  const { text, rules } = source;
  if (rules.shell !== "word" || !afterSpace(text, at)) return undefined;
  const open = text.startsWith("```!\n", at) ? 5 : text.startsWith("```!\r\n", at) ? 6 : 0;
  if (open === 0 || source.lastFence < at + open - 1) return undefined;
  const close = text.indexOf("\n```", at + open - 1);
  return shell(source, text.slice(at + open, Math.max(close, at + open)), at, close + 4);
}

function bracedShell(source: Source, at: number): Found<TemplateNode> | undefined {
  const close = source.braces.get(at + 1);
  if (close === undefined) return undefined;
  return shell(source, source.text.slice(at + 2, close).trim(), at, close + 1);
}

function shell(source: Source, text: string, at: number, end: number): Found<TemplateNode> {
  if (text.trim() === "") return { node: undefined, end };
  let place: ShellPlace = "bare";
  const command = inlineNodes(source, text).map((node): InlineNode => {
    if (node.kind === "slot") return { ...node, place };
    place = placeAfter(node.text, place);
    return node;
  });
  return { node: { kind: "shell", command, literal: source.text.slice(at, end) }, end };
}

const OPENS_PATH = /[\s([{<"',;|]/;
const PATH = /@((?:\$@|[^\s`@])+)/y;

function wordFile(source: Source, at: number): Found<TemplateNode> | undefined {
  const { text, rules } = source;
  if (rules.file === "none" || (at > 0 && !OPENS_PATH.test(text[at - 1] ?? ""))) return undefined;
  PATH.lastIndex = at;
  const found = PATH.exec(text);
  if (found === null) return undefined;
  const path = inlineNodes(source, found[1] ?? "");
  return {
    node: { kind: "file", path, literal: found[0], certain: false },
    end: at + found[0].length,
  };
}

function bracedFile({ text, braces }: Source, at: number): Found<TemplateNode> | undefined {
  const close = braces.get(at + 1);
  const path = close === undefined ? "" : text.slice(at + 2, close).trim();
  if (close === undefined || path === "") return undefined;
  const literal = text.slice(at, close + 1);
  return {
    node: { kind: "file", path: [{ kind: "text", text: path }], literal, certain: true },
    end: close + 1,
  };
}

/** Opening brace → its closing brace, in one pass, so that unclosed ones cost nothing. */
function matchBraces(text: string): ReadonlyMap<number, number> {
  const open: number[] = [];
  const pairs = new Map<number, number>();
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    if (brace === "{") open.push(index);
    else {
      const start = open.pop();
      if (start !== undefined) pairs.set(start, index);
    }
  }
  return pairs;
}

export function inlineOf(node: TemplateNode): readonly InlineNode[] {
  if (node.kind === "shell") return node.command;
  return node.kind === "file" ? node.path : [node];
}

const numberOf = (node: InlineNode): number =>
  node.kind === "slot" && node.slot.kind === "positional" ? node.slot.index : -1;

function giveRest(nodes: readonly TemplateNode[]): TemplateNode[] {
  const last = nodes.flatMap(inlineOf).reduce((most, node) => Math.max(most, numberOf(node)), -1);
  const give = (node: InlineNode): InlineNode =>
    last >= 0 && node.kind === "slot" && numberOf(node) === last
      ? { ...node, slot: { kind: "positional", index: last, rest: true } }
      : node;
  return nodes.map((node) => {
    if (node.kind === "shell") return { ...node, command: node.command.map(give) };
    if (node.kind === "file") return { ...node, path: node.path.map(give) };
    return give(node);
  });
}
