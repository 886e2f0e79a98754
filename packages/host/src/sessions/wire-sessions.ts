/** The live sessions of a host, with every port of theirs filled from this host's own pieces. */
import process from "node:process";
import { idMinter, type SessionId, type SessionRow } from "@galley/parts";
import type { Store, Tables } from "@galley/persist";
import {
  type Calibrations,
  createLiveSessions,
  type LiveSessions,
  type Tracer,
  TurnError,
} from "@galley/turn";
import { defaultName } from "../pipeline/models.ts";
import type { Rehearsing } from "../pipeline/rehearse.ts";
import { skillShelf } from "../tools/skill-shelf.ts";
import { refuseLarge } from "./attachment-limit.ts";
import type { WholeInput } from "./host-input.ts";
import type { HostTools } from "./host-tools.ts";
import { createModelPort } from "./model-port.ts";
import { orphansIn, subagentsFor } from "./subagents.ts";
import { createSurroundings } from "./surroundings.ts";
import type { Workspaces } from "./workspaces.ts";

export type SessionPieces = HostTools & {
  readonly store: Store;
  readonly workspaces: Workspaces;
  readonly offline: Rehearsing;
  readonly tracer: Tracer;
  readonly calibrations: Calibrations;
  /** Throws where another host has the database by now. */
  fence(tx: Tables): Promise<void>;
  report(error: unknown): void;
};

export function wireSessions(pieces: SessionPieces, input: WholeInput): LiveSessions {
  const { store, workspaces, offline, tools, tracer, report } = pieces;
  const shelf = skillShelf({
    rootOf: ({ workspace_root }) => workspace_root ?? input.workspace,
    userHome: input.userHome,
  });
  const live = createLiveSessions({
    store,
    tools,
    tracer,
    report,
    fence: (tx) => pieces.fence(tx),
    models: createModelPort({ ...input, offline }),
    surroundings: createSurroundings({
      platform: process.platform,
      store,
      tools,
      workspaceOf: ({ workspace_root }) => workspace_root ?? input.workspace,
      admit: ({ workspace_root }) => workspaces.check(workspace_root),
      defaultModel: () => defaultName(input.settings, input.env),
      skillProblem: (session, name) => pieces.skillProblem(session, name),
      root: input.workspace,
      // An embedder's tools may load skills of their own; which, nobody here can know.
      ...(input.tools === undefined && { skills: (session: SessionRow) => shelf.list(session) }),
    }),
    calibrations: pieces.calibrations,
    limits: input.limits,
    now: () => input.now(),
    mint: idMinter(input),
    chance: () => chanceOf(input.random(4)),
  });
  const attachments = { limit: input.settings.limits.attachment_bytes, store };

  /** With its subagents: nobody else would ever look at them. */
  async function remove(id: SessionId): Promise<void> {
    await live.delete(id);
    await pieces.forget(id);
    for (const each of await subagentsFor(store, id)) await remove(each);
  }

  return {
    ...live,
    create: async (session) =>
      live.create({ ...session, workspace: await workspaces.check(session.workspace) }),
    async submit(id, submission) {
      await refuseLarge(submission.message.parts, attachments);
      return live.submit(id, submission);
    },
    async edit(id, message_id, parts) {
      await refuseLarge(parts, attachments);
      return live.edit(id, message_id, parts);
    },
    delete: remove,
    async start() {
      const orphans = await orphansIn(store);
      await live.start();
      for (const id of orphans) await live.abort(id, { clear_queue: true }).catch(unlessIdle);
    },
  };
}

/** What its dead process left running was closed by the start itself. */
function unlessIdle(error: unknown): void {
  if (!TurnError.is(error, "nothing-running")) throw error;
}

/** Four random bytes as a number from 0 to below 1. */
const chanceOf = (bytes: Uint8Array): number =>
  bytes.reduce((sum, byte, index) => sum + byte / 256 ** (index + 1), 0);
