/** Why a draft did not become a message. The draft is kept, and no turn starts. */
import { defineErrors } from "@galley/parts";
import type { HostActionRecord } from "./composed.ts";

export const ComposeError = defineErrors("compose", {
  empty: (_: Record<string, never>) => "there is nothing to send",
  "bad-argument": (data: {
    readonly command: string;
    readonly issues: readonly string[];
    readonly usage: string;
  }) => `${data.command}: ${data.issues.join("; ")} (usage: ${data.usage})`,
  "action-failed": (data: {
    readonly command: string;
    readonly action: string;
    /** The host's own code and words. */
    readonly reason: { readonly code: string; readonly message: string };
    /** Actions of the same message that ran before it; they are not undone. */
    readonly done: readonly HostActionRecord[];
  }) => `${data.command} failed: ${data.reason.message}${saidDone(data.done)}`,
  "prompt-failed": (data: {
    readonly command: string;
    readonly server: string;
    readonly reason: { readonly code: string; readonly message: string };
  }) =>
    `${data.command}: the MCP server ${data.server} did not give the prompt: ${data.reason.message}`,
});

function saidDone(done: readonly HostActionRecord[]): string {
  if (done.length === 0) return "";
  return ` (done before it, and not undone: ${done.map(({ id }) => id).join(", ")})`;
}
