/** What the compositor refuses on behalf of this host. */
import { defineErrors } from "@galley/parts";
import { plainName } from "@galley/shape";

export const CompositorError = defineErrors("compositor", {
  needs_session: (data: { commands: readonly string[] }) => {
    const names = data.commands.map(plainName).join(", ");
    const [is, needs] =
      data.commands.length === 1 ? ["is a host action", "needs"] : ["are host actions", "need"];
    return `${names} ${is} and ${needs} a session, which there is none of here: nothing was sent`;
  },
  expands_too_far: (data: { limit: number }) =>
    `the commands of the message expand to more than the ${data.limit} bytes that limits.message_bytes in the configuration allows`,
});

/** Refuses a message that has nothing but host actions in it: there is no turn to start. */
export function refuseActionsAlone(message: unknown): void {
  const { parts } = (message ?? {}) as { readonly parts?: unknown };
  if (!Array.isArray(parts)) return;
  // Not checked yet: a part may be anything.
  const rows = parts as readonly (Readonly<Record<string, unknown>> | null)[];
  const isAction = (part: (typeof rows)[number]): boolean =>
    part?.type === "command" && part.outcome === "host-action";
  const isAside = (part: (typeof rows)[number]): boolean =>
    part?.type === "editor-context" || (part?.type === "text" && String(part.text).trim() === "");
  const actions = rows.filter(isAction);
  if (actions.length === 0 || !rows.every((part) => isAction(part) || isAside(part))) return;
  throw CompositorError.make("needs_session", {
    commands: actions.map((part) => String(part?.id)),
  });
}
