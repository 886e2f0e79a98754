/**
 * When what was committed is safe from a power cut.
 *
 * SQLite could wait for the disk in its commit, and everything in this process would wait with it.
 * Instead its log is flushed beside it: one flush at a time, and whoever commits while one runs
 * shares the next.
 */
import { type FileHandle, open } from "node:fs/promises";

export interface Disk {
  /** Resolves when everything that was committed before the call is on the disk. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** `flush` writes out whatever the operating system still holds back. */
export function sharedFlushes(flush: () => Promise<void>): Disk["settle"] {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    next = undefined;
    running = flush().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (running === undefined) return begin();
    // The one that runs may have begun too early for this commit.
    next ??= running.then(begin, begin);
    return next;
  };
}

/**
 * The write-ahead log of a database. SQLite holds no locks on it, so it may be opened beside it.
 * `path` is the file itself: SQLite names its log after what a link leads to.
 */
export function logOf(path: string): Disk {
  let opened: Promise<FileHandle> | undefined;
  const handle = (): Promise<FileHandle> => {
    opened ??= open(`${path}-wal`, "r+").catch((error: unknown) => {
      // The next flush tries again: there may be room for a handle then.
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    settle: sharedFlushes(async () => (await handle()).datasync()),
    async close() {
      await (await opened)?.close();
    },
  };
}
