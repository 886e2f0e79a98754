/**
 * What the rules on other tools mean for a command, which could do the work of any of them: where
 * writing is denied nothing is changed, and what may not be read is hidden.
 */
import { decidingRule, type PermissionRule } from "./permission.ts";

export type Bounds = {
  /** Why files of the workspace may not be changed; undefined when they may. */
  readonly noChanges: string | undefined;
  /** Of files in general, what a rule says of reading. */
  readonly reading: "allow" | "ask" | "deny";
  /** Which files are not to be read, by the path from the root; undefined when there are none. */
  readonly hides: ((path: string) => boolean) | undefined;
  readonly mayUseNetwork: boolean;
};

export function boundsOf(rules: readonly PermissionRule[]): Bounds {
  const denied = rules.find((rule) => isDenied(rules, rule));
  return {
    noChanges: denied && `a rule denies ${denied.permission} for ${denied.pattern}`,
    reading: decidingRule(rules, { tool: "read", subject: undefined })?.action ?? "allow",
    hides: hiding(rules),
    mayUseNetwork: !rules.some(
      ({ permission, action }) =>
        action === "deny" && ["web_fetch", "web_search", "*"].includes(permission),
    ),
  };
}

/** A command cannot be held to a part of the files: one denial is a denial of all. */
function isDenied(
  rules: readonly PermissionRule[],
  { permission, pattern, action }: PermissionRule,
) {
  if (action !== "deny") return false;
  if (permission === "write" || permission === "edit") return true;
  if (permission !== "*") return false;
  return (
    pattern !== "*" || decidingRule(rules, { tool: "write", subject: undefined })?.action === "deny"
  );
}

function hiding(rules: readonly PermissionRule[]): Bounds["hides"] {
  const isAbout = ({ permission, pattern, action }: PermissionRule): boolean =>
    action !== "allow" && pattern !== "*" && ["read", "*"].includes(permission);
  if (!rules.some(isAbout)) return undefined;
  return (path) => {
    const rule = decidingRule(rules, { tool: "read", subject: path });
    return rule !== undefined && rule.action !== "allow";
  };
}
