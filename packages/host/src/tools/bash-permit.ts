/**
 * Whether a command may run, where no rule of its own speaks: in a sandbox, what changes nothing may;
 * everything else is asked about. Without a sandbox a command can do whatever the person can, so
 * where any tool is denied something, no command is run at all.
 */
import type { Permit } from "@galley/turn";
import type { SandboxSearch } from "../sandbox/find-sandbox.ts";
import { readBashInput } from "./bash.ts";
import { boundsOf } from "./bash-bounds.ts";
import type { PermissionRule } from "./permission.ts";

type Action = Permit["action"];

/** `own` is what a rule on the command itself says. */
export function bashPermit(
  input: unknown,
  own: Action | undefined,
  rules: readonly PermissionRule[],
  search: SandboxSearch,
): Permit {
  if (own === "deny") return { action: "deny", reason: "a rule does not allow bash here" };
  const bounds = boundsOf(rules);
  if (!search.ok) return uncontained(own, bounds, search);
  const changes = readBashInput(input)?.changes_files === true;
  if (changes && bounds.noChanges !== undefined) {
    return { action: "deny", reason: `${bounds.noChanges}, so no command may change files` };
  }
  if (bounds.reading === "deny") {
    return { action: "deny", reason: "a rule denies reading, so no command may run" };
  }
  if (bounds.reading === "ask" && own !== "allow") return { action: "ask" };
  const action = own ?? (changes ? "ask" : "allow");
  return action === "ask" && changes ? { action, reason: CHANGES } : { action };
}

const CHANGES = "the command is to change files of the workspace";

function uncontained(
  own: Action | undefined,
  { noChanges, reading, hides, mayUseNetwork }: ReturnType<typeof boundsOf>,
  { reason, mend }: Extract<SandboxSearch, { readonly ok: false }>,
): Permit {
  const isBound = noChanges !== undefined || reading === "deny" || hides || !mayUseNetwork;
  if (isBound) {
    const why = "there is no sandbox to hold a command to the rules on other tools";
    return { action: "deny", reason: `${why} (${reason}; ${mend})` };
  }
  if (own === "allow") return { action: "allow" };
  const why = `there is no sandbox (${reason}): the command can read and change whatever you can`;
  return { action: "ask", reason: why };
}
