/**
 * The files that people write for an agent (commands, skills), found below one root.
 *
 * A folder of them may come with a checkout, so it is not trusted: the number of entries and the
 * depth are bounded, a link that leads out of the root is not followed, and what is neither a file
 * nor a folder is not opened. Whatever is left out for such a reason is a finding and hides nothing
 * beside it.
 */
import type { Dirent } from "node:fs";
import { lstat, opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "@galley/compose";
import { plainName } from "@galley/shape";
import { type Refused, reasonOf } from "../workspace/read-file.ts";
import { OUTSIDE, resolveInside } from "../workspace/roots.ts";

export type AuthorRoot = {
  readonly scope: "project" | "user";
  /** Absolute. */
  readonly folder: string;
};

export type Place = {
  /** From the root, with forward slashes. */
  readonly folder: string;
  /** How many folders deep it goes; 0 is the folder itself. */
  readonly depth: number;
  /** How the names of its files end. */
  readonly ending: RegExp;
  /** Only this file of each folder in it; the other files are not listed. */
  readonly each?: string;
};

export type AuthorFile = {
  /** Path inside the folder of its place. */
  readonly inside: string;
  /** As people know it: from the workspace, or from `~`. */
  readonly shown: string;
  /** After links. */
  readonly real: string;
};

export type FoundFiles = {
  readonly files: readonly AuthorFile[];
  readonly findings: readonly Finding[];
};

/** Entries of one place that are looked at, folders among them. */
export const MOST_ENTRIES = 2000;

export const shownIn = ({ scope }: AuthorRoot, path: string): string =>
  plainName(scope === "user" ? `~/${path}` : path);

export const errorIn = (file: string, says: string, fix: string): Finding => ({
  file,
  line: 1,
  severity: "error",
  says: `not read: ${says}`,
  fix,
});

export async function findFiles(root: AuthorRoot, place: Place): Promise<FoundFiles> {
  const files: AuthorFile[] = [];
  const findings: Finding[] = [];
  const seen = new Set<string>();
  const folders = [{ inside: "", depth: 0 }];
  let left = MOST_ENTRIES;
  // Grows while it is walked.
  for (const { inside, depth } of folders) {
    const listed = await listFolder(root, join(place.folder, inside), seen, left);
    if (!listed.ok) {
      findings.push(refusal(root, `${place.folder}/${inside}`.replace(/\/$/, ""), listed.reason));
      continue;
    }
    left -= listed.entries.length;
    for (const entry of listed.entries) {
      const path = inside === "" ? entry.name : `${inside}/${entry.name}`;
      const found = await lookAt(root, place, path, join(listed.real, entry.name), entry);
      if (found === "folder" && depth < place.depth)
        folders.push({ inside: path, depth: depth + 1 });
      else if (typeof found === "object") {
        if ("real" in found) files.push(found);
        else findings.push(found);
      }
    }
    if (left <= 0) {
      const says = `more than ${MOST_ENTRIES} entries, and the rest is not looked at`;
      findings.push(errorIn(shownIn(root, place.folder), says, "keep fewer files in it"));
      break;
    }
  }
  return { files, findings };
}

function refusal(root: AuthorRoot, path: string, reason: string): Finding {
  const shown = shownIn(root, path);
  if (reason === NO_FILE) return errorIn(shown, reason, "put a plain file there");
  if (reason !== OUTSIDE) return errorIn(shown, reason, "mend or remove it");
  const out = `it leads out of ${root.scope === "user" ? "the home folder" : "the workspace"}`;
  return errorIn(shown, out, "put what it leads to into the folder itself");
}

const NO_FILE = "not a regular file";

type Listed =
  | { readonly ok: true; readonly real: string; readonly entries: readonly Dirent[] }
  | Refused;

const NOTHING = { ok: true, real: "", entries: [] } as const;

async function listFolder(
  root: AuthorRoot,
  path: string,
  seen: Set<string>,
  most: number,
): Promise<Listed> {
  const inside = await resolveInside(root.folder, path);
  if (!inside.ok) return (await isThere(join(root.folder, path))) ? inside : NOTHING;
  // A link may lead back to a folder above it.
  if (seen.has(inside.real)) return NOTHING;
  seen.add(inside.real);
  try {
    return { ok: true, real: inside.real, entries: await entriesOf(inside.real, most) };
  } catch (error) {
    return { ok: false, reason: reasonOf(error).replace("no such file", "not a folder") };
  }
}

/** A link that leads nowhere is there; a folder that nobody made is not. */
async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    return reasonOf(error) !== "no such file";
  }
}

/** In one order on every machine; hidden ones are nobody's commands. */
async function entriesOf(folder: string, most: number): Promise<readonly Dirent[]> {
  const entries: Dirent[] = [];
  for await (const entry of await opendir(folder)) {
    if (entry.name.startsWith(".")) continue;
    entries.push(entry);
    if (entries.length >= most) break;
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A file to read, a folder to enter, a finding, or nothing of ours. */
async function lookAt(
  root: AuthorRoot,
  place: Place,
  inside: string,
  real: string,
  entry: Dirent,
): Promise<AuthorFile | Finding | "folder" | undefined> {
  const path = `${place.folder}/${inside}`;
  const led = await follow(root, path, real, entry);
  const isFolder = led.ok && led.isFolder;
  if (isFolder && place.each !== undefined) return eachIn(root, place, inside);
  if (isFolder) return "folder";
  const wanted = place.each === undefined && place.ending.test(entry.name);
  if (!led.ok)
    return wanted || led.reason === OUTSIDE ? refusal(root, path, led.reason) : undefined;
  return wanted ? named(root, place, inside, led.real) : undefined;
}

type Led = { readonly ok: true; readonly real: string; readonly isFolder: boolean } | Refused;

async function follow(root: AuthorRoot, path: string, real: string, entry: Dirent): Promise<Led> {
  if (entry.isFile() || entry.isDirectory()) {
    return { ok: true, real, isFolder: entry.isDirectory() };
  }
  return resolve(root, path);
}

async function resolve(root: AuthorRoot, path: string): Promise<Led> {
  const inside = await resolveInside(root.folder, path);
  if (!inside.ok) return inside;
  try {
    const stats = await stat(inside.real);
    if (!stats.isFile() && !stats.isDirectory()) return { ok: false, reason: NO_FILE };
    return { ok: true, real: inside.real, isFolder: stats.isDirectory() };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

async function eachIn(
  root: AuthorRoot,
  place: Place,
  folder: string,
): Promise<AuthorFile | Finding | undefined> {
  const inside = `${folder}/${place.each}`;
  const path = `${place.folder}/${inside}`;
  const led = await resolve(root, path);
  if (led.ok) return led.isFolder ? undefined : named(root, place, inside, led.real);
  const isLacking = led.reason === "no such file" && !(await isThere(join(root.folder, path)));
  return isLacking ? undefined : refusal(root, path, led.reason);
}

/** A name that draws itself as another is nothing to be typed. */
function named(root: AuthorRoot, place: Place, inside: string, real: string): AuthorFile | Finding {
  const shown = shownIn(root, `${place.folder}/${inside}`);
  if (plainName(inside) === inside) return { inside, shown, real };
  return errorIn(shown, "its name holds characters that cannot be seen", "rename it");
}
