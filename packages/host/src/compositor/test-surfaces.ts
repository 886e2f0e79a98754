/** The command line and the HTTP API over one workspace and one home folder, both for a test. */
import type { TestContext } from "node:test";
import { runCli } from "../cli/main.ts";
import { loadSettings } from "../config/settings.ts";
import { AUTHORIZED, serverFor } from "../http/test-server.ts";
import { createPipeline } from "../pipeline/create-pipeline.ts";
import { memoryIo } from "../testing/memory-io.ts";
import { type Files, tempFolder } from "../testing/temp-folder.ts";

export async function surfacesIn(t: TestContext, files: Files = {}, userFiles: Files = {}) {
  const workspace = await tempFolder(t, files);
  const userHome = await tempFolder(t, userFiles);
  const home = await tempFolder(t);

  async function galley(words: readonly string[], stdin?: string) {
    const env = { GALLEY_HOME: home, HOME: userHome };
    const io = memoryIo({ cwd: workspace, env, stdin });
    return { code: await runCli(words, io), ...io.printed() };
  }

  async function serve() {
    const config = await loadSettings({ workspace, home, env: {} });
    const pipeline = createPipeline({
      workspace,
      home,
      userHome,
      config,
      env: {},
      fetch,
      now: () => 1_700_000_000_000,
      random: (count) => new Uint8Array(count),
      warn: () => undefined,
    });
    t.after(() => pipeline.close());
    const { call, post } = await serverFor(t, { pipeline });
    const asJson = async (answer: ReturnType<typeof call>) => {
      const { status, body } = await answer;
      return { status, body: JSON.parse(body) };
    };
    return {
      get: (path: string) => asJson(call(path, { headers: AUTHORIZED })),
      post: (path: string, body: unknown) => asJson(post(path, body)),
      stream: async (path: string, body: unknown) => (await post(path, body)).body,
    };
  }

  return { workspace, userHome, galley, serve };
}
