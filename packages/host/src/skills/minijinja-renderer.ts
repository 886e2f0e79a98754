/**
 * Templates for the composer, rendered in a thread with a clock. The thread is started for the first
 * template, kept between templates and replaced when one of them was too much for it. One template
 * at a time.
 */
import { Worker } from "node:worker_threads";
import type { Rendered, SkillPorts } from "@galley/compose";
import type { EngineResult } from "./minijinja-engine.ts";
import type { RenderJob } from "./minijinja-worker.ts";

export interface TemplateRenderer extends Pick<SkillPorts, "renderTemplate"> {
  close(): Promise<void>;
}

const WORKER = new URL("./minijinja-worker.ts", import.meta.url);
const TIME_MS = 500;
const HEAP_MB = 64;

type Said = { readonly message: unknown } | { readonly ended: string };

type Thread = {
  readonly worker: Worker;
  /** Its next message, or why there will be none. */
  next(): Promise<Said>;
};

export function templateRenderer(timeMs = TIME_MS): TemplateRenderer {
  let thread: Thread | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const drop = async (): Promise<void> => {
    const ending = thread;
    thread = undefined;
    await ending?.worker.terminate();
  };
  const fail = async (reason: "limit" | "failed", says: string): Promise<Rendered> => {
    await drop();
    return { ok: false, reason, says };
  };
  const render = async (job: RenderJob): Promise<Rendered> => {
    if (thread === undefined) {
      thread = startThread();
      const ready = await thread.next();
      if ("ended" in ready) return fail("failed", `no template can be rendered: ${ready.ended}`);
    }
    const { worker, next } = thread;
    worker.ref();
    const said = await inTime(() => {
      const answer = next();
      worker.postMessage(job);
      return answer;
    }, timeMs);
    worker.unref();
    if (said === "late") return fail("limit", `the template did not end in ${timeMs} ms`);
    if ("ended" in said) return fail("limit", `the template ended its thread: ${said.ended}`);
    // The worker is ours, so its messages are.
    const { rendered, spent } = said.message as EngineResult;
    if (spent) await drop();
    return rendered;
  };
  return {
    renderTemplate(source, context, limits) {
      // As text: nothing that is not JSON gets in, and nothing in it can be called.
      const job = { source, contextJson: JSON.stringify(context), limits };
      const turn = last.then(() => render(job));
      last = turn;
      return turn;
    },
    close: () => last.then(drop),
  };
}

function startThread(): Thread {
  const worker = new Worker(WORKER, {
    env: {},
    execArgv: [],
    // A trap is printed with its stack; what it means is in the answer.
    stderr: true,
    stdout: true,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  worker.stderr.resume();
  worker.stdout.resume();
  let wake: ((said: Said) => void) | undefined;
  worker.on("message", (message: unknown) => wake?.({ message }));
  worker.on("error", (error) => wake?.({ ended: error.message }));
  worker.on("exit", (code) => wake?.({ ended: `it ended with ${code}` }));
  return {
    worker,
    next: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
  };
}

async function inTime(ask: () => Promise<Said>, ms: number): Promise<Said | "late"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, ms, "late");
  });
  const first = await Promise.race([ask(), late]);
  clearTimeout(timer);
  return first;
}
