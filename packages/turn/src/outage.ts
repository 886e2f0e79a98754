/** Which failures of a store may pass while the process lives, and how long to wait for that. */
import { StoreError } from "@galley/persist";

const OUTAGES = ["full", "busy", "corrupt", "read-only", "cannot-open", "io"] as const;

/** A store that may come back. One that is closed will not, and a refused row will not fit later. */
export const isOutage = (error: unknown): boolean =>
  OUTAGES.some((code) => StoreError.is(error, code));

export const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** Twice as long each time, up to a limit. */
export const longer = (pause_ms: number): number => Math.min(2 * pause_ms, LONGEST_PAUSE_MS);
