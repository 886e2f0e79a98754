/** The offline model inside this process: started when it is first needed, ended with the pipeline. */
import type { Rehearsal } from "@galley/rehearsal";

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
