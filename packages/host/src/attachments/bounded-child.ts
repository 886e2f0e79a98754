/** The process in which a hostile file is read. It is started by `bounded-process.ts`, works once. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Job } from "./bounded-process.ts";
import { attempt, type Tried } from "./tried.ts";

type JobModule = { run(input: unknown): Promise<Tried<unknown>> };

process.once("message", async ({ module, input, memoryMb }: Job) => {
  const limit = memoryMb * 1024 * 1024;
  const watch = new Worker(new URL("./memory-watch.ts", import.meta.url), { workerData: limit });
  await once(watch, "online");
  const answer = await attempt("it cannot be read", async () => {
    const { run } = (await import(module)) as JobModule;
    return run(input);
  });
  process.send?.(answer);
});
