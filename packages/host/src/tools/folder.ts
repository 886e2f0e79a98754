/**
 * The folder that a search begins in. A walk always begins at the root, so that every ignore file
 * on the way has its say; the folder only narrows what is taken from it.
 */
import { stat } from "node:fs/promises";
import { relative, sep } from "node:path";
import type { SessionRow } from "@galley/parts";
import { plainName } from "@galley/shape";
import { z } from "zod";
import { reasonOf } from "../workspace/read-file.ts";
import { resolveInside } from "../workspace/roots.ts";
import type { WalkSummary } from "../workspace/walk.ts";
import { SCRATCH } from "./scratch.ts";
import { NO_WORKSPACE, type Place, placeOf, refusal, type ToolPlaces } from "./target.ts";

export const FOLDER_FIELD = z
  .string()
  .min(1)
  .max(4096)
  .optional()
  .describe(
    "The folder to look in, from the workspace's root, which it is unless said; `scratch:` is this session's scratch folder.",
  );

export type Folder =
  | {
      readonly ok: true;
      readonly place: Place;
      /** The root after links, and the way from it: empty, or with a slash at the end. */
      readonly root: string;
      readonly prefix: string;
      readonly isFile: boolean;
      /** What stands before a path from the root in results. */
      readonly shown: string;
    }
  | { readonly ok: false; readonly reason: string };

export async function findFolder(
  places: ToolPlaces,
  session: SessionRow,
  path = ".",
): Promise<Folder> {
  const place = placeOf(places, session, path);
  if (place === undefined) return { ok: false, reason: NO_WORKSPACE };
  const { isScratch } = place;
  // It is made when something is put into it; until then it is empty.
  if (isScratch) await places.scratch.open(session.id);
  const [top, inside] = await Promise.all([
    resolveInside(place.root, "."),
    resolveInside(place.root, place.path),
  ]);
  const no = (reason: string): Folder => ({ ok: false, reason: refusal(path, reason, isScratch) });
  if (!top.ok) return no(top.reason);
  if (!inside.ok) return no(inside.reason.replace("no such file", "no such folder"));
  try {
    const stats = await stat(inside.real);
    const way = relative(top.real, inside.real).split(sep).join("/");
    const isFile = stats.isFile();
    if (!isFile && !stats.isDirectory()) return no("not a folder");
    const prefix = way === "" || isFile ? way : `${way}/`;
    return { ok: true, place, root: top.real, prefix, isFile, shown: isScratch ? SCRATCH : "" };
  } catch (error) {
    return no(reasonOf(error));
  }
}

/** What a walk could not or did not look at, a line each; empty when it saw everything. */
export function walkRemarks({ end, notes }: Pick<WalkSummary, "end" | "notes">): readonly string[] {
  const told = notes
    .filter(({ kind }) => !UNTOLD.has(kind))
    .map(({ count, says, examples }) => {
      const first = examples.map(({ path }) => plainName(path)).join(", ");
      return `not looked at: ${count} ${says} (${first}${count > examples.length ? ", …" : ""})`;
    });
  return end === "aborted" ? [...told, "stopped before everything was looked at"] : told;
}

/** They are no files, and nobody looks for them. */
const UNTOLD = new Set(["special", "dangling", "outside"]);
