/** The commands that every host of the kit ships, as data. The host gives them their meaning. */
import { parseTemplate } from "../template/parse.ts";
import type { ArgumentSpec, CommandEntry } from "./entry.ts";

type Row = readonly [
  name: string,
  description: string,
  more?: {
    readonly hint?: string;
    readonly idle?: true;
    readonly aliases?: readonly string[];
    readonly args?: readonly ArgumentSpec[];
  },
];

const text = (name: string, description: string, required = false): ArgumentSpec => ({
  name,
  type: "string",
  required,
  description,
  rest: true,
});

const ROWS: readonly Row[] = [
  [
    "compact",
    "Sum up the conversation so far and go on with the summary",
    {
      hint: "[instructions]",
      idle: true,
      args: [text("instructions", "what the summary must keep")],
    },
  ],
  [
    "fork",
    "Go on in a copy of this conversation",
    {
      hint: "[title]",
      idle: true,
      aliases: ["branch"],
      args: [text("title", "a title for the copy")],
    },
  ],
  ["rewind", "Take the conversation back to an earlier message", { hint: "[message]", idle: true }],
  ["archive", "Put this conversation away", { idle: true }],
  ["clear", "Start a new conversation here", { idle: true }],
  ["retry", "Send the last message again", { idle: true }],
  ["stop", "End the running turn"],
  ["queue", "Show, edit or drop the messages that wait", { hint: "[list|clear|drop N]" }],
  [
    "btw",
    "Ask something aside, without touching this conversation",
    {
      hint: "<question>",
      args: [text("question", "what to ask", true)],
    },
  ],
  ["context", "Show what the model is given and what it costs"],
  ["memory", "Read and write what is remembered", { hint: "[list|read|write|delete]" }],
  ["model", "Show or change the model", { hint: "[provider/model]" }],
  ["skills", "List the skills that can be used here"],
  ["export", "Write this conversation to a file", { hint: "[jsonl|json|path]" }],
  [
    "rename",
    "Give this conversation another title",
    {
      hint: "<title>",
      args: [text("title", "the new title", true)],
    },
  ],
  ["help", "List the commands", { hint: "[command]" }],
];

function builtin([name, description, { hint, idle, aliases, args } = {}]: Row): CommandEntry {
  return {
    name,
    source: { kind: "builtin" },
    description,
    ...(aliases && { aliases }),
    ...(hint !== undefined && { argumentHint: hint }),
    ...(args && { arguments: args }),
    ...(idle && { needsIdle: true }),
    deed: { kind: "action", action: name },
  };
}

export const BUILTIN_COMMANDS: readonly CommandEntry[] = [
  ...ROWS.map(builtin),
  {
    name: "search",
    source: { kind: "builtin" },
    description: "Ask the model to search, instead of answering from what it knows",
    argumentHint: "<query>",
    arguments: [text("query", "what to look for", true)],
    deed: {
      kind: "intent",
      intent: "search",
      template: parseTemplate("Search for: $ARGUMENTS", "galley"),
    },
  },
];
