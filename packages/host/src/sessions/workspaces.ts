/**
 * The folders that sessions of one host may work in: its workspace and what lies inside it, or any
 * folder where the host works for the person alone. Each is composed for by a pipeline of its own,
 * made when a session there first sends something.
 */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { HostError } from "../host-error.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { reasonOf } from "../workspace/read-file.ts";
import { resolveInside } from "../workspace/roots.ts";

export interface Workspaces {
  /** Of the host's own folder. */
  readonly own: Pipeline;
  /** The folder as a session keeps it, the host's own when none is named; refused where not allowed. */
  check(folder: string | null | undefined): Promise<string>;
  pipelineOf(folder: string | null): Promise<Pipeline>;
  close(): Promise<void>;
}

export type WorkspacesInput = {
  readonly root: string;
  readonly reach: "workspace" | "anywhere";
  readonly own: Pipeline;
  open(folder: string): Pipeline;
};

/** Folders beside the host's own whose commands and skills are kept in memory. */
const KEPT = 8;

export function openWorkspaces({ root, reach, own, open }: WorkspacesInput): Workspaces {
  const opened = new Map<string, Pipeline>();

  async function check(folder: string | null | undefined): Promise<string> {
    if (folder === undefined || folder === null || folder === root) return root;
    const path = resolve(root, folder);
    const found = await resolveInside(reach === "anywhere" ? path : root, path);
    if (!found.ok) throw refusal(folder, found.reason.replace("no such file", "no such folder"));
    if (await isFolder(found.real)) return found.real;
    throw refusal(folder, "not a folder");
  }

  return {
    own,
    check,
    async pipelineOf(folder) {
      // Looked at each time: the folder may have become a link to somewhere else.
      const path = await check(folder);
      if (path === root) return own;
      const pipeline = opened.get(path) ?? open(path);
      opened.delete(path);
      opened.set(path, pipeline);
      for (const [old, left] of [...opened].slice(0, Math.max(0, opened.size - KEPT))) {
        opened.delete(old);
        await left.close();
      }
      return pipeline;
    },
    async close() {
      for (const pipeline of [own, ...opened.values()]) await pipeline.close();
    },
  };
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    // Gone since it was resolved.
    reasonOf(error);
    return false;
  }
}

const refusal = (path: string, reason: string) => HostError.make("bad_workspace", { path, reason });
