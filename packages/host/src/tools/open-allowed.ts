/**
 * A file of the workspace that a tool may look into, open.
 *
 * All questions are asked of the file that is open: a link that is swapped between a check and the
 * read changes nothing, because there is no check before the read.
 */
import { readlink, realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { isKeptFromAgents, KEPT } from "../workspace/kept-from-agents.ts";
import { type Opened, type Refused, reasonOf } from "../workspace/read-file.ts";
import { contains, OUTSIDE, openInside } from "../workspace/roots.ts";

/** Files here are the kernel's answers, also where the workspace is the root. */
const NEVER = ["/proc", "/sys", "/dev"];

export async function openAllowed(
  root: string,
  path: string,
  rules: "agentsignore" | "none" = "agentsignore",
): Promise<Opened | Refused> {
  const opened = await openInside(root, path);
  if (!opened.ok) return opened;
  const reason = await problemOf(root, path, opened, rules);
  if (reason === undefined) return opened;
  await opened.handle.close();
  return { ok: false, reason };
}

async function problemOf(
  root: string,
  path: string,
  { handle }: Opened,
  rules: "agentsignore" | "none",
): Promise<string | undefined> {
  try {
    const open = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
    const place = open ?? (await realpath(resolve(root, path)));
    if (NEVER.some((folder) => contains(folder, place))) return OUTSIDE;
    return rules === "agentsignore" && (await isKeptFromAgents(root, place)) ? KEPT : undefined;
  } catch (error) {
    return reasonOf(error);
  }
}
