/**
 * A server's tool as one of ours. The server is foreign: its description is cut, its schema is run
 * in a thread of its own, its answers are data, and every call is asked about unless a rule says
 * otherwise.
 */
import { plainName } from "@galley/shape";
import type { Tool, ToolOutput } from "@galley/turn";
import { refuse, STOPPED } from "../tools/define-tool.ts";
import type { Scratch } from "../tools/scratch.ts";
import type { Asked } from "./asked.ts";
import { callOutput } from "./call-output.ts";
import { inputProblem } from "./check-input.ts";
import type { Connection } from "./connection.ts";
import { shownSchema } from "./foreign-schema.ts";
import type { ListedTool } from "./listing.ts";
import { mcpSubject, mcpToolName } from "./tool-name.ts";

const LONGEST_DESCRIPTION = 200;

export function mcpTool(
  connection: Pick<Connection, "server" | "ask">,
  { name, description, schema }: ListedTool,
  scratch: Scratch,
): Tool {
  const server = connection.server.name;
  const subject = mcpSubject(server, name);
  return {
    definition: {
      name: mcpToolName(server, name),
      description: shownDescription(description ?? `${name}, a tool of the MCP server ${server}.`),
      input_schema: shownSchema(schema),
    },
    subject: () => subject,
    check: (input) => inputProblem({ schema, input: input ?? {} }),
    async run(input, context): Promise<ToolOutput> {
      if (context.signal.aborted) return STOPPED;
      const params = { name, arguments: input ?? {} };
      const asked = await connection.ask("tools/call", params, context.signal);
      if (asked.ok) return callOutput(asked.value, context, scratch);
      return asked.code === "stopped" ? STOPPED : refuse(sayFailure(server, name, asked));
    },
  };
}

/** On one line, so that a description cannot look like something else than one. */
export function shownDescription(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  if (line.length <= LONGEST_DESCRIPTION) return line;
  return `${line
    .slice(0, LONGEST_DESCRIPTION - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, "")}…`;
}

const UNKNOWN_OUTCOME = "whether it took effect is not known";

function sayFailure(
  server: string,
  tool: string,
  { code, reason }: Extract<Asked, { ok: false }>,
): string {
  const who = `the MCP server ${plainName(server)}`;
  switch (code) {
    case "refused":
      return `${who} refused ${plainName(tool)}: ${reason}`;
    case "unavailable":
      return `${who} is not available, and ${plainName(tool)} did not run: ${reason}`;
    case "timeout":
      return `${who} failed at ${plainName(tool)}: ${reason}; ${UNKNOWN_OUTCOME}`;
    case "gone":
      return `${who} broke at ${plainName(tool)}: ${reason}; ${UNKNOWN_OUTCOME}`;
    case "stopped":
      return "it was stopped";
  }
}
