/**
 * The tool that runs a command line in the workspace, in the sandbox that the system has.
 *
 * A command that is not said to change files sees the workspace read-only and needs nobody's leave
 * for that; one that is to change them says so, and is asked about. What other tools are denied, a
 * command cannot do either.
 */
import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { fence, plainName } from "@galley/shape";
import type { Tool, ToolContext, ToolOutput } from "@galley/turn";
import { z } from "zod";
import type { SandboxSearch } from "../sandbox/find-sandbox.ts";
import { guardedPaths } from "../sandbox/hidden-paths.ts";
import { plainShell } from "../sandbox/plain-shell.ts";
import type { Reach, RunEnd, Sandbox } from "../sandbox/sandbox.ts";
import { ownPaths } from "../workspace/own-files.ts";
import { type Bounds, boundsOf } from "./bash-bounds.ts";
import { type BashSettings, commandEnv } from "./bash-settings.ts";
import { defineTool, refuse, STOPPED } from "./define-tool.ts";
import type { PermissionRule } from "./permission.ts";
import { fitOutput } from "./spill.ts";
import type { ToolPlaces } from "./target.ts";

/** Of output in a result; and of output at all, after which the command is ended. */
const SHOWN_BYTES = 200 * 1024;
const MOST_BYTES = 20 * 1024 * 1024;
const SECONDS = 120;
const MOST_SECONDS = 600;

const INPUT = z.strictObject({
  command: z
    .string()
    .min(1)
    .max(32_768)
    .refine((text) => !text.includes("\0"), "it holds a NUL character")
    .describe("The command line, as a shell takes it; it starts in the workspace's root."),
  changes_files: z
    .boolean()
    .optional()
    .describe(
      "Whether it is to change files of the workspace, for which a person is asked; false unless said: then the workspace is read-only.",
    ),
  timeout_seconds: z
    .int()
    .min(1)
    .max(MOST_SECONDS)
    .optional()
    .describe(`When it is ended, with everything that it started; ${SECONDS} unless said.`),
});
export type BashInput = z.infer<typeof INPUT>;

/** Undefined for an input that is none; the call is refused when it runs. */
export const readBashInput = (input: unknown): BashInput | undefined => INPUT.safeParse(input).data;

export type BashPieces = {
  readonly places: ToolPlaces;
  /** The host's own folder. */
  readonly home: string;
  readonly settings: BashSettings;
  findSandbox(): Promise<SandboxSearch>;
  /** All that hold for the session, whoever made them. */
  rulesOf(session: ToolContext["session"]): readonly PermissionRule[];
};

export const bashTool = (pieces: BashPieces): Tool =>
  defineTool({
    name: "bash",
    description: `Runs a command line in the workspace and gives its exit code and output, at most ${SHOWN_BYTES} bytes; the rest is in a file that is named. Use it to build, test, convert and look into files that no other tool opens; to read, search and change text the other tools are better. It runs in a sandbox where the system has one: no network unless allowed, nothing outside the workspace, $SCRATCH (this session's scratch folder, \`scratch:…\` to other tools) and a /tmp that is gone afterwards. It has no terminal and no input, and nothing that it starts goes on after it ends.`,
    input: INPUT,
    subject: ({ command }) => command,
    run: (input, context) => runCommand(pieces, input, context),
  });

async function runCommand(
  pieces: BashPieces,
  input: BashInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const { places, settings } = pieces;
  const { session, signal } = context;
  const search = await pieces.findSandbox();
  const sandbox = search.ok ? search.sandbox : plainShell;
  const bounds = boundsOf(pieces.rulesOf(session));
  const isWritable = input.changes_files === true;
  if (isWritable && bounds.noChanges !== undefined) {
    return refuse(`the command may not change files: ${bounds.noChanges}`);
  }
  const reach = await reachOf(pieces, context, bounds, { isWritable, sandbox });
  if (typeof reach === "string") return signal.aborted ? STOPPED : refuse(reach);
  const chunks: Uint8Array[] = [];
  const env = { ...commandEnv(settings, sandbox), SCRATCH: sandbox.scratchAt(reach.scratch) };
  const end = await sandbox.run(
    { command: input.command, reach, env },
    {
      ...settings.limits,
      timeMs: (input.timeout_seconds ?? SECONDS) * 1000,
      outputBytes: MOST_BYTES,
    },
    {
      signal,
      onOutput: (chunk) => chunks.push(chunk),
      problem: async () =>
        (await places.scratch.room(session.id)) > 0 ? undefined : "filled the scratch folder",
    },
  );
  return answer(places, context, end, Buffer.concat(chunks));
}

async function reachOf(
  { places, home, settings }: BashPieces,
  { session, signal }: ToolContext,
  bounds: Bounds,
  { isWritable, sandbox }: { readonly isWritable: boolean; readonly sandbox: Sandbox },
): Promise<Reach | string> {
  const scratch = await places.scratch.open(session.id);
  const named = places.rootOf(session);
  const reach: Reach = {
    readable: settings.read,
    workspace: undefined,
    scratch,
    hidden: [],
    frozen: [],
    home: await realpath(home),
    own: ownPaths().filter((path) => existsSync(path)),
    network: settings.network && bounds.mayUseNetwork,
  };
  if (named === undefined) return reach;
  const root = await realpath(named);
  const workspace = { root, isWritable };
  if (!sandbox.isContained) return { ...reach, workspace };
  const guarded = await guardedPaths({ root, hides: bounds.hides, signal });
  if (!guarded.ok) return `the command was not run: ${guarded.reason}`;
  return { ...reach, workspace, hidden: guarded.hidden, frozen: guarded.frozen };
}

async function answer(
  places: ToolPlaces,
  context: ToolContext,
  end: RunEnd,
  bytes: Uint8Array,
): Promise<ToolOutput> {
  if (end.kind === "stopped") return STOPPED;
  if (end.kind === "failed") return refuse(`the command was not run: ${plainName(end.reason)}`);
  const { head, note, metadata } = await fitOutput(places.scratch, context, bytes, SHOWN_BYTES);
  const text = new TextDecoder().decode(head);
  const said = [endText(end), ...(note === undefined ? [] : [`Shown: ${note}.`])].join(" ");
  const data = text === "" ? `${said} It wrote nothing.` : `${said}\n${fence(text)}`;
  return { type: "output", data, ...(metadata && { metadata }) };
}

function endText(end: Exclude<RunEnd, { readonly kind: "stopped" | "failed" }>): string {
  if (end.kind === "exit") return `Exit code ${end.code}.`;
  return end.kind === "limit" ? `Ended: it ${end.reason}.` : `Ended by ${end.signal}.`;
}
