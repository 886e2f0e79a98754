/**
 * Which rule speaks for a call. The most specific one does: by the tool's own name before any tool,
 * then by the longest beginning that the pattern spells out, then by who made it, then the stricter.
 * What an agent's profile denies stays denied, whatever a session allows.
 */
import { z } from "zod";
import { compileGlob } from "../workspace/walk-glob.ts";
import { bytesOf } from "../workspace/walk-rules.ts";
import { fitsCommand } from "./command-pattern.ts";

const ACTIONS = ["allow", "ask", "deny"] as const;
const SOURCES = ["manifest", "user", "project", "session"] as const;

export const PermissionRule = z.looseObject({
  /** The name of a tool, or `*`. */
  permission: z.string().min(1),
  /** A glob over what the call is about; `*` for anything. */
  pattern: z.string(),
  action: z.enum(ACTIONS),
  source: z.enum(SOURCES).optional(),
  /** It came with a file: nobody here gave this leave. */
  imported: z.boolean().optional(),
});
export type PermissionRule = z.infer<typeof PermissionRule>;

export type Asked = {
  readonly tool: string;
  /** What the call says it is about; undefined for a tool that is about nothing. */
  readonly subject: string | undefined;
  /** Other names of the same thing, such as where a link leads. */
  readonly others?: readonly string[];
  /** It is a command line, which a pattern is held against in its own way. */
  readonly isCommand?: boolean;
};

export function decidingRule(
  rules: readonly PermissionRule[],
  asked: Asked,
): PermissionRule | undefined {
  const matching = rules.filter((rule) => fits(rule, asked));
  const absolute = matching.find(
    ({ source, action }) => source === "manifest" && action === "deny",
  );
  if (absolute) return absolute;
  const [first] = matching.toSorted((one, other) => compare(rank(other), rank(one)));
  return first;
}

/** A thing is allowed by all of its names and denied by any of them. */
function fits(rule: PermissionRule, { tool, subject, others = [], isCommand }: Asked): boolean {
  const { permission, pattern, source, action } = rule;
  if (permission !== tool && permission !== "*") return false;
  // A session's rule repeats a call that somebody saw: a star in it is a star, not anything.
  if (source === "session" && action === "allow") return pattern === (subject ?? "*");
  if (pattern === "*") return true;
  if (isCommand) return fitsCommand(pattern, subject ?? "", action);
  const names = [subject ?? "", ...others];
  const test = compileGlob(bytesOf(pattern));
  const isFit = (name: string): boolean => name === pattern || test?.(bytesOf(name)) === true;
  return action === "allow" ? names.every(isFit) : names.some(isFit);
}

type Action = PermissionRule["action"];

/** The stricter of two, where either may have said nothing. */
export function stricter(one: Action | undefined, other: Action | undefined): Action | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return ACTIONS.indexOf(one) >= ACTIONS.indexOf(other) ? one : other;
}

/** Compared from the first number on. */
function rank({ permission, pattern, source = "session", action }: PermissionRule): number[] {
  const literal = pattern.search(/[*?[\\]/);
  return [
    permission === "*" ? 0 : 1,
    literal === -1 ? pattern.length : literal,
    SOURCES.indexOf(source),
    ACTIONS.indexOf(action),
  ];
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, nth) => value !== other[nth]);
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

/** Rules that cannot be read allow nothing by themselves: every call is asked about. */
const UNREADABLE: readonly PermissionRule[] = [
  { permission: "*", pattern: "*", action: "ask", source: "session" },
];

export function sessionRules(permissions_json: string): readonly PermissionRule[] {
  try {
    const read = z.array(PermissionRule).safeParse(JSON.parse(permissions_json));
    if (!read.success) return UNREADABLE;
    return read.data.filter(({ action, imported }) => !(imported === true && action === "allow"));
  } catch (error) {
    if (error instanceof SyntaxError) return UNREADABLE;
    throw error;
  }
}
