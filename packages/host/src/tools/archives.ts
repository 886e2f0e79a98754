/**
 * The tools for archives: what is in one, and taking files out into the session's scratch folder,
 * where the reading tools find them.
 */
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Tool, ToolOutput } from "@galley/turn";
import { z } from "zod";
import { ARCHIVE_LIMITS, type ArchiveEntry } from "../attachments/archive-entry.ts";
import { archiveExtract, type Extracted } from "../attachments/archive-extract.ts";
import { type ArchiveListing, archiveList } from "../attachments/archive-list.ts";
import { attempt, done, type Tried } from "../attachments/tried.ts";
import { defineTool, refuse, say } from "./define-tool.ts";
import { readablePath } from "./readable-path.ts";
import { BLOCK, SCRATCH } from "./scratch.ts";
import { subjectOf, TARGET_FIELDS, type ToolPlaces, withTarget } from "./target.ts";

const MOST_BYTES = 256 * 1024 * 1024;

export const archiveListTool = (places: ToolPlaces): Tool =>
  defineTool({
    name: "archive_list",
    description:
      "Lists what is in a zip, tar, tar.gz or gzip archive, by size and name, at most 1000 entries. Use it before archive_extract. It unpacks nothing, and does not look into archives inside the archive.",
    input: z.strictObject(TARGET_FIELDS),
    parallel: true,
    subject: subjectOf,
    run: (input, context) =>
      withTarget(places, context, input, async ({ name, source }) => {
        const opened = await source(MOST_BYTES);
        const listed = opened.ok ? await archiveList(opened.value) : opened;
        return listed.ok
          ? listing(name, listed.value)
          : refuse(`cannot read ${name}: ${listed.reason}`);
      }),
  });

function listing(name: string, { format, entries, total, stopped }: ArchiveListing): ToolOutput {
  const head = `${name}: ${format}, ${total.entries} entries, ${total.bytes} bytes unpacked (as it claims)`;
  const more = total.entries - entries.length;
  const end = [
    ...(more > 0 ? [`(${more} more entries are not listed)`] : []),
    ...(stopped === undefined ? [] : [`(there may be more: ${stopped})`]),
  ];
  return say([head, ...entries.map(entryLine), ...end].join("\n"), end.length > 0);
}

function entryLine({ name, kind, size, refused }: ArchiveEntry): string {
  const what = kind === "file" ? `${size}` : kind;
  return `${what}\t${readablePath(name)}${refused === undefined ? "" : ` (never taken out: ${refused})`}`;
}

export const archiveExtractTool = (places: ToolPlaces): Tool =>
  defineTool({
    name: "archive_extract",
    description:
      "Takes files out of a zip, tar, tar.gz or gzip archive into a new folder of this session's scratch folder; the result names them as `scratch:…` paths, which the reading tools take. Use it to look into an archive after archive_list. It writes nothing to the workspace; links and names that lead elsewhere stay in the archive, and the scratch folder has a limit.",
    input: z.strictObject({
      ...TARGET_FIELDS,
      names: z
        .array(z.string().min(1).max(1024))
        .min(1)
        .max(1000)
        .optional()
        .describe("Only these entries, as archive_list spells them; all unless said."),
    }),
    subject: subjectOf,
    run: ({ names, ...given }, context) =>
      withTarget(places, context, given, async ({ name, source }) => {
        const opened = await source(MOST_BYTES);
        if (!opened.ok) return refuse(`cannot read ${name}: ${opened.reason}`);
        const { id } = context.session;
        const scratch = await places.scratch.open(id);
        const room = await places.scratch.room(id);
        if (room < BLOCK) return refuse(`cannot unpack ${name}: ${FULL}`);
        const limits = {
          bytes: Math.min(room, ARCHIVE_LIMITS.bytes),
          entries: Math.min(Math.floor(room / BLOCK), ARCHIVE_LIMITS.entries),
        };
        const took = await archiveExtract(opened.value, {
          scratch,
          limits,
          ...(names && { names }),
        });
        if (!took.ok) return refuse(`cannot unpack ${name}: ${took.reason}`);
        const folder = await numbered(scratch, took.value.folder);
        if (!folder.ok) return refuse(`cannot unpack ${name}: ${folder.reason}`);
        return extracted(name, folder.value, took.value);
      }),
  });

const FULL = "this session's scratch folder is full";

/** A name that is the same on every run; folders of one session are made one after the other. */
function numbered(scratch: string, folder: string): Promise<Tried<string>> {
  return attempt("it cannot be put in its place", async () => {
    for (let nth = 1; ; nth += 1) {
      const name = `archive-${nth}`;
      try {
        await mkdir(join(scratch, name));
      } catch (error) {
        if ((error as { code?: unknown }).code === "EEXIST") continue;
        throw error;
      }
      // Over the empty folder of that name, which holds it for us.
      await rename(folder, join(scratch, name));
      return done(name);
    }
  });
}

const MOST_LINES = 1000;

function extracted(
  name: string,
  folder: string,
  { files, left, more, stopped }: Extracted,
): ToolOutput {
  const place = `${SCRATCH}${folder}`;
  const lines = files
    .slice(0, MOST_LINES)
    .map((file) => `${file.bytes}\t${readablePath(`${place}/${file.name}`)}`);
  const unlisted = files.length - lines.length;
  const stays = left.map((each) => `not taken out: ${readablePath(each.name)}: ${each.reason}`);
  const end = [
    ...(unlisted > 0 ? [`(${unlisted} more files are in ${place}: glob lists them)`] : []),
    ...stays,
    ...(more === undefined ? [] : [`not taken out: ${more} more entries`]),
    ...(stopped === undefined ? [] : [`(stopped: ${stopped})`]),
  ];
  const count = `${files.length} ${files.length === 1 ? "file" : "files"}`;
  const head = `${name}: ${count} taken out into ${place}`;
  return say([head, ...lines, ...end].join("\n"), stopped !== undefined || unlisted > 0);
}
