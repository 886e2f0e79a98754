/**
 * Layers, history, pins and the new message become one context, with a manifest that counts all of
 * it. The only producer of what a request is made of.
 *
 * It is given everything and reads nothing. The same input gives the same output; what is kept
 * between calls is only what was already found out about a message, by its identity.
 */
import {
  type BudgetPolicy,
  type BudgetState,
  DEFAULT_BUDGET_POLICY,
  fit,
  NOTHING_ELIDED,
  type Sum,
} from "./budget.ts";
import { type Calibration, calibrated } from "./calibration.ts";
import { changesSince } from "./changes.ts";
import type {
  AssembledContext,
  HistoryMessage,
  Layer,
  ToolChoice,
  ToolDefinition,
} from "./context.ts";
import { candidatesOf, leaveOut } from "./elide.ts";
import { addMeasure } from "./estimate.ts";
import { filterHistory, type Line } from "./filters.ts";
import { layOut, type Shows } from "./lay-out.ts";
import { type Fitted, type History, makeManifest } from "./make-manifest.ts";
import type { Manifest, SendManifest } from "./manifest.ts";
import { type Pin, placePins, type ReadPins, readPins, type Spot, spotFor } from "./pins.ts";
import { placeLayers } from "./placement.ts";
import { OPENING, settleHistory } from "./settle-history.ts";
import { type SizedFront, sizeFront } from "./size-front.ts";

export type AssembleInput = {
  readonly layers: readonly Layer[];
  /** The message that is answered is the last of the user's. */
  readonly messages: readonly HistoryMessage[];
  readonly tools?: readonly ToolDefinition[];
  readonly toolChoice?: ToolChoice;
  /** Tokens. */
  readonly contextWindow: number;
  readonly maxOutput: number;
  /** Whether the model is shown bytes of this type; all are, when nobody says. */
  readonly shows?: Shows;
  /** Read for this turn; the same ones for each of its steps. */
  readonly pins?: readonly Pin[];
  /** With it old content is left out to fit; without it the manifest says that it does not fit. */
  readonly budget?: Partial<BudgetPolicy> & { readonly state?: BudgetState };
  /** What is known of how this model's provider counts. */
  readonly calibration?: Calibration;
  /** Of the request before in this conversation. */
  readonly previous?: Manifest;
};

export type Assembly = {
  readonly context: AssembledContext;
  readonly manifest: SendManifest;
  /** To be kept and handed in with the next send; only where there was a budget. */
  readonly budget?: BudgetState;
};

export function assemble(input: AssembleInput): Assembly {
  const { tools = [], toolChoice, budget } = input;
  const layers = placeLayers(input.layers);
  const front = sizeFront(layers, tools);
  const history = takeHistory(input);
  const pins = readPins(input.pins);
  const fitted = fitHistory(input, history, sumAll(front, history, pins));
  const { lines, spot } = withPins(fitted.elided.lines, pins);
  const messages = lines.map(({ message }) => message);
  const made = makeManifest({ front, history, fitted, pins, spot, lines });
  const manifest = input.previous ? { ...made, changed: changesSince(input.previous, made) } : made;
  return {
    context: {
      layers,
      messages: history.opened ? [OPENING, ...messages] : messages,
      tools,
      ...(toolChoice && { toolChoice }),
    },
    manifest,
    ...(budget && { budget: fitted.state }),
  };
}

function takeHistory({ messages, shows }: AssembleInput): History {
  const filtered = filterHistory(messages);
  const settled = settleHistory(filtered.lines.map(({ message }) => message));
  const opened = settled.messages[0] === OPENING;
  const own = opened ? settled.messages.slice(1) : settled.messages;
  const lines = filtered.lines.map((line, at): Line => {
    const message = own[at] ?? line.message;
    return message === line.message ? line : { ...line, message };
  });
  const laidOut = layOut(messages, lines, filtered, shows);
  const task = laidOut.laid.findLast(({ line }) => line.message.role === "user");
  return {
    ...laidOut,
    settlements: settled.settlements,
    opened,
    task: task?.start ?? laidOut.blocks.length,
  };
}

function sumAll(front: SizedFront, history: History, pins: ReadPins | undefined): Sum {
  const opening = history.opened ? front.opening : undefined;
  return [history, pins, opening].reduce<Sum>(
    (sum, each) =>
      each
        ? { measure: addMeasure(sum.measure, each.measure), tokens: sum.tokens + each.tokens }
        : sum,
    front,
  );
}

function fitHistory(input: AssembleInput, { laid, blocks, task }: History, whole: Sum): Fitted {
  const limit = input.contextWindow - input.maxOutput;
  const { calibration } = input;
  const { state = NOTHING_ELIDED, ...given } = input.budget ?? {};
  const policy = { ...DEFAULT_BUDGET_POLICY, ...given };
  const candidates = input.budget ? candidatesOf(laid, task, policy) : [];
  const fitting = fit({ ...whole, limit, candidates }, state, policy, calibration);
  const { sum, floor } = fitting;
  const estimate = calibrated(sum.measure, sum.tokens, calibration);
  const elided = leaveOut(laid, blocks, fitting.leftOut);
  return { elided, sum, state: fitting.state, limit, estimate, floor };
}

function withPins(
  lines: readonly Line[],
  pins: ReadPins | undefined,
): { lines: readonly Line[]; spot?: Spot } {
  if (!pins) return { lines };
  const spot = spotFor(lines);
  return { lines: placePins(lines, pins, spot), spot };
}
