/** The tool that finds files and folders by name, in the order of a walk, up to a cap. */
import { plainName } from "@galley/shape";
import type { Tool, ToolOutput } from "@galley/turn";
import { z } from "zod";
import { walkWorkspace } from "../workspace/walk.ts";
import { defineTool, refuse, STOPPED, say } from "./define-tool.ts";
import { FOLDER_FIELD, findFolder, walkRemarks } from "./folder.ts";
import { readGlob } from "./glob-pattern.ts";
import { readablePath } from "./readable-path.ts";
import type { ToolPlaces } from "./target.ts";

const MOST_PATHS = 1000;
const LONGEST_MS = 60_000;

export const globTool = (places: ToolPlaces, most: number = MOST_PATHS): Tool =>
  defineTool({
    name: "glob",
    description: `Lists files and folders whose path matches a pattern, at most ${most}, nearest to the top first; a folder ends with a slash. \`*\` and \`?\` stay inside a name, \`**\` spans folders, \`[…]\` and \`{a,b}\` work. A pattern without a slash matches names at any depth; \`/*\` lists one folder. What .gitignore and .agentsignore leave out is not found, and links are not walked through. Use it to find files by name or to look around; it does not look into files: grep does.`,
    input: z.strictObject({
      pattern: z
        .string()
        .min(1)
        .max(1000)
        .describe("The glob, from the folder that is looked in, such as `src/**/*.ts` or `*.md`."),
      path: FOLDER_FIELD,
    }),
    parallel: true,
    subject: ({ path }) => path ?? ".",
    async run({ pattern, path }, { session, signal }): Promise<ToolOutput> {
      const folder = await findFolder(places, session, path);
      if (!folder.ok) return refuse(folder.reason);
      if (folder.isFile)
        return refuse(`${plainName(path ?? "")} is a file: the read tool opens it`);
      const { root, prefix, shown } = folder;
      const base = `${root}/${prefix}`;
      const glob = readGlob(pattern.startsWith(base) ? `/${pattern.slice(base.length)}` : pattern);
      if (!glob.ok) return refuse(`the pattern cannot be used: ${glob.reason}`);
      const found: string[] = [];
      let count = 0;
      const summary = await walkWorkspace(root, {
        only: prefix,
        signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]),
        onBatch(paths) {
          for (const each of paths) {
            const isFolder = each.endsWith("/");
            const inside = each.slice(prefix.length, isFolder ? -1 : undefined);
            if (inside === "" || !each.startsWith(prefix) || !glob.fits(inside, isFolder)) continue;
            count += 1;
            if (found.length < most) found.push(readablePath(shown + each));
          }
        },
      });
      if (signal.aborted) return STOPPED;
      return answer(found, count, summary);
    },
  });

type Summary = Awaited<ReturnType<typeof walkWorkspace>>;

function answer(found: readonly string[], count: number, summary: Summary): ToolOutput {
  const remarks = walkRemarks(summary);
  const isCut = count > found.length;
  const left = `${summary.ignored} entries are left out by .gitignore and .agentsignore`;
  const head =
    count === 0
      ? [`Nothing matches.${summary.ignored > 0 ? ` (${left})` : ""}`]
      : isCut
        ? [
            `The first ${found.length} of ${count}; a narrower pattern or a folder shows the others:`,
          ]
        : [];
  const isPartial = isCut || summary.end !== "complete";
  return say([...head, ...found, ...remarks.map((each) => `(${each})`)].join("\n"), isPartial);
}
