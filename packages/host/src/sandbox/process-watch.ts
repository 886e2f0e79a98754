/**
 * How much a command takes, looked at from outside: the processes of its own namespace and their
 * memory. It counts; whoever asks decides.
 *
 * The first process of the namespace shows its own `/proc`, in which there is nobody else. Where
 * that cannot be read nothing is known, and only the limits of the single processes hold.
 */
import { readdirSync, readFileSync } from "node:fs";

export type Usage = { readonly processes: number; readonly memoryMb: number };

const PAGE = 4096;
const MB = 1024 * 1024;

/** `first` is the first process of the namespace, by its number outside. */
export function usageOf(first: number): Usage | undefined {
  const inner = `/proc/${first}/root/proc`;
  const pids = listOr(inner).filter((name) => /^\d+$/.test(name));
  if (pids.length === 0) return undefined;
  const pages = pids.reduce((sum, each) => sum + residentPages(`${inner}/${each}/statm`), 0);
  return { processes: pids.length, memoryMb: (pages * PAGE) / MB };
}

/** One that ended and was not fetched yet is gone. */
export function isAlive(pid: number): boolean {
  const stat = readOr(`/proc/${pid}/stat`);
  return stat !== undefined && !/^\d+ \(.*\) [ZX] /s.test(stat);
}

const residentPages = (path: string): number => Number(readOr(path)?.split(" ")[1] ?? 0) || 0;

/** A process may be gone at any moment: what cannot be read counts for nothing. */
function readOr(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    return missing(error);
  }
}

function listOr(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    return missing(error) ?? [];
  }
}

function missing(error: unknown): undefined {
  if (error instanceof Error && "code" in error) return undefined;
  throw error;
}
