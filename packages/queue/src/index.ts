/** The public surface of `queue`: the run-state reducer, its projections and its driver. */
export type { Step } from "./drain.ts";
export {
  type Cause,
  type DrivenSession,
  driveSession,
  type SessionPorts,
} from "./driver.ts";
export {
  type Ending,
  isOutside,
  isRow,
  type OutsideEffect,
  type Pause,
  type RowEffect,
  type RunEffect,
} from "./effect.ts";
export type { Admission, Fate, Happening, Report, Request, RunEvent, Stamp } from "./event.ts";
export {
  type Disposition,
  dispositionOf,
  mayArchive,
  mayFork,
  type QueueView,
  queueOf,
  statusOf,
} from "./project.ts";
export { reduce } from "./reduce.ts";
export { QueueError, type Refusal, type Refused } from "./refusal.ts";
export { restore, type StoredRun, stateOf } from "./restore.ts";
export {
  type Interaction,
  type Origin,
  type Phase,
  type QueueEntry,
  type RunState,
  restingState,
  type StopPolicy,
  type Turn,
} from "./run-state.ts";
