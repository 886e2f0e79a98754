/** The offline model inside this process: started when it is first needed, ended with the pipeline. */
import type { Rehearsal } from "@galley/rehearsal";
import type { Env } from "../config/settings.ts";
import type { Provider } from "./providers.ts";

export interface Rehearsing {
  url(): Promise<string>;
  close(): Promise<void>;
}

export function rehearsing(): Rehearsing {
  let running: Promise<Rehearsal> | undefined;
  return {
    async url() {
      // Imported here: most commands never need it.
      running ??= import("@galley/rehearsal").then(({ startRehearsal }) =>
        startRehearsal({ keepReceived: 1 }),
      );
      return (await running).url;
    },
    async close() {
      const started = running;
      running = undefined;
      await (await started)?.close();
    },
  };
}

/** The offline model asks for a key like the real ones, and takes any. */
const OFFLINE_KEY = "REHEARSAL_KEY";
export const OFFLINE_ENV: Env = { [OFFLINE_KEY]: "rehearsal" };

export const offlineProvider = (address: string): Provider => ({
  name: "rehearsal",
  baseUrl: { value: address, scope: "built-in" },
  keyEnv: { value: OFFLINE_KEY, scope: "built-in" },
  headers: undefined,
});
