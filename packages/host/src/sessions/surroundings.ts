/**
 * The facts around a conversation, from this host: who speaks to the model and where, what its
 * references lead to, and which tool opens the rest. Nothing is decided here about a turn.
 */
import { DEFAULT_LOAD_POLICY, type Layer } from "@galley/assemble";
import { ModelChoice, type SessionRow } from "@galley/parts";
import type { Store } from "@galley/persist";
import type { Surroundings, ToolBox } from "@galley/turn";
import { instructionsLayer } from "../context/instructions-layer.ts";
import { type ListedSkill, skillsLayer } from "../context/skills-layer.ts";
import { timedLoader } from "../context/timed-loader.ts";
import { AGENT_SYSTEM } from "../pipeline/system-prompt.ts";
import { SKILL_TOOL } from "../tools/skill.ts";
import { fileLoader } from "../workspace/loader.ts";
import { contains } from "../workspace/roots.ts";
import { environmentLayer } from "./environment-layer.ts";
import { choiceOf, nameOf } from "./model-name.ts";
import { reachesOf } from "./reach.ts";

export type SurroundingsInput = {
  /** Where a session works; of one that names nothing, the host's own. */
  workspaceOf(session: SessionRow): string;
  /** Refuses a session that this host may not work in. */
  admit(session: SessionRow): Promise<unknown>;
  readonly platform: string;
  readonly store: Pick<Store, "blobs">;
  readonly tools: ToolBox;
  /** `provider/model`, as it is chosen now. */
  defaultModel(): string;
  /** Why a skill cannot be loaded; undefined when it can. */
  skillProblem(session: SessionRow, name: string): Promise<string | undefined>;
  /** The skills that a session can load; none when absent. */
  skills?(session: SessionRow): Promise<readonly ListedSkill[]>;
  /** The host's own folder: instructions are looked for from there down to the session's. */
  readonly root?: string;
  /** How long a file may take. */
  readonly loadMs?: number;
};

export function createSurroundings(input: SurroundingsInput): Surroundings {
  const { store, tools } = input;
  const defaultModel = (): ModelChoice => choiceOf(input.defaultModel());
  return {
    async layers(session) {
      await input.admit(session);
      const model = nameOf(modelOf(session) ?? defaultModel());
      const workspace = input.workspaceOf(session);
      const { platform } = input;
      const started_at = session.created_at;
      const written = [await instructionsIn(workspace, input), await skillsOf(session, input)];
      return [
        AGENT_SYSTEM,
        ...written.filter((layer) => layer !== undefined),
        environmentLayer({ platform, workspace, started_at, model }),
      ];
    },
    loader(session) {
      const workspace = input.workspaceOf(session);
      const loader = {
        ...fileLoader(workspace, store.blobs),
        skillProblem: (name: string) => input.skillProblem(session, name),
      };
      return timedLoader(loader, input.loadMs);
    },
    async loadPolicy(session) {
      // With every message that fires: a queue may have come from a host that stood elsewhere.
      await input.admit(session);
      const { reach: _none, ...policy } = DEFAULT_LOAD_POLICY;
      return { ...policy, ...reachesOf(await tools.open(session)) };
    },
    defaultModel,
  };
}

/** A session that works elsewhere has its own folder's alone. */
function instructionsIn(folder: string, input: SurroundingsInput): Promise<Layer | undefined> {
  const root = input.root !== undefined && contains(input.root, folder) ? input.root : folder;
  return instructionsLayer({ root, folder, loader: timedLoader(fileLoader(root), input.loadMs) });
}

/** Only where there is a tool that loads them. */
async function skillsOf(
  session: SessionRow,
  { tools, skills }: SurroundingsInput,
): Promise<Layer | undefined> {
  const offered = await tools.open(session);
  if (!skills || !offered.some(({ definition }) => definition.name === SKILL_TOOL))
    return undefined;
  return skillsLayer(await skills(session));
}

/** The model that a session is set to; undefined when it has none, or none that can be read. */
export function modelOf({ model_json }: SessionRow): ModelChoice | undefined {
  if (model_json === null) return undefined;
  const read = ModelChoice.safeParse(parsed(model_json));
  return read.success ? read.data : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Another program wrote the column: the session has then no model of its own.
    return undefined;
  }
}
