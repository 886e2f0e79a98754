/** The thread in which templates render. It is started by `minijinja-renderer.ts`. */
import { parentPort } from "node:worker_threads";
import type { TemplateLimits } from "@galley/compose";
import { openEngine } from "./minijinja-engine.ts";

export type RenderJob = {
  readonly source: string;
  readonly contextJson: string;
  readonly limits: TemplateLimits;
};

const engine = openEngine();
parentPort?.on("message", ({ source, contextJson, limits }: RenderJob) => {
  parentPort?.postMessage(engine.render(source, contextJson, limits));
});
parentPort?.postMessage("ready");
