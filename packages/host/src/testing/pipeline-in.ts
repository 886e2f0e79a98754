/** A real pipeline over a folder of its own, cut off from the network unless the test gives one. */
import { type Env, loadSettings } from "../config/settings.ts";
import { createPipeline } from "../pipeline/create-pipeline.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { type Files, tempFolder } from "./temp-folder.ts";

type Setup = {
  readonly files?: Files;
  readonly env?: Env;
  readonly model?: string;
  readonly fetch?: typeof fetch;
};

const noNetwork: typeof fetch = () => {
  throw new Error("a proof opens no socket");
};

export async function pipelineIn(
  t: Parameters<typeof tempFolder>[0],
  setup: Setup = {},
): Promise<Pipeline> {
  const workspace = await tempFolder(t, setup.files);
  const home = await tempFolder(t);
  const env = setup.env ?? {};
  const config = await loadSettings({ workspace, home, env, model: setup.model });
  const pipeline = createPipeline({
    workspace,
    home,
    config,
    env,
    fetch: setup.fetch ?? noNetwork,
    now: () => 1_700_000_000_000,
    random: (count) => new Uint8Array(count),
    warn: () => undefined,
  });
  t.after(() => pipeline.close());
  return pipeline;
}
