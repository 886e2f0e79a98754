/** What an action of a message is given, and what it may ask to be done once the message is kept. */
import type { ActionCall, Json } from "@galley/compose";
import type { ModelChoice, SessionRow } from "@galley/parts";
import type { Store } from "@galley/persist";
import type { LiveSessions } from "@galley/turn";
import type { Settings } from "../config/settings.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";

export type ActionDeps = {
  readonly live: LiveSessions;
  readonly store: Store;
  readonly settings: Settings;
  /** Epoch ms. */
  now(): number;
  mint(prefix: "ses"): string;
  defaultModel(session: SessionRow): ModelChoice;
  /** Composes for the workspace of a session, and knows what can be typed there. */
  pipelineOf(session: SessionRow): Promise<Pick<Pipeline, "compose" | "commands">>;
};

/** Gathers, over the actions of one message, what concerns the message itself. */
export interface Errand {
  /** The model that the message goes to. */
  model?: ModelChoice;
  /** Done once the message is kept, because nothing could be kept after it. */
  readonly after: (() => Promise<unknown>)[];
}

export type Action = (
  call: ActionCall,
  session: SessionRow,
  errand: Errand,
  deps: ActionDeps,
) => Promise<Json>;

/** All that was typed behind the command. */
export const restOf = ({ args }: ActionCall): string => args.raw.trim();
