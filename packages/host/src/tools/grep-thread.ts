/**
 * A search in a thread of its own, with a clock. A pattern may take longer than the sun lasts on
 * one line; then the thread is ended, and what was found before is kept.
 */
import { Worker } from "node:worker_threads";
import { wordsOf } from "../attachments/tried.ts";
import type { GrepEnd, GrepFound, GrepJob, GrepMessage } from "./grep-job.ts";

export type GrepResult = {
  readonly found: readonly GrepFound[];
  readonly outcome:
    | { readonly kind: "done"; readonly end: GrepEnd }
    | { readonly kind: "stopped" }
    | { readonly kind: "slow" }
    | { readonly kind: "failed"; readonly reason: string };
};

const WORKER = new URL("./grep-worker.ts", import.meta.url);
const MEMORY_MB = 256;

/** Never throws, and leaves no thread behind. */
export function searchFiles(
  job: GrepJob,
  signal: AbortSignal,
  timeMs: number,
): Promise<GrepResult> {
  return new Promise((resolve) => {
    const found: GrepFound[] = [];
    const worker = new Worker(WORKER, {
      workerData: job,
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    let isOver = false;
    const finish = (outcome: GrepResult["outcome"]): void => {
      // Ending the thread is an exit too.
      if (isOver) return;
      isOver = true;
      clearTimeout(clock);
      signal.removeEventListener("abort", stop);
      // Ended for good before anybody goes on: it may hold files open.
      worker.terminate().then(
        () => resolve({ found, outcome }),
        () => resolve({ found, outcome }),
      );
    };
    const stop = (): void => finish({ kind: "stopped" });
    const clock = setTimeout(() => finish({ kind: "slow" }), timeMs);
    signal.addEventListener("abort", stop, { once: true });
    worker.on("message", (message: GrepMessage) => {
      if (message.type === "found") found.push(message.found);
      else finish({ kind: "done", end: message.end });
    });
    worker.once("error", (error) => finish({ kind: "failed", reason: wordsOf(error) }));
    worker.once("exit", (code) => finish({ kind: "failed", reason: `it ended with ${code}` }));
    if (signal.aborted) stop();
  });
}
