/**
 * Reads a whole database beside everything else and tells what is damaged in it. A page that nobody
 * asks for would otherwise stay unknown until the day on which it is needed.
 */
import { Worker } from "node:worker_threads";
import { isForgotten } from "./database-path.ts";

const WORKER = new URL("./damage-worker.ts", import.meta.url);

/** Empty when it is sound, and when it was stopped; never rejects. */
function findDamage(path: string, signal: AbortSignal): Promise<readonly string[]> {
  if (signal.aborted) return Promise.resolve([]);
  return new Promise((resolve) => {
    const worker = new Worker(WORKER, { workerData: path, env: {}, execArgv: [] });
    let found: readonly string[] = [];
    const stop = (): void => void worker.terminate();
    signal.addEventListener("abort", stop, { once: true });
    worker.once("message", (lines: readonly string[]) => {
      found = lines;
    });
    // Damage may be such that reading itself fails.
    worker.once("error", (error) => {
      found = [error instanceof Error ? error.message : String(error)];
    });
    worker.once("exit", () => {
      signal.removeEventListener("abort", stop);
      resolve(found);
    });
  });
}

/** Told only when something is damaged, in one line that says what to do. */
export async function warnOfDamage(
  path: string,
  signal: AbortSignal,
  warn: (line: string) => void,
): Promise<void> {
  if (isForgotten(path)) return;
  const damage = await findDamage(path, signal);
  const [first] = damage;
  if (first === undefined) return;
  const where = damage.length === 1 ? "" : ` in ${damage.length} places, the first`;
  const says = first.replaceAll(/\s+/g, " ");
  warn(
    `${path} is damaged${where}: ${says}. What can be read is served: export it, put the file aside, and import it into a new one`,
  );
}
