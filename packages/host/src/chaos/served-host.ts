/** A host in this process, on a database of its own, as clients see it: over HTTP. */
import type { TestContext } from "node:test";
import { createHost, type Host } from "../sessions/create-host.ts";
import type { HostInput } from "../sessions/host-input.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { MODEL, TOKEN } from "./host-process.ts";
import type { MarkedModel } from "./marked-model.ts";

export type ServedHost = {
  readonly host: Host;
  readonly url: string;
  readonly token: string;
  readonly home: string;
  /** What it warned of, a line each. */
  readonly warned: readonly string[];
};

export async function serveHost(
  t: Pick<TestContext, "after">,
  model: Pick<MarkedModel, "url" | "fetch">,
  over: Partial<HostInput> = {},
): Promise<ServedHost> {
  const home = over.home ?? (await tempFolder(t));
  const warned: string[] = [];
  const host = await createHost({
    workspace: home,
    home,
    env: { GALLEY_MODEL: MODEL, ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: model.url },
    fetch: model.fetch,
    warn: (line) => warned.push(line),
    ...over,
  });
  t.after(() => host.close(0));
  await host.start();
  const { url } = await host.serve({ host: "127.0.0.1", port: 0, token: TOKEN });
  return { host, url, token: TOKEN, home, warned };
}
