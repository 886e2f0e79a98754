/** The real host as a process that can be killed and started again on the same database. */
import { once } from "node:events";
import { createInterface } from "node:readline";
import { startGalley } from "../testing/run-galley.ts";

export type HostPlace = {
  readonly home: string;
  readonly workspace: string;
  /** Where the provider listens. */
  readonly provider: string;
  readonly env?: Readonly<Record<string, string>>;
};

export const TOKEN = "chaos-token-0123456789";
export const MODEL = "anthropic/claude-opus-5-5";

export type HostProcess = {
  readonly url: string;
  readonly pid: number;
  /** What it said on its error channel so far. */
  said(): string;
  /** Resolves when it has said this, for as long as it lives. */
  says(words: RegExp): Promise<void>;
  kill(signal: NodeJS.Signals): Promise<void>;
};

export async function startHost(place: HostPlace): Promise<HostProcess> {
  const child = startGalley({
    words: ["serve", "--port", "0", "--model", MODEL, "--workspace", place.workspace],
    cwd: place.workspace,
    home: place.home,
    env: {
      GALLEY_TOKEN: TOKEN,
      ANTHROPIC_BASE_URL: place.provider,
      ANTHROPIC_API_KEY: "key",
      ...place.env,
    },
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const ended = once(child, "exit");
  for await (const line of createInterface(child.stdout)) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (url === undefined) continue;
    return {
      url,
      pid: child.pid ?? 0,
      said: () => said,
      async says(words) {
        while (!words.test(said)) {
          if (child.exitCode !== null) throw new Error(`the host ended and said: ${said}`);
          await Promise.race([once(child.stderr, "data"), ended]);
        }
      },
      async kill(signal) {
        child.kill(signal);
        await ended;
      },
    };
  }
  throw new Error(`the host did not come up: ${said}`);
}

export type Reply = { readonly status: number; readonly body: unknown };

/** One call of the API; `undefined` when the host went away before it answered. */
export async function ask(
  host: Pick<HostProcess, "url">,
  method: string,
  path: string,
  body?: unknown,
): Promise<Reply | undefined> {
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  try {
    const response = await fetch(`${host.url}${path}`, init);
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  } catch {
    // Killed, or not up again: whoever asks tries again.
    return undefined;
  }
}
