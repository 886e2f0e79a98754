/** A workspace, a host folder and a session for the tests of tools. It tests nothing itself. */
import type { SessionRow } from "@galley/parts";
import type { Tool, ToolContext, ToolOutput } from "@galley/turn";
import { done, failed } from "../attachments/tried.ts";
import { type Files, tempFolder } from "../testing/temp-folder.ts";
import { type Scratch, scratchFolders } from "./scratch.ts";
import type { ToolPlaces } from "./target.ts";

export const sessionIn = (root: string | null, id = "ses_1"): SessionRow => ({
  id,
  agent: "default",
  title: null,
  workspace_root: root,
  model_json: null,
  parent_id: null,
  parent_message_id: null,
  permissions_json: "[]",
  metadata_json: "{}",
  prompt_tokens: 0,
  completion_tokens: 0,
  reasoning_tokens: 0,
  cache_read: 0,
  cache_write: 0,
  total_tokens: 0,
  cost_usd: 0,
  created_at: 0,
  updated_at: 0,
  archived_at: null,
});

export type TestPlaces = {
  readonly places: ToolPlaces;
  readonly root: string;
  readonly home: string;
  readonly scratch: Scratch;
  readonly context: ToolContext;
  run(tool: Tool, input: unknown, over?: Partial<ToolContext>): Promise<ToolOutput>;
  /** What the model reads; the reason when it was refused. */
  text(tool: Tool, input: unknown): Promise<string>;
};

export async function placesIn(
  t: Parameters<typeof tempFolder>[0],
  files: Files = {},
  attached: Files = {},
  scratchBytes?: number,
): Promise<TestPlaces> {
  const root = await tempFolder(t, files);
  const home = await tempFolder(t);
  const scratch = scratchFolders(home, scratchBytes);
  const places: ToolPlaces = {
    rootOf: ({ workspace_root }) => workspace_root ?? undefined,
    scratch,
    attachments: {
      find: async (_, name) =>
        attached[name] === undefined
          ? failed("no such attachment")
          : done(Buffer.from(attached[name])),
    },
  };
  const context: ToolContext = {
    session: sessionIn(root),
    message_id: "msg_1",
    tool_call_id: "call_1",
    signal: new AbortController().signal,
  };
  const run: TestPlaces["run"] = (tool, input, over) => tool.run(input, { ...context, ...over });
  return {
    places,
    root,
    home,
    scratch,
    context,
    run,
    async text(tool, input) {
      const output = await run(tool, input);
      return output.type === "error" ? output.error_text : String(output.data);
    },
  };
}

export const cut = (data: string): ToolOutput => ({
  type: "output",
  data,
  metadata: { truncated: true },
});
export const whole = (data: string): ToolOutput => ({ type: "output", data });
export const no = (error_text: string): ToolOutput => ({ type: "error", error_text });
