/** `task`: a piece of work for an agent of its own, which sees nothing of this conversation. */
import type { SessionRow } from "@galley/parts";
import type { SubagentOrder, Tool, ToolOutput } from "@galley/turn";
import { z } from "zod";
import { defineTool } from "./define-tool.ts";

/** What the host gives its tools for agents inside agents. */
export interface Subagents {
  run(order: SubagentOrder): Promise<ToolOutput>;
  /** The session that a subagent works for, as it is now. */
  parentOf(session: SessionRow): Promise<SessionRow | undefined>;
  /** A subagent may ask the person, who answers in its own session; otherwise it is denied. */
  readonly mayAsk?: boolean;
}

const MOST_PROMPT = 100_000;

export const taskTool = ({ run }: Pick<Subagents, "run">): Tool =>
  defineTool({
    name: "task",
    description:
      "Hands a piece of work to a subagent, waits for it, and gives its last words. It has the same tools and workspace and no more rights than you, and it knows nothing of this conversation: tell it all it needs, and what to report. Use it for work that stands by itself and whose steps you need not see, such as a search through many files. It asks nobody anything, and it cannot be spoken to again.",
    input: z.strictObject({
      prompt: z
        .string()
        .min(1)
        .max(MOST_PROMPT)
        .describe("The work, with everything that must be known for it and what to answer."),
    }),
    run: ({ prompt }, { session, message_id, tool_call_id, signal }) =>
      run({ parent: session, message_id, tool_call_id, prompt, signal }),
  });
