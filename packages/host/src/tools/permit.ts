/**
 * Whether a call may run: what only reads may, everything else is asked about, and rules have the
 * last word. A session's own scratch folder is its own. Without a person, asking is denying.
 *
 * What a project that nobody trusts says can only make it stricter.
 */
import type { SessionRow } from "@galley/parts";
import { NOBODY_ANSWERS, type Permit, type Tool, type ToolRequest } from "@galley/turn";
import type { SandboxSearch } from "../sandbox/find-sandbox.ts";
import { resolveInside, storedPath } from "../workspace/roots.ts";
import { bashPermit } from "./bash-permit.ts";
import {
  type Asked,
  decidingRule,
  type PermissionRule,
  sessionRules,
  stricter,
} from "./permission.ts";
import { placeOf, type ToolPlaces } from "./target.ts";

export type PermitInput = {
  /** By themselves, not by name: another tool may bear the same. */
  readonly allowed: ReadonlySet<Tool>;
  /** Tools that change the file that they are about. */
  readonly changes: readonly Tool[];
  readonly places: ToolPlaces;
  readonly headless: boolean;
  readonly rules: readonly PermissionRule[];
  /** Of a project that nobody trusts; none of them allows. */
  readonly restraints: readonly PermissionRule[];
  /** The tool that runs commands: its subject is a command line. */
  readonly shell: Tool;
  /** Tools whose subject is no path. */
  readonly pathless: ReadonlySet<Tool>;
  findSandbox(): Promise<SandboxSearch>;
  /** An embedder's own word, before any rule but an agent's denial. */
  before?: ((request: ToolRequest) => Promise<Permit | undefined>) | undefined;
};

export const rulesFor = (
  session: SessionRow,
  { rules, restraints }: Pick<PermitInput, "rules" | "restraints">,
): readonly PermissionRule[] => [
  ...rules,
  ...restraints,
  ...sessionRules(session.permissions_json),
];

export async function permit(request: ToolRequest, given: PermitInput): Promise<Permit> {
  const { tool } = request;
  const { name } = tool.definition;
  if (given.headless && tool.waits !== undefined) return { action: "deny", reason: NOBODY_ANSWERS };
  const found = await decided(request, given);
  if (found.action === "ask" && given.headless) {
    return { action: "deny", reason: `${name} needs somebody's leave, and nobody is there to ask` };
  }
  return found;
}

async function decided(request: ToolRequest, given: PermitInput): Promise<Permit> {
  const { tool, session } = request;
  const { name } = tool.definition;
  const subject = tool.subject?.(request.input);
  const asked = await askedOf(request, subject, given);
  const ofSession = sessionRules(session.permissions_json);
  const rule = decidingRule([...given.rules, ...ofSession], asked);
  const denied: Permit = { action: "deny", reason: `a rule does not allow ${name} here` };
  if (rule?.action === "deny" && rule.source === "manifest") return denied;
  const hooked = await given.before?.(request);
  if (hooked !== undefined) return hooked;
  const restraint = decidingRule([...given.restraints, ...ofSession], asked);
  const own = stricter(rule?.action, restraint?.action);
  if (tool === given.shell) {
    const search = await given.findSandbox();
    return bashPermit(request.input, own, rulesFor(session, given), search);
  }
  const action = own ?? usual(request, subject, given);
  return action === "deny" ? denied : { action };
}

async function askedOf(
  { tool, session }: ToolRequest,
  subject: string | undefined,
  { shell, pathless, places }: PermitInput,
): Promise<Asked> {
  const asked = { tool: tool.definition.name, subject };
  if (tool === shell) return { ...asked, isCommand: true };
  if (pathless.has(tool)) return asked;
  return { ...asked, others: await otherNames(places.rootOf(session), subject) };
}

function usual(
  { tool, session }: ToolRequest,
  subject: string | undefined,
  { allowed, changes, places }: PermitInput,
): "allow" | "ask" {
  if (allowed.has(tool)) return "allow";
  const isOwn = changes.includes(tool) && placeOf(places, session, subject ?? "")?.isScratch;
  return isOwn ? "allow" : "ask";
}

/** From the root, as it is written and after links: a rule on a path is a rule on the file. */
async function otherNames(
  root: string | undefined,
  subject: string | undefined,
): Promise<readonly string[]> {
  if (root === undefined || subject === undefined) return [];
  const [stored, inside] = await Promise.all([
    storedPath(root, subject),
    resolveInside(root, subject),
  ]);
  return inside.ok ? [stored, await storedPath(root, inside.real)] : [stored];
}
