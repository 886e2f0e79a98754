/**
 * Whether an input is what a server's tool takes, by the server's own schema.
 *
 * The schema comes from outside, and one pattern in it can take longer than anybody waits: it is run
 * in a thread of its own with a clock, and nowhere else.
 */
import { Worker } from "node:worker_threads";
import { wordsOf } from "../attachments/tried.ts";
import type { SchemaAnswer, SchemaJob } from "./schema-job.ts";

const WORKER = new URL("./schema-worker.ts", import.meta.url);
const TIME_MS = 2_000;
const MEMORY_MB = 128;

/** What is wrong with the input; undefined when nothing is. Never throws, leaves no thread behind. */
export async function inputProblem(job: SchemaJob, timeMs = TIME_MS): Promise<string | undefined> {
  const answer = await runCheck(job, timeMs);
  // The server holds its own schema, and knows what it meant by it.
  if ("broken" in answer) return undefined;
  if ("unchecked" in answer) return `the input cannot be checked: ${answer.unchecked}`;
  if (answer.fits) return undefined;
  return ["the input does not fit:", ...answer.faults].join("\n- ");
}

function runCheck(
  job: SchemaJob,
  timeMs: number,
): Promise<SchemaAnswer | { readonly unchecked: string }> {
  return new Promise((resolve) => {
    const worker = new Worker(WORKER, {
      workerData: job,
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    let isOver = false;
    const finish = (answer: SchemaAnswer | { readonly unchecked: string }): void => {
      // Ending the thread is an exit too.
      if (isOver) return;
      isOver = true;
      clearTimeout(clock);
      worker.terminate().then(
        () => resolve(answer),
        () => resolve(answer),
      );
    };
    const slow = { unchecked: `the server's schema takes longer than ${timeMs / 1000} seconds` };
    const clock = setTimeout(() => finish(slow), timeMs);
    worker.once("message", (answer: SchemaAnswer) => finish(answer));
    worker.once("error", (error) => finish({ unchecked: wordsOf(error) }));
    worker.once("exit", (code) => finish({ unchecked: `the check ended with ${code}` }));
  });
}
