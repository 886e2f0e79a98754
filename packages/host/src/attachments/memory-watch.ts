/**
 * A thread that ends its process when the process takes more memory than it may, however busy the
 * main thread is.
 */
import { workerData } from "node:worker_threads";

const LOOK_MS = 20;

setInterval(() => {
  if (process.memoryUsage.rss() > (workerData as number)) process.kill(process.pid, "SIGKILL");
}, LOOK_MS);
