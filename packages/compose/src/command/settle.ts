/**
 * A command to its settled part: what became of it, and what the model reads instead.
 *
 * Host actions are only named here. They run after every other command of the message has settled,
 * so that a wrong argument further down is found before anything has happened.
 */
import type { ExpansionPart, GalleyError, PartOf } from "@galley/parts";
import type { Json } from "../draft.ts";
import { ComposeError } from "../error.ts";
import type { ActionCall, ComposeHost, PromptResult } from "../host.ts";
import type { Note } from "../note.ts";
import { expandTemplate } from "../template/expand.ts";
import type { CommandArgs } from "../template/tree.ts";
import { bindArgs, readArgs } from "./bind.ts";
import { addressOf, type CommandEntry } from "./entry.ts";
import { promptParts } from "./mcp-prompt.ts";

export type CommandPart = PartOf<"command">;

export type Settled =
  | {
      readonly ok: true;
      readonly part: CommandPart;
      /** To be run before the message is done. */
      readonly call?: ActionCall;
      readonly notes: readonly Note[];
    }
  | { readonly ok: false; readonly error: GalleyError };

export type CommandLine = {
  /** With the slash, as it was typed. */
  readonly id: string;
  readonly raw: string;
  /** Words that a surface has split itself. */
  readonly argv?: readonly string[];
  /** Arguments that a surface already has by name. */
  readonly named?: Readonly<Record<string, Json>>;
  /** Other keys of a structured command's arguments; they stay there. */
  readonly loose?: Readonly<Record<string, unknown>>;
  /** What else stays on the part: the literal, fields of a structured command. */
  readonly keep: Readonly<Record<string, unknown>>;
};

export async function settleCommand(
  line: CommandLine,
  entry: CommandEntry | undefined,
  host: ComposeHost,
): Promise<Settled> {
  const words = line.argv ? { raw: line.raw, argv: line.argv } : readArgs(line.raw);
  if (entry === undefined) return unknown(line, words);
  const bound = bindArgs(entry, words, line.named);
  if (!bound.ok) {
    const { issues, usage } = bound;
    return {
      ok: false,
      error: ComposeError.make("bad-argument", { command: line.id, issues, usage }),
    };
  }
  const { args } = bound;
  switch (entry.deed.kind) {
    case "action":
      return action(line, entry, args, entry.deed.action);
    case "skill":
      return skill(line, entry, args, entry.deed.skill);
    case "prompt":
      return prompt(line, entry, args, entry.deed, host);
    case "intent":
    case "template": {
      const { parts, notes } = await expandTemplate(entry.deed.template, args, host);
      const intent = entry.deed.kind === "intent" ? { intent: entry.deed.intent } : {};
      return done(
        line,
        entry,
        args,
        entry.deed.kind === "intent" ? "intent" : "expanded",
        parts,
        notes,
        intent,
      );
    }
  }
}

function partOf(
  line: CommandLine,
  args: CommandArgs,
  rest: Readonly<Record<string, unknown>>,
): CommandPart {
  const { raw, argv, named } = args;
  return {
    type: "command",
    id: line.id,
    args: { ...line.loose, raw, argv: [...argv], ...(named !== undefined && { named }) },
    ...rest,
    ...line.keep,
    // The named values are JSON by their type here and by the schema's there.
  } as CommandPart;
}

function done(
  line: CommandLine,
  entry: CommandEntry,
  args: CommandArgs,
  outcome: CommandPart["outcome"],
  expansion: readonly ExpansionPart[],
  notes: readonly Note[],
  more: Readonly<Record<string, unknown>> = {},
): Settled {
  const { settings } = entry;
  const part = partOf(line, args, {
    outcome,
    ...(expansion.length > 0 && { expansion }),
    source: addressOf(entry),
    ...(settings !== undefined && { settings }),
    ...more,
  });
  return { ok: true, part, notes };
}

function unknown(line: CommandLine, args: CommandArgs): Settled {
  const message = `${line.id} is not a command here: it is sent as it was typed`;
  return {
    ok: true,
    part: partOf(line, args, { outcome: "pass-through" }),
    notes: [{ code: "unknown-command", message }],
  };
}

function action(line: CommandLine, entry: CommandEntry, args: CommandArgs, name: string): Settled {
  const settled = done(line, entry, args, "host-action", [], []);
  const call = { id: line.id, action: name, args, needsIdle: entry.needsIdle ?? false };
  return settled.ok ? { ...settled, call } : settled;
}

/** The mention loads the skill the one way in which skills are loaded; the words go to the model. */
function skill(line: CommandLine, entry: CommandEntry, args: CommandArgs, name: string): Settled {
  const words: ExpansionPart[] = args.raw === "" ? [] : [{ type: "text", text: args.raw }];
  const expansion: ExpansionPart[] = [
    { type: "mention", target: { kind: "skill", name } },
    ...words,
  ];
  return done(line, entry, args, "expanded", expansion, []);
}

async function prompt(
  line: CommandLine,
  entry: CommandEntry,
  args: CommandArgs,
  { server, prompt: name }: { readonly server: string; readonly prompt: string },
  host: ComposeHost,
): Promise<Settled> {
  const given = Object.fromEntries(
    Object.entries(args.named ?? {}).map(([key, value]) => [key, String(value)]),
  );
  const result = await askPrompt(host, server, name, given);
  if (!result.ok) {
    const reason = { code: result.code, message: result.message };
    const data = { command: line.id, server, reason };
    return { ok: false, error: ComposeError.make("prompt-failed", data) };
  }
  const notes: Note[] = [];
  return done(line, entry, args, "expanded", promptParts(name, result.messages, notes), notes);
}

async function askPrompt(
  host: ComposeHost,
  server: string,
  name: string,
  args: Readonly<Record<string, string>>,
): Promise<PromptResult> {
  if (host.mcpPrompt === undefined) {
    return { ok: false, code: "no-server", message: "no MCP server can be asked here" };
  }
  try {
    return await host.mcpPrompt(server, name, args);
  } catch (error) {
    // A connection that breaks is a refusal to the person who typed the command.
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, code: "failed", message };
  }
}
