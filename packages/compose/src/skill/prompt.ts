/**
 * The fixed template of a composed prompt: framing, descriptions, examples, then what is asked now.
 *
 * Every text stands verbatim. So that none can pass for a header, headers are drawn with a rule
 * that no line of any text begins with: the rule gives way, the text does not.
 */
import type { Json } from "../draft.ts";
import type { ComposedPrompt, PromptSection, SectionKind } from "./composition.ts";
import { MEMORY_TIERS, type MemoryItem } from "./request.ts";
import type { Selection } from "./select-artifacts.ts";

type Draft = {
  readonly kind: SectionKind;
  readonly title: string;
  readonly artifact?: string;
  readonly text: string;
};

export type PromptInput = {
  readonly framing: { readonly text: string; readonly artifact?: string };
  readonly selection: Selection;
  /** In order (`orderMemory`). */
  readonly memory: readonly MemoryItem[];
  readonly parameters: Readonly<Record<string, Json>>;
  readonly userRequest: string;
};

export function assemblePrompt(input: PromptInput): ComposedPrompt {
  const drafts = draftsOf(input);
  const rule = ruleFor(drafts.map(({ text }) => text));
  const sections: PromptSection[] = [];
  let text = "";
  for (const { kind, title, artifact, text: body } of drafts) {
    if (text !== "") text += "\n\n";
    text += `${rule} ${title} ${rule}\n\n`;
    const from = text.length;
    text += body;
    sections.push({
      kind,
      title,
      ...(artifact !== undefined && { artifact }),
      from,
      to: text.length,
    });
  }
  return { text, rule, sections };
}

function draftsOf(input: PromptInput): readonly Draft[] {
  const { framing, selection, memory, parameters, userRequest } = input;
  const hasParameters = Object.keys(parameters).length > 0;
  return [
    { kind: "framing", title: "Instructions", ...framing },
    ...selection.descriptions.map(
      ({ id, body }): Draft => ({
        kind: "description",
        title: `Note: ${id}`,
        artifact: id,
        text: body,
      }),
    ),
    ...selection.examples.map(
      ({ id, body }): Draft => ({
        kind: "example",
        title: `Example: ${id}`,
        artifact: id,
        text: body,
      }),
    ),
    ...MEMORY_TIERS.flatMap((tier): Draft[] => {
      const items = memory.filter((item) => item.tier === tier);
      if (items.length === 0) return [];
      const text = items.map((item) => item.text).join("\n\n");
      return [{ kind: "memory", title: `Memory: ${tier}`, text }];
    }),
    ...(hasParameters
      ? [
          {
            kind: "parameters",
            title: "Parameters",
            text: JSON.stringify(parameters, null, 2),
          } as const,
        ]
      : []),
    ...(userRequest === ""
      ? []
      : [{ kind: "request", title: "Request", text: userRequest } as const]),
  ];
}

/** Ordered by tier, then by id, then by text: the items are a set. */
export const orderMemory = (memory: readonly MemoryItem[]): readonly MemoryItem[] =>
  memory.toSorted(
    (a, b) =>
      MEMORY_TIERS.indexOf(a.tier) - MEMORY_TIERS.indexOf(b.tier) ||
      compare(a.id, b.id) ||
      compare(a.text, b.text),
  );

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const PLAIN_RULE = "===";
/** What does not show: for a reader a line begins behind it, and a rule goes on across it. */
const UNSEEN = /(?![\n\r\v\f\u0085\t])[\p{C}\u115f\u1160\u2800\u3164]/gu;
const BREAK = /[\n\r\v\f\u0085\u2028\u2029]/;
const NUMBERED = /^==(\d+)==/;

/** `===`, or `==1==`, `==2==` and so on: the first that no line of a text begins with. */
export function ruleFor(texts: readonly string[]): string {
  const lines = texts
    .filter((text) => text.includes("="))
    .flatMap((text) => text.replace(UNSEEN, "").split(BREAK))
    .map((line) => line.trimStart());
  if (!lines.some((line) => line.startsWith(PLAIN_RULE))) return PLAIN_RULE;
  const taken = new Set(lines.map((line) => NUMBERED.exec(line)?.[1]));
  let number = 1;
  while (taken.has(String(number))) number += 1;
  return `==${number}==`;
}
