/** The thread in which a search runs. It is started by `grep-thread.ts`, and works once. */
import { parentPort, workerData } from "node:worker_threads";
import { type GrepJob, runGrep } from "./grep-job.ts";

await runGrep(workerData as GrepJob, (message) => parentPort?.postMessage(message));
