/**
 * Keeps the memory of a host that runs for days near what it holds, where V8 would rather keep what
 * it once needed: thousands of short turns leave much behind that nobody collects. It costs a few per
 * cent of speed under load.
 *
 * For a process of our own only; a library does not set the flags of its embedder.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collect = (options: {
  readonly type: "major";
  readonly execution: "sync";
  readonly flavor: "last-resort";
}) => void;

/** The heap may grow by a fifth between two collections, and its young part does not grow at all. */
export function keepHeapSmall(): void {
  setFlagsFromString("--heap-growing-percent=20");
  setFlagsFromString("--semi-space-growth-factor=1");
}

const REST_MS = 1_500;

export interface Rest {
  /** Something happened: the next rest is a while away. */
  stir(): void;
  stop(): void;
}

/** Gives memory back once, when nothing has happened for a while. */
export function collectAtRest(collect: () => void = wholeCollection()): Rest {
  let timer: NodeJS.Timeout | undefined;
  return {
    stir() {
      if (timer) timer.refresh();
      else {
        timer = setTimeout(() => {
          timer = undefined;
          collect();
        }, REST_MS);
        timer.unref();
      }
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

function wholeCollection(): () => void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as Collect;
  return () => collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
