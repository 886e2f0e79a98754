/**
 * Frees bytes that nobody came to use: at the start of a host, and once a day while it runs. Whoever
 * put some has an hour to name them in a message.
 */
import type { Store } from "@galley/persist";

const GRACE_MS = 60 * 60 * 1000;
const EVERY_MS = 24 * 60 * 60 * 1000;

export type Sweeping = {
  readonly store: Pick<Store, "blobs">;
  now(): number;
  /** A sweep that fails is told, and the next one tries again. */
  report(error: unknown): void;
};

export interface BlobSweeper {
  start(): Promise<void>;
  stop(): void;
}

export function blobSweeper({ store, now, report }: Sweeping): BlobSweeper {
  let timer: NodeJS.Timeout | undefined;
  const sweep = async (): Promise<void> => {
    try {
      await store.blobs.sweep(now() - GRACE_MS);
    } catch (error) {
      report(error);
    }
  };
  return {
    async start() {
      timer ??= setInterval(() => void sweep(), EVERY_MS).unref();
      await sweep();
    },
    stop: () => clearInterval(timer),
  };
}
