/** What needs the database, tried again for as long as another process has it. */
import { setTimeout as sleep } from "node:timers/promises";
import { StoreError } from "@galley/persist";

const PAUSE_MS = 1_000;

/** Told once why it waits; a signal ends the wait with the fault that it waited on. */
export async function whenUnlocked<T>(
  open: () => Promise<T>,
  signal: AbortSignal,
  warn: (line: string) => void,
): Promise<T> {
  let told = false;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!StoreError.is(error, "busy") || signal.aborted) throw error;
      if (!told) warn(`${error.message}. Waiting until it is free`);
      told = true;
      // Ended early by the signal: then the next try is the last.
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
