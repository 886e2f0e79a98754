/**
 * Paths for a palette: the workspace is listed when somebody first asks, and again when the list
 * has grown old. A small workspace is waited for, so that a file just made is found; a large one
 * is listed anew behind the answer.
 */
import { setImmediate } from "node:timers/promises";
import { createPathIndex } from "@galley/compose";
import { type WalkSummary, walkWorkspace } from "../workspace/walk.ts";
import type { PathSearch } from "./mention-search.ts";

/** Ms after which a list is old. */
export const STALE_MS = 2000;
/** Ms of a listing that a person does not notice. */
const SHORT_MS = 150;

export function workspaceSearch(workspace: string, now: () => number): PathSearch {
  const index = createPathIndex();
  const stopping = new AbortController();
  let notes: WalkSummary["notes"] = [];
  let listed: { readonly at: number; readonly took: number } | undefined;
  let running: Promise<void> | undefined;

  async function list(): Promise<void> {
    const from = now();
    const paths: string[] = [];
    const { signal } = stopping;
    const onBatch = (batch: readonly string[]): void => {
      for (const path of batch) paths.push(path);
    };
    const summary = await walkWorkspace(workspace, { onBatch, signal });
    if (summary.end === "aborted") return;
    index.replace(paths);
    notes = summary.notes;
    listed = { at: now(), took: now() - from };
  }

  /** One listing at a time, whoever asks. */
  function refresh(): Promise<void> {
    running ??= list().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    async find(query, options) {
      const isOld = listed === undefined || now() - listed.at >= STALE_MS;
      const refreshed = isOld ? refresh() : undefined;
      if (listed === undefined || listed.took <= SHORT_MS) await refreshed;
      else {
        // A listing behind the answer that fails is told by the next one, which waits for it.
        refreshed?.catch(() => {
          listed = undefined;
        });
      }
      const pause = () => setImmediate();
      const found = await index.searchAsync(query, { ...options, pause, signal: stopping.signal });
      return { hits: found.ended === "found" ? found.hits : [], notes };
    },
    close: () => stopping.abort(),
  };
}
